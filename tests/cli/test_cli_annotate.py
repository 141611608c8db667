import gzip
import json

import pytest

from gleanner import demo_data, read, write
from gleanner.types import Sentence, Span

TEXT = "Ada Lovelace lived in London. So did Dr. Hooke.\n\nLONDON is large."
TERMS = "PER\tAda Lovelace\nLOC\tLondon\nPER\tHooke\n"


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "terms.tsv").write_text(TERMS)


def phrases(path):
    return [[(s.phrase(span), span.label) for span in s.spans] for s in read(path)]


FOUND = [[("Ada Lovelace", "PER"), ("London", "LOC")], [("Hooke", "PER")], []]


def test_a_dictionary_and_a_text(gleanner, tmp_path):
    result = gleanner("annotate", "--dictionary", "terms.tsv", "--text", "a.txt", "-o", "out.jsonl")
    assert result.exit_code == 0
    assert "dictionary:terms.tsv" in result.stdout  # the report
    assert result.stderr == "3 sentences, 3 labels (PER 2, LOC 1) -> out.jsonl\n"
    assert phrases(tmp_path / "out.jsonl") == FOUND
    assert next(read(tmp_path / "out.jsonl")).spans[1].source == "dictionary:terms.tsv:2:London"


def test_several_files_after_one_option(gleanner, tmp_path):
    (tmp_path / "more.tsv").write_text("SIZE\tlarge\n")
    (tmp_path / "b.txt").write_text("A large one.")
    args = ("--dictionary", "terms.tsv", "more.tsv", "--text", "[ab].txt", "--case", "ignore")
    assert gleanner("annotate", *args, "-o", "out.jsonl").exit_code == 0
    assert phrases(tmp_path / "out.jsonl")[2:] == [[("LONDON", "LOC"), ("large", "SIZE")], [("large", "SIZE")]]


def test_words_and_labels_of_annotated_text_stay(gleanner, tmp_path):
    given = Sentence(("London", "saw", "Hooke"), (Span(0, 1, "SHIP", "hand"),), meta={"id": 1})
    write([given], tmp_path / "a.conll", "conll")
    write([given], tmp_path / "a.jsonl")
    for name in ("a.jsonl", "a.conll"):
        gleanner("annotate", "-d", "terms.tsv", "-t", name, "-o", "out.jsonl", "--force")
        assert phrases(tmp_path / "out.jsonl") == [[("London", "SHIP"), ("Hooke", "PER")]]


@pytest.mark.parametrize("options", [["--workers", 2], ["--shards", 2], ["--workers", 2, "--shards", 2]])
def test_processes_and_shards_do_not_change_the_records(gleanner, tmp_path, options):
    files = ("--dictionary", demo_data.dictionary_path(), "--text", "a.txt", "raw.txt")
    (tmp_path / "raw.txt").write_text(demo_data.raw())
    gleanner("annotate", *files, "-o", "one.jsonl")
    result = gleanner("annotate", *files, "-o", "out.jsonl.gz", *options)
    assert result.exit_code == 0
    named = "out-00000-of-00002.jsonl.gz and 1 more" if "--shards" in options else "out.jsonl.gz"
    assert result.stderr.endswith(f" -> {named}\n")
    lines = b"".join(gzip.decompress(path.read_bytes()) for path in tmp_path.glob("out*.gz")).splitlines()
    assert sorted(lines) == sorted((tmp_path / "one.jsonl").read_bytes().splitlines())


def test_a_limit_and_a_sample(gleanner, tmp_path):
    files = ("--dictionary", demo_data.dictionary_path(), "--text", "raw.txt")
    (tmp_path / "raw.txt").write_text(demo_data.raw())
    gleanner("annotate", *files, "-o", "limit.jsonl", "--limit", 5)
    gleanner("annotate", *files, "-o", "sample.jsonl", "--sample", 0.5)
    gleanner("annotate", *files, "-o", "all.jsonl")
    every = (tmp_path / "all.jsonl").read_text().splitlines()
    assert (tmp_path / "limit.jsonl").read_text().splitlines() == every[:5]
    sample = (tmp_path / "sample.jsonl").read_text().splitlines()
    assert 0.4 * len(every) < len(sample) < 0.6 * len(every)
    assert set(sample) <= set(every)


def test_a_stop_list(gleanner, tmp_path):
    (tmp_path / "stop.txt").write_text("London\n\n")
    gleanner("annotate", "-d", "terms.tsv", "-t", "a.txt", "-o", "out.jsonl", "--stop-list", "stop.txt")
    assert [("London", "LOC")] not in phrases(tmp_path / "out.jsonl")
    assert phrases(tmp_path / "out.jsonl")[0] == [("Ada Lovelace", "PER")]


def test_a_function(gleanner, tmp_path):
    (tmp_path / "rules.py").write_text(
        "import re\nfrom gleanner.gazetteer.annotator import annotator\n\n"
        "@annotator(type='TITLE')\ndef title(text):\n    yield from re.finditer(r'Dr[.]', text)\n"
    )
    result = gleanner("annotate", "--annotator", "rules.py:title", "-t", "a.txt", "-o", "out.jsonl", "--workers", 2)
    assert result.exit_code == 0, result.stderr
    assert phrases(tmp_path / "out.jsonl") == [[], [("Dr.", "TITLE")], []]


def test_a_compiled_dictionary_is_kept_until_it_changes(gleanner, tmp_path):
    kept = tmp_path / "cache" / "gleanner" / "lexicons"
    for count, change in ((1, ""), (1, ""), (2, "LOC\tParis\n")):
        (tmp_path / "terms.tsv").write_text(TERMS + change)
        gleanner("annotate", "-d", "terms.tsv", "-t", "a.txt", "-o", "out.jsonl", "--force")
        assert len(list(kept.iterdir())) == count


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (["-t", "a.txt", "-o", "o.jsonl"], "no dictionary is given"),
        (["-d", "no.tsv", "-t", "a.txt", "-o", "o.jsonl"], "no.tsv: no such file"),
        (["-d", "terms.tsv", "-t", "no.txt", "-o", "o.jsonl"], "no.txt: no such file"),
        (["-d", "terms.tsv", "-t", "a.txt", "-o", "o.conll"], "o.conll: records are written as .jsonl"),
        (["-d", "terms.tsv", "-t", "a.txt", "-o", "o.parquet.gz"], "written as .jsonl"),
        (["-d", "terms.tsv", "-t", "a.txt", "-o", "no/o.jsonl"], "make the folder first"),
        (["-d", "terms.tsv", "-t", "a.txt", "-o", "a.txt/o.jsonl"], "make the folder first"),
        (
            ["-d", "terms.tsv", "-t", "a.txt", "-o", "o.jsonl", "--report", "terms.tsv"],
            "terms.tsv: the report is a page",
        ),
        (["-d", "terms.tsv", "-t", "a.txt", "-o", "o.jsonl", "--report", "no/r.html"], "make the folder first"),
        (["-d", "terms.tsv", "-t", "a.txt", "-o", "o.jsonl", "--report", "old.html"], "old.html: the output exists"),
        (["-d", "t.jsonl", "-t", "a.txt", "-o", "t.jsonl", "-f"], "t.jsonl: the output is a file that is read, too"),
        (["-d", "terms.tsv", "-t", "a.txt", "-o", "t.jsonl", "-f", "--gold", "t.jsonl"], "is read, too"),
        (["-d", "terms.tsv", "-t", "null.txt", "-o", "o.jsonl"], "null.txt:2: a null byte"),
        (["-d", "terms.tsv", "-t", "latin.txt", "-o", "o.jsonl"], "latin.txt:1: byte 0xe9 is not UTF-8"),
        (["-d", "terms.tsv", "-t", "cut.txt.gz", "-o", "o.jsonl"], "cut.txt.gz:1: the packed file is cut off"),
    ],
)
def test_bad_input(refused, tmp_path, args, what):
    (tmp_path / "null.txt").write_bytes(b"one\ntw\0o\n")
    (tmp_path / "latin.txt").write_bytes("né\n".encode("latin-1"))
    (tmp_path / "t.jsonl").write_text('{"term": "London", "type": "LOC"}\n')
    (tmp_path / "old.html").write_text("<p>")
    (tmp_path / "cut.txt.gz").write_bytes(gzip.compress(TEXT.encode())[:-4])
    assert what in refused("annotate", *args)
    assert not (tmp_path / "o.jsonl").exists()


def test_other_settings_do_not_go_on_with_what_was_begun(gleanner, refused, tmp_path):
    (tmp_path / "z.txt").write_bytes(b"\xff")
    args = ("annotate", "-d", "terms.tsv", "-t", "a.txt", "z.txt", "-o", "out.jsonl")
    refused(*args)
    assert len((tmp_path / "out.jsonl.part").read_text().splitlines()) == 3
    assert "begun with another configuration" in refused(*args, "--case", "ignore")
    (tmp_path / "z.txt").write_text("Hooke again.")
    assert gleanner(*args).exit_code == 0
    assert phrases(tmp_path / "out.jsonl") == [*FOUND, [("Hooke", "PER")]]
    assert json.loads((tmp_path / "out.jsonl.manifest.json").read_text())["finished"]
