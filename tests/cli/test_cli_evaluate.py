import json

from gleanner import Sentence, Span, write


def test_a_model_on_gold(gleanner, model, gold):
    result = gleanner("evaluate", model, gold)
    assert (result.exit_code, result.stderr) == (0, "")
    rows = {line.split("  ")[0].strip(): line.split() for line in result.stdout.splitlines() if line.strip()}
    assert rows["all (micro)"][2:5] == ["100.00", "100.00", "100.00"]
    assert {"LOC", "PER", "mean of types (macro)", "words only, any type", "type only, words overlap"} <= rows.keys()


def test_errors_have_an_example(gleanner, tmp_path):
    words = ("Ada", "Lovelace", "saw", "Paris")
    write([Sentence(words, (Span(0, 2, "PER"), Span(3, 4, "LOC")))], tmp_path / "gold.jsonl")
    write([Sentence(words, (Span(0, 1, "PER"), Span(2, 3, "LOC")))], tmp_path / "found.jsonl")
    shown = gleanner("evaluate", "found.jsonl", "gold.jsonl").stdout
    assert "'Ada Lovelace' -> 'Ada' (sentence 1)" in shown
    assert "'Paris' (sentence 1)" in shown


def test_a_type_that_the_model_never_saw_is_noted(gleanner, model, tmp_path):
    write([Sentence(("Royal", "Society"), (Span(0, 2, "ORG"),), complete=True)], tmp_path / "gold.jsonl")
    result = gleanner("evaluate", model, "gold.jsonl", "--json", "--bootstrap", "10")
    assert result.exit_code == 0
    assert result.stderr.startswith("note: the model never saw type 'ORG'")
    report = json.loads(result.stdout)
    assert report["types"]["ORG"]["recall"] == 0
    assert len(report["micro"]["interval"]["f1"]) == 2


def test_gold_is_complete_unless_told_otherwise(gleanner, tmp_path):
    (tmp_path / "a.conll").write_text("Ada B-PER\nwrote O\n")
    assert gleanner("evaluate", "a.conll", "a.conll").stderr == ""
    assert "not marked complete: 1 of 1" in gleanner("evaluate", "a.conll", "a.conll", "--incomplete").stderr


def test_a_format_that_nothing_tells(gleanner, tmp_path):
    (tmp_path / "a.txt").write_text("Ada B-PER\nwrote O\n")
    assert "1 sentence, 2 words" in gleanner("evaluate", "a.txt", "a.txt", "--format", "conll").stdout
