import gzip
import json

import pytest

from gleanner import read
from gleanner.cli import predict

LINE = "Ada Lovelace never saw London , friends say"
ENTITIES = [("Ada Lovelace", "PER"), ("London", "LOC")]


def found(line):
    record = json.loads(line)
    for entity in record["entities"]:
        assert record["text"][entity["start"] : entity["end"]] == entity["text"]
    return [(entity["text"], entity["label"]) for entity in record["entities"]]


def test_a_text(gleanner, model):
    result = gleanner("predict", model, "--text", LINE)
    assert (result.exit_code, result.stderr) == (0, "")
    assert found(result.stdout) == ENTITIES


def test_lines_of_a_pipe_stay_lines(gleanner, model):
    result = gleanner("predict", model, stdin=f"{LINE}\r\n\n{LINE}")
    assert [found(line) for line in result.stdout.splitlines()] == [ENTITIES, [], ENTITIES]


@pytest.mark.parametrize("name", ["a.txt", "a.unknown", "article"])
def test_a_raw_file_is_a_text_a_line(gleanner, model, tmp_path, name):
    (tmp_path / name).write_text(f"{LINE}\n\n{LINE}\n")
    assert gleanner("predict", model, name, "--output", "out.jsonl").stdout == ""
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    assert [found(line) for line in lines] == [ENTITIES, [], ENTITIES]


def test_text_for_people(gleanner, model, gold, tmp_path):
    shown = "[Ada Lovelace PER] never saw [London LOC] , friends say"
    assert gleanner("predict", model, "--text", LINE, "--to", "text").stdout == shown + "\n"
    assert shown in gleanner("predict", model, gold, "--to", "text").stdout.splitlines()
    gleanner("predict", model, "--text", LINE, "--output", "out.txt")
    assert (tmp_path / "out.txt").read_text() == shown + "\n"


def test_raw_text_as_columns(gleanner, model):
    result = gleanner("predict", model, "--text", LINE, "--to", "conll")
    assert result.stdout.startswith("Ada\tB-PER\nLovelace\tI-PER\nnever\tO\n")
    assert result.stderr == ""


@pytest.mark.parametrize("form", ["jsonl", "conll"])
def test_annotated_text_keeps_its_words(gleanner, model, gold, tmp_path, tiny_sentences, form):
    to_file = gleanner("predict", model, gold, "--output", f"out.{form}")
    to_pipe = gleanner("predict", model, gold, "--to", form)
    assert (to_file.exit_code, to_file.stderr) == (0, "")
    assert (tmp_path / f"out.{form}").read_text() == to_pipe.stdout
    again = list(read(tmp_path / f"out.{form}"))
    assert [sentence.words for sentence in again] == [sentence.words for sentence in tiny_sentences]
    spans = [[(span.start, span.end, span.label) for span in sentence.spans] for sentence in again]
    assert spans == [[(span.start, span.end, span.label) for span in sentence.spans] for sentence in tiny_sentences]


def test_the_scheme_follows_the_ending(gleanner, model, tmp_path):
    assert gleanner("predict", model, "--text", LINE, "--output", "out.bioes").exit_code == 0
    assert "London\tS-LOC" in (tmp_path / "out.bioes").read_text()


def test_threshold(gleanner, model):
    assert found(gleanner("predict", model, "--text", LINE, "--threshold", "1").stdout) == []


def test_texts_with_characters_give_characters(gleanner, model, tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": f"  {LINE}", "id": 7}) + "\n")
    record = json.loads(gleanner("predict", model, "a.jsonl").stdout)
    span = record["entities"][0]
    start, end = record["offsets"][span["start"]][0], record["offsets"][span["end"] - 1][1]
    assert (record["text"][start:end], record["id"]) == ("Ada Lovelace", 7)


def test_predictions_can_be_scored(gleanner, model, gold):
    gleanner("predict", model, gold, "--output", "out.jsonl")
    report = json.loads(gleanner("evaluate", "out.jsonl", gold, "--json", "--bootstrap", "0").stdout)
    assert report["micro"]["f1"] == 1.0


def test_form_of_a_terminal(monkeypatch):
    monkeypatch.setattr(predict.sys.stdout, "isatty", lambda: True, raising=False)
    assert predict._form(None) == "text"


def test_nested_entities_are_noted_when_columns_lose_them(gleanner, model, gold, monkeypatch):
    from gleanner.model.tagger import Tagger
    from gleanner.types import Sentence, Span

    nested = Sentence(("Isle", "of", "Wight"), (Span(0, 3, "LOC"), Span(2, 3, "PER")))
    monkeypatch.setattr(Tagger, "annotate", lambda self, sentences: iter([nested]))
    assert "nested entities (1)" in gleanner("predict", model, gold, "--to", "conll").stderr


@pytest.mark.parametrize("name", ["a.txt", "gold.jsonl"])
def test_several_processes_find_the_same(gleanner, model, gold, tmp_path, name):
    if name == "a.txt":
        (tmp_path / name).write_text(f"{LINE}\n\n{LINE}\n")
    alone = gleanner("predict", model, name, "--output", "alone.jsonl")
    several = gleanner("predict", model, name, "--output", "two.jsonl", "--workers", 2)
    sharded = gleanner("predict", model, name, "--output", "out.jsonl.gz", "--shards", 2)
    assert (alone.exit_code, several.exit_code, sharded.exit_code) == (0, 0, 0), several.output
    assert (tmp_path / "two.jsonl").read_text() == (tmp_path / "alone.jsonl").read_text()
    parts = [gzip.decompress((tmp_path / f"out-0000{k}-of-00002.jsonl.gz").read_bytes()) for k in range(2)]
    assert b"".join(parts).decode() == (tmp_path / "alone.jsonl").read_text()


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--text", LINE, "--output", "a.jsonl"], "for files"),
        (["a.txt"], "add --output"),
        (["a.txt", "--output", "a.conll"], "written as .jsonl"),
        (["a.txt", "--output", "a.jsonl", "--to", "text"], "do not write text"),
    ],
)
def test_what_several_processes_do_not_do(refused, model, tmp_path, options, what):
    (tmp_path / "a.txt").write_text(LINE)
    assert what in refused("predict", model, *options, "--workers", 2)
