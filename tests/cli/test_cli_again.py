"""Annotating again after the dictionary changed writes what annotating everything anew writes, byte for byte."""

import gzip
import json
import re

import pytest

from gleanner import Sentence, Span, demo_data, write
from gleanner.cli.again import renamed

TERMS = ["PER\tAda Lovelace", "LOC\tLondon", "LOC\tNew York", "ORG\tNew York Times", "PER\tHooke"]
TEXT = "Ada Lovelace lived in London.\n\nHooke did “so”, too.\n\nHe read the New York Times.\n\nNothing here.\n"
CHANGES = {
    "removed": ([*TERMS[:3], TERMS[4]], 1),
    "removed first": (TERMS[1:], 1),
    "added": (["PER\tNothing", *TERMS], 1),
    "retyped": ([*TERMS[:4], "LOC\tHooke"], 1),
    "a second type": ([*TERMS, "PER\tLondon"], 1),
    "none": (TERMS, 0),
}


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "a.txt").write_text(TEXT)
    words = [Sentence(tuple(line.replace(".", " .").split())) for line in TEXT.splitlines() if line]
    given = Sentence(("Ada", "Lovelace", "saw", "London"), (Span(0, 1, "SHIP", "hand"),), meta={"id": 1})
    write([*words, given], tmp_path / "a.jsonl")
    dictionary(tmp_path / "old.tsv", TERMS)
    dictionary(tmp_path / "terms.tsv", TERMS)


def dictionary(path, terms):
    path.write_text("".join(f"{term}\n" for term in terms))


@pytest.mark.parametrize(("text", "quiet"), [("a.txt", ()), ("a.txt", ("-q",)), ("a.jsonl", ("-q",))])
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("names", [("terms.tsv", "terms.tsv"), ("old.tsv", "new.tsv"), ("terms.tsv", "new.tsv")])
def test_the_new_file_is_that_of_annotating_everything_anew(gleanner, tmp_path, text, change, names, quiet):
    used, new = names  # old.tsv is what the dictionary was, whatever it was called then
    terms, again = CHANGES[change]
    gleanner("annotate", "-d", used, "-t", text, "-o", "before.jsonl")
    dictionary(tmp_path / new, terms)
    gleanner("annotate", "-d", new, "-t", text, "-o", "anew.jsonl")
    was = "old.tsv" if used in (new, "old.tsv") else used
    result = gleanner("annotate", "-d", new, "--was", was, "--again", "before.jsonl", "-o", "after.jsonl", *quiet)
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "after.jsonl").read_bytes() == (tmp_path / "anew.jsonl").read_bytes()
    touched = int(re.search(r"(\d+) sentences? annotated again -> after.jsonl", result.stderr)[1])
    assert touched == again + (text == "a.jsonl" and change in ("removed first", "a second type"))  # the given sentence


def test_only_touched_sentences_reach_the_annotators(gleanner, tmp_path):
    (tmp_path / "rules.py").write_text(
        "import pathlib\n\ndef seen(text):\n"
        "    with pathlib.Path('seen.txt').open('a') as file:\n        file.write(text + '\\n')\n    return ()\n"
    )
    gleanner("annotate", "-d", "old.tsv", "-t", "a.txt", "-o", "before.jsonl")
    dictionary(tmp_path / "terms.tsv", TERMS[:4])
    args = ("-d", "terms.tsv", "--was", "old.tsv", "--again", "before.jsonl", "-o", "after.jsonl")
    assert gleanner("annotate", *args, "--annotator", "rules.py:seen").exit_code == 0
    assert (tmp_path / "seen.txt").read_text() == "Hooke did “so”, too.\n"


@pytest.mark.parametrize("options", [["--workers", 2], ["--shards", 2], ["--ambiguity", "alternatives"], ["--quiet"]])
def test_the_demo_whose_terms_are_removed_in_between(gleanner, tmp_path, options):
    terms = demo_data.dictionary_path().read_text().splitlines()
    (tmp_path / "raw.txt").write_text(demo_data.raw())
    dictionary(tmp_path / "old.tsv", terms)
    dictionary(tmp_path / "terms.tsv", [term for number, term in enumerate(terms) if number % 50])
    more = options if "--ambiguity" in options else ()
    gleanner("annotate", "-d", "old.tsv", "-t", "raw.txt", "-o", "before.jsonl.gz", *more)
    gleanner("annotate", "-d", "terms.tsv", "-t", "raw.txt", "-o", "anew.jsonl", *more)
    args = ("--again", "before.jsonl.gz", "-d", "terms.tsv", "--was", "old.tsv", "-o", "after.jsonl.gz")
    assert gleanner("annotate", *args, *options).exit_code == 0
    after = b"".join(gzip.decompress(path.read_bytes()) for path in sorted(tmp_path.glob("after*.gz")))
    assert after.splitlines() == (tmp_path / "anew.jsonl").read_bytes().splitlines()


def test_labels_that_a_person_added_stay(gleanner, tmp_path):
    entities = [[0, 12, "QUEEN"], {"start": 22, "end": 28, "label": "LOC", "source": "dictionary:terms.tsv:2:London"}]
    record = {"text": "Ada Lovelace lived in London.", "entities": entities}
    (tmp_path / "before.jsonl").write_text(json.dumps(record) + "\n")
    dictionary(tmp_path / "terms.tsv", ["TOWN\tLondon", "PER\tAda"])
    gleanner("annotate", "-d", "terms.tsv", "--was", "old.tsv", "--again", "before.jsonl", "-o", "after.jsonl")
    (queen, london) = json.loads((tmp_path / "after.jsonl").read_text())["entities"]
    assert queen == {"start": 0, "end": 12, "label": "QUEEN"}
    assert london["label"] == "TOWN"


def test_the_report_counts_all_sentences(gleanner, tmp_path):
    gleanner("annotate", "-d", "old.tsv", "-t", "a.txt", "-o", "before.jsonl")
    dictionary(tmp_path / "terms.tsv", TERMS[1:])
    args = ("-d", "terms.tsv", "-o", "new.jsonl", "--force")
    anew = gleanner("annotate", *args, "-t", "a.txt")
    again = gleanner("annotate", *args, "--again", "before.jsonl", "--was", "old.tsv")
    assert again.stdout == anew.stdout != ""


def test_a_dictionary_that_was_not_the_first():
    assert renamed(["a.tsv"], ["a.tsv", "b.tsv"]) == {}
    assert renamed(["a.tsv", "b.tsv"], ["b.tsv"]) == {}
    assert renamed(["a.tsv"], ["b.tsv", "c.tsv"]) == {"a.tsv": "b.tsv"}


AGAIN = ["-d", "terms.tsv", "-o", "o.jsonl", "--again", "before.jsonl"]


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (["-d", "terms.tsv", "-o", "o.jsonl"], "no text is given"),
        ([*AGAIN, "-t", "a.txt"], "--text and --again are both given"),
        (AGAIN, "--again without --was"),
        (["-d", "terms.tsv", "-o", "o.jsonl", "-t", "a.txt", "--was", "old.tsv"], "--was without --again"),
        ([*AGAIN, "--was", "old.tsv", "--common", 0.5], "--again with --common"),
        ([*AGAIN, "--was", "old.tsv", "--sample", 0.5], "--again with --sample"),
        ([*AGAIN, "--was", "old.tsv", "a.tsv", "--combine", "vote"], "another number of dictionaries"),
        ([*AGAIN[:-1], "a.txt", "--was", "old.tsv"], "a.txt: only .jsonl"),
        ([*AGAIN, "--was", "old.tsv"], "before.jsonl:3: malformed JSON"),
        ([*AGAIN[:-1], "range.jsonl", "--was", "old.tsv"], "range.jsonl:2: span [0, 9)"),
        ([*AGAIN[:-1], "text.jsonl", "--was", "old.tsv"], "text.jsonl:1: 'text'"),
    ],
)
def test_bad_input(refused, tmp_path, args, what):
    (tmp_path / "before.jsonl").write_text('{"text": "Ada", "entities": []}\n\n{"text": \n')
    (tmp_path / "range.jsonl").write_text('\n{"text": "Ada", "entities": [[0, 9, "PER"]]}\n')
    (tmp_path / "text.jsonl").write_text('{"text": 7, "entities": []}\n')
    assert what in refused("annotate", *args)
