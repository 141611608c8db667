import bz2
import gzip
import json
import logging
import re
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.errors import InputError
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.files import FORMATS, detect, read_terms
from gleanner.gazetteer.term import Term

ITEM = json.dumps({"type": "item", "id": "Q1", "labels": {}, "claims": {}})
QUERY = '{"head": {"vars": ["itemLabel"]}, "results": {"bindings": []}}'


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_a_module(name):
    module = import_module(f"gleanner.gazetteer.formats.{name.replace('-', '_')}")
    assert isinstance(module.OPTIONS, frozenset)
    assert callable(module.read)


def test_the_page_shows_the_formats_and_their_options():
    page = (Path(__file__).parents[2] / "docs/dictionaries.md").read_text(encoding="utf-8")
    formats, options = page.partition("| format | path |")[2].partition("| option | formats |")[::2]
    assert re.findall(r"^\| `([a-z-]+)` \| `\.", formats, re.MULTILINE) == list(FORMATS)
    shown = {name: set() for name in FORMATS}
    for names, known in re.findall(r"^\| (`[^|]*`) \| (`[^|]*`|all) \|", options, re.MULTILINE):
        for name in FORMATS if known == "all" else re.findall("`(.*?)`", known):
            shown[name] |= set(re.findall("`(.*?)`", names)) - {"format"}
    modules = {name: import_module(f"gleanner.gazetteer.formats.{name.replace('-', '_')}") for name in FORMATS}
    assert shown == {name: set(module.OPTIONS) for name, module in modules.items()}


@pytest.mark.parametrize(
    ("name", "content", "format_"),
    [
        ("a.tsv", "PER\tAda\n", "tsv"),
        ("a.tsv", "\n\nPER\tAda\n", "tsv"),
        ("a.tsv", "Ada\n", "tsv"),
        ("a.tsv", "Term\tType\n", "table"),
        ("a.tab", "id\tname\n", "table"),
        ("a.csv", "anything", "table"),
        ("a.txt", "Ada\n", "list"),
        ("a.txt", "term, type\n", "list"),
        ("a.txt", "PER\tAda\n", "tsv"),
        ("a.TXT", "term\ttype\n", "table"),
        ("a.txt", "", "list"),
        ("a.jsonl", '{"term": "Ada", "type": "PER"}\n', "jsonl"),
        ("a.jsonl", '{"label": "PER", "pattern": "Ada"}\n', "entity-ruler"),
        ("a.ndjson", ITEM, "wikidata"),
        ("a.jsonl", "{", "jsonl"),
        ("a.json", '[{"term": "Ada", "type": "PER"}]', "json"),
        ("a.json", '{"PER": ["Ada"]}', "json"),
        ("a.json", '{\n"PER": ["Ada"]}', "json"),
        ("a.json", '{"head": ["head of state"]}', "json"),
        ("a.json", '{"a": {"type": 1},\n"b": {}}', "json"),
        ("a.json", "[]", "json"),
        ("a.json", "", "json"),
        ("a.json", QUERY, "sparql"),
        ("a.json", json.dumps(json.loads(QUERY), indent=2), "sparql"),
        ("a.json", f"[\n{ITEM},\n{ITEM}\n]\n", "wikidata"),
        ("a.json", f"{ITEM}\n{ITEM}\n", "wikidata"),
        ("a.json", '{"term": "Ada"}\n{"term": "Bob"}\n', "jsonl"),
    ],
)
@pytest.mark.parametrize("pack", [None, gzip, bz2])
def test_formats_are_told_by_ending_and_beginning(written, name, content, format_, pack):
    if pack is not None:
        name += ".gz" if pack is gzip else ".bz2"
    written(name, pack.compress(content.encode()) if pack else content)
    assert detect(DictionaryFile(Path(name))) == format_


def test_a_column_that_is_named_makes_a_table(written):
    name = written("a.tsv", "Typ\tName der Droge\nChemical\tKoffein\n")
    assert list(read_terms(f"{name}:term-column=Name der Droge,type-column=Typ")) == [Term("Koffein", ("Chemical",), 2)]


def test_an_ending_that_tells_nothing(written):
    name = written("a.dat", "PER\tAda\n")
    with pytest.raises(InputError, match=r"the ending '.dat' does not tell the format; name it as a.dat:format=NAME"):
        read_terms(name)
    assert list(read_terms("a.dat:format=tsv")) == list(read_terms(DictionaryFile(Path(name), "tsv")))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("a.tsv:format=xml", "a.tsv: there is no format 'xml'; choose one of tsv, table, list"),
        ("a.tsv:PER", "a.tsv: type says nothing about a file of the format tsv; leave it out; there are: case"),
        ("a.txt:Q5=PER", "a.txt: Q… says nothing about a file of the format list; leave it out; there are: case, type"),
        ("a.json:language=de", "a.json: language says nothing about a file of the format json"),
        (".:PER", ".: the ending '' does not tell the format"),
        ("folder.tsv", "folder.tsv: this is a folder, not a file; name a file inside it"),
        ("folder.tsv:format=list", "folder.tsv: this is a folder, not a file"),
    ],
)
def test_what_can_be_told_at_once_is_told_at_once(written, spec, message):
    written("a.tsv", "PER\tAda\n")
    written("a.txt", "Ada\n")
    written("a.json", '["Ada"]')
    Path("folder.tsv").mkdir()
    with pytest.raises(InputError) as caught:
        read_terms(spec)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.tsv", ""),
        ("a.tsv", "\r\n \n"),
        ("a.tsv", b"\xef\xbb\xbf"),
        ("a.csv", ""),
        ("a.csv", "term,type\n\n,,\n"),
        ("a.txt", "\n\n"),
        ("a.jsonl", "\n"),
        ("a.json", ""),
        ("a.json", "[]"),
        ("a.json", "{}"),
        ("a.json", '{"PER": []}'),
        ("a.json", QUERY),
        ("a.tsv.gz", gzip.compress(b"", mtime=0)),
    ],
)
def test_a_dictionary_without_a_term(written, name, content):
    with pytest.raises(InputError) as caught:
        list(read_terms(written(name, content)))
    assert str(caught.value) == f"{name}: no term in it; check that it is the right file"


def test_what_was_passed_over_is_said(written, caplog):
    name = written("a.jsonl", '{"label": "A", "pattern": [{"POS": "NOUN"}]}\n{"label": "A", "pattern": "b"}\n')
    with caplog.at_level(logging.WARNING):
        assert len(list(read_terms(name))) == 1
    assert caplog.messages == ["a.jsonl: passed over were patterns that are more than letters: 1, the first in line 1"]
    written(name, '\n{"label": "A", "pattern": [{"POS": "NOUN"}]}\n')
    with pytest.raises(
        InputError, match=r"no term in it, only patterns that are more than letters: 1, the first in line 2"
    ):
        list(read_terms(name))


@pytest.mark.parametrize("name", ["a.tsv", "a.csv", "a.txt", "a.jsonl", "a.json"])
def test_errors_of_the_bytes_have_their_line(written, name):
    good = {"csv": b"term,type\n", "tsv": b"PER\tAda\n", "json": b'["Ada",\n'}.get(name[2:], b'{"a":"Ada"}\n')
    for bad, what in ((b"K\xf6ln", "byte 0xf6 is not UTF-8"), (b"K\0ln", "a null byte")):
        with pytest.raises(InputError) as caught:
            list(read_terms(written(name, good + bad)))
        assert str(caught.value).startswith(f"{name}:2: {what}")
    with pytest.raises(InputError, match=r"the packed file is cut off or corrupt"):
        list(read_terms(written(f"{name}.gz", gzip.compress(good)[:-2])))


def test_terms_stream(written):
    name = written("a.tsv", b"PER\tAda\n" * 300_000 + b"\xff")
    terms = read_terms(name)
    assert next(terms) == Term("Ada", ("PER",), 1)
    with pytest.raises(InputError, match=r"a\.tsv:300001: byte 0xff"):
        list(terms)


SAMPLES = {
    "tsv": b"PER\tAda\nLOC\tBath\n",
    "table": b'term,type,aliases,weight,case\n"Ada",PER,A|B,1,exact\n',
    "list": b"Ada\nBath\n",
    "json": b'[{"term": "Ada", "type": "PER", "weight": 1, "id": null}, {"term": "b", "type": ["X"]}]',
    "jsonl": b'{"term": "Ada", "types": ["PER"], "aliases": ["A"], "case": "exact"}\n',
    "entity-ruler": b'{"label": "A", "pattern": [{"LOWER": "b"}, {"ORTH": "-"}], "id": "c"}\n',
    "sparql": b'{"head": {"vars": ["item", "itemLabel"]}, "results": {"bindings": ['
    b'{"item": {"type": "uri", "value": "x"}, "itemLabel": {"xml:lang": "en", "value": "Ada"}}]}}',
    "wikidata": b'{"id": "Q1", "labels": {"en": {"value": "Ada"}}, "aliases": {"en": [{"value": "A"}]}, "claims": {"P31": '
    b'[{"rank": "normal", "mainsnak": {"snaktype": "value", "datavalue": {"value": {"id": "Q5"}}}}]}}\n',
}
PIECES = [
    b"",
    b"[",
    b"]",
    b"{",
    b"}",
    b'"',
    b"1",
    b"null",
    b"true",
    b":",
    b",",
    b"\t",
    b"\n",
    b"|",
    b"?",
    b"\xff",
    b"\0",
    b'"Q5"',
]


@pytest.mark.parametrize("name", FORMATS)
@given(st.data())
def test_whatever_is_broken_is_an_error_of_the_input(tmp_path_factory, name, data):
    content = SAMPLES[name]
    for _ in range(data.draw(st.integers(0, 3))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(start + 20, len(content))))
        content = content[:start] + data.draw(st.sampled_from(PIECES)) + content[end:]
    path = tmp_path_factory.mktemp("broken") / "a.dat"
    path.write_bytes(content)
    types = ("X",) if name in ("list", "json", "table") else None
    classes = {"Q5": "PER"} if name in ("wikidata", "sparql") else {}
    try:
        terms = list(read_terms(DictionaryFile(path, name, types=types, classes=classes)))
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert all(isinstance(term.text, str) and term.text.strip() == term.text != "" for term in terms)
        assert all(isinstance(type_, str) and type_ for term in terms for type_ in term.types)
        assert all(isinstance(term.id, str) for term in terms)
