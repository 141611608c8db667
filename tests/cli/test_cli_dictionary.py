"""gleanner dictionary check."""

import gzip
import json

import pytest


@pytest.fixture
def files(tmp_path):
    (tmp_path / "terms.tsv").write_text(
        "LOC\tBath\nLOC\tYork\nLOC\tBath\nPER\tBath\nPER\tSj\u00c3\u00b6gren\nPER\tA\u001bb\n"
    )
    (tmp_path / "text.txt").write_text("He left Bath for York.\n\nIt was late.\n")
    return ["terms.tsv", "--text", "text.txt"]


@pytest.mark.usefixtures("files")
def test_it_says_what_is_wrong_and_where(gleanner, files):
    result = gleanner("dictionary", "check", *files)
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert lines[0] == "6 terms against 2 sentences, 10 words: 4 problems"
    assert "duplicates: 1" in lines
    assert "Bath terms.tsv:3 LOC already in terms.tsv:1" in lines
    assert "Bath terms.tsv:1 LOC in terms.tsv:1, PER in terms.tsv:4" in lines
    assert "A<U+001B>b terms.tsv:6 a control character: U+001B" in lines
    assert "\u001b" not in result.stdout


def test_strict_fails_when_there_is_a_problem(gleanner, files, tmp_path):
    assert gleanner("dictionary", "check", *files, "--strict").exit_code == 1
    (tmp_path / "terms.tsv").write_text("LOC\tBath\nLOC\tElsewhere\n")
    assert gleanner("dictionary", "check", *files, "--strict").exit_code == 0


def test_json_has_more_and_says_how_many_there_are(gleanner, files):
    report = json.loads(gleanner("dictionary", "check", *files, "--json", "--show", "1").stdout)
    encodings = report["kinds"]["bad encodings"]
    assert (encodings["total"], len(encodings["findings"])) == (2, 1)
    assert report["problems"] == 4


def test_what_is_not_shown_is_counted(gleanner, files):
    assert "and 1 more" in gleanner("dictionary", "check", *files, "--show", "1").stdout


def test_several_dictionaries_and_annotated_text(gleanner, files, tmp_path):
    (tmp_path / "people.txt").write_text("Bath\n")
    (tmp_path / "text.jsonl").write_text('{"tokens": ["Bath", "left"]}\n')
    report = json.loads(
        gleanner(
            "dictionary", "check", "terms.tsv", "people.txt:PER", "--text", "text.txt", "text.jsonl", "--json"
        ).stdout
    )
    assert (report["terms"], report["sentences"]) == (7, 3)


def test_bad_input_is_one_line(refused, files):
    assert "no such file" in refused("dictionary", "check", "nothing.tsv", "--text", "text.txt")
    assert "no such file" in refused("dictionary", "check", "terms.tsv", "--text", "nothing.txt")


def test_text_may_be_a_pattern_and_packed(gleanner, files, tmp_path):
    (tmp_path / "more.txt.gz").write_bytes(gzip.compress(b"Bath again.\n"))
    report = json.loads(gleanner("dictionary", "check", "terms.tsv", "-t", "*.txt*", "--json").stdout)
    assert report["sentences"] == 3


def test_rules_are_those_of_annotate(gleanner, files, tmp_path):
    (tmp_path / "text.txt").write_text("BATH and york.\n")
    (tmp_path / "stop.txt").write_text("Bath\n")

    def never(*rules):
        result = gleanner("dictionary", "check", *files, *rules, "--json")
        kinds = json.loads(result.stdout)["kinds"]
        return {finding["term"] for finding in kinds["never found"]["findings"]} & {"Bath", "York"}

    assert never() == {"Bath", "York"}
    assert never("--case", "ignore") == set()
    assert never("--stop-list", "stop.txt") == {"York"}
