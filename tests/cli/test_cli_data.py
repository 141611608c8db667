"""convert, mask, inspect, methods."""

import json

from gleanner import Sentence, Span, read, write
from gleanner.methods.load import names
from gleanner.training.parts import LOSSES, SAMPLERS


def test_convert_says_what_was_lost(gleanner, tmp_path):
    inner = Sentence(("Isle", "of", "Wight"), (Span(0, 3, "LOC"), Span(2, 3, "PER")), complete=True)
    write([inner], tmp_path / "a.jsonl")
    result = gleanner("convert", "a.jsonl", "b.conll")
    assert (result.exit_code, result.stdout) == (0, "")
    counts, lost = result.stderr.splitlines()
    assert counts == "1 sentence, 2 entities -> b.conll"
    assert lost.startswith("note: the format cannot hold: ")
    assert "nested entities (1)" in lost
    assert (tmp_path / "b.conll").read_text() == "Isle\tB-LOC\nof\tI-LOC\nWight\tI-LOC\n\n"


def test_convert_with_formats_column_and_completeness(gleanner, tmp_path):
    (tmp_path / "a.txt").write_text("Ada B-PER NNP\nwrote O VB\n")
    options = ["--from", "conll", "--to", "jsonl", "--column", "1", "--complete"]
    assert gleanner("convert", "a.txt", "b", *options).exit_code == 0
    record = json.loads((tmp_path / "b").read_text())
    assert (record["entities"], record["complete"]) == ([[0, 1, "PER"]], True)


def test_skipped_sentences_are_noted(gleanner, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"tokens": []}\n{"tokens": ["Ada"]}\n')
    message = "note: a.jsonl: sentences without words, which were skipped: 1\n"
    assert gleanner("convert", "a.jsonl", "b.jsonl").stderr.startswith(message)
    assert gleanner("inspect", "a.jsonl").stderr == message  # once, though it reads twice


def test_what_prodigy_said_beside_does_not_change_the_format(gleanner, tmp_path):
    record = {"text": "Ada wrote", "spans": [{"start": 0, "end": 3, "label": "PER"}], "answer": "accept"}
    (tmp_path / "a.jsonl").write_text(json.dumps({**record, "_input_hash": 5, "_task_hash": 6}) + "\n")
    assert gleanner("convert", "a.jsonl", "b.jsonl").exit_code == 0
    assert gleanner("convert", "b.jsonl", "c.jsonl", "--to", "prodigy").exit_code == 0
    again = json.loads((tmp_path / "c.jsonl").read_text())
    assert (again["_input_hash"], again["spans"][0]["label"]) == (5, "PER")


def test_force_replaces_no_folder_of_other_things(gleanner, refused, tmp_path, gold):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("precious")
    message = refused("convert", gold, "thesis", "--to", "brat", "--force")
    assert "would be lost" in message
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == "precious"
    assert gleanner("convert", gold, "docs", "--to", "brat").exit_code == 0
    assert gleanner("convert", gold, "docs", "--to", "brat", "--force").exit_code == 0


def test_mask_counts_and_is_repeatable(gleanner, tmp_path, gold, tiny_sentences):
    first = gleanner("mask", gold, "a.jsonl", "--rate", "0.5", "--seed", "1")
    total = sum(len(sentence.entities) for sentence in tiny_sentences)
    left = sum(len(sentence.entities) for sentence in read(tmp_path / "a.jsonl"))
    assert 0 < left < total
    assert first.stderr == f"{total - left} of {total} entities hidden -> a.jsonl\n"
    gleanner("mask", gold, "b.jsonl", "--rate", "0.5", "--seed", "1")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_mask_of_a_format_that_the_ending_does_not_tell(gleanner, tmp_path):
    (tmp_path / "a.txt").write_text("Ada B-PER\nwrote O\n")
    assert gleanner("mask", "a.txt", "b.txt", "--rate", "0", "--format", "conll").exit_code == 0
    assert (tmp_path / "b.txt").read_text() == "Ada\tB-PER\nwrote\tO\n\n"


def test_mask_wants_a_probability(gleanner, gold):
    result = gleanner("mask", gold, "a.jsonl", "--rate", "50")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)


def test_inspect_for_people_and_for_programs(gleanner, tmp_path):
    sentences = [
        Sentence(("Ada", "wrote"), (Span(0, 1, "PER", source="dictionary:names.tsv:1"),)),
        Sentence(("Ada", "slept"), (Span(0, 1, "LOC"),)),
        Sentence(
            ("[Ada]", "Ada", "wrote"),
        ),
    ]
    write(sentences[:2], tmp_path / "a.jsonl")
    write(sentences[2:], tmp_path / "b.jsonl")
    shown = gleanner("inspect", "a.jsonl", "b.jsonl").stdout
    assert "dictionary:names.tsv " in shown
    assert "1 phrase labelled here and bare there; bare occurrences: 1" in shown
    assert "[Ada] Ada wrote" in shown
    assert json.loads(gleanner("inspect", "a.jsonl", "b.jsonl", "--json").stdout)["types"] == {"PER": 1, "LOC": 1}


def test_inspect_sums_up_the_rarer_sources(gleanner, tmp_path):
    spans = tuple(Span(k, k + 1, "PER", source=f"dictionary:{k}") for k in range(13))
    write([Sentence(tuple("abcdefghijklm"), spans)], tmp_path / "a.jsonl")
    assert "(3 others)" in gleanner("inspect", "a.jsonl").stdout


def test_methods_are_listed_and_explained(gleanner):
    shown = gleanner("methods").stdout
    assert all(name in shown for name in names())
    explained = gleanner("methods", "weighted-sampling").stdout
    assert "method.mu" in explained
    assert "few hidden entities are drawn" in explained
    assert gleanner("methods", "magic").exit_code == 2


def test_a_method_of_parts_tells_what_the_parts_may_be(gleanner):
    listed, explained = gleanner("methods").stdout, gleanner("methods", "compose").stdout
    assert all(name in explained for name in (*SAMPLERS.names(), *LOSSES.names()))
    assert "method.sampler.ratio" in explained
    assert "method.loss.w" in explained
    assert "similar" not in listed
