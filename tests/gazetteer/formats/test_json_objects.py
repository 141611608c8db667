"""The formats json and jsonl."""

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.files import read_terms
from gleanner.gazetteer.term import Term

OBJECT = '{"term": "aspirin", "types": ["Chemical", "Drug"], "id": 7, "aliases": ["ASA", "a;b"], "weight": 2, "case": "exact"}'
TERMS = [Term(text, ("Chemical", "Drug"), 2, "7", 2.0, "exact") for text in ("aspirin", "ASA", "a;b")]


def test_objects(written):
    assert list(read_terms(written("a.json", f"[\n{OBJECT},\n" + '{"text": "Ada", "label": "PER", "id": null}]'))) == [
        *TERMS,
        Term("Ada", ("PER",), 3),
    ]
    assert list(read_terms(written("a.jsonl", f"\n{OBJECT}\n\n" + '{"name": "Ada", "type": "PER"}\n'))) == [
        *TERMS,
        Term("Ada", ("PER",), 4),
    ]


def test_types_of_terms(written):
    name = written("a.json", '{"PER": ["Ada",\n{"term": "Bob", "aliases": ["Rob"]}], "?": ["sum"],\n"Bath": "LOC"}')
    assert list(read_terms(name)) == [
        Term("Ada", ("PER",), 1),
        Term("Bob", ("PER",), 2),
        Term("Rob", ("PER",), 2),
        Term("sum", (), 2),
        Term("Bath", ("LOC",), 3),
    ]


def test_strings_have_the_type_of_the_file(written):
    name = written("a.json", '["Ada",\n"Bob"]')
    assert list(read_terms(f"{name}:PER")) == [Term("Ada", ("PER",), 1), Term("Bob", ("PER",), 2)]


def test_keys_by_name(written):
    name = written("a.jsonl", '{"nom": "Ada", "type": "PER"}\n')
    assert list(read_terms(f"{name}:term-column=nom")) == [Term("Ada", ("PER",), 1)]


def test_a_query_of_wikidata_saved_as_json(written):
    name = written(
        "a.json", '[{"item": "http://www.wikidata.org/entity/Q1", "itemLabel": "a", "itemAltLabel": "b, c"}]'
    )
    assert [(term.text, term.id) for term in read_terms(f"{name}:X")] == [("a", "Q1"), ("b", "Q1"), ("c", "Q1")]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ('{"drug": "a", "type": "X"}', "no column for the term among 'drug, type'; call it 'term'"),
        ('{"term": "a"}', "'a' has no type; write one beside it"),
        ('{"term": "a", "type": []}', "'a' has no type"),
        ('{"term": "a", "type": ["X", 3]}', "one of 'type' must be a string, not 3"),
        ('{"term": 3, "type": "X"}', "'term' must be a string, not 3"),
        ('{"term": null, "type": "X"}', "'term' must be a string, not null"),
        ('{"term": " ", "type": "X"}', "an empty term"),
        ('{"term": "a", "type": ""}', "an empty type"),
        ('{"term": "a", "type": "X", "aliases": "' + "b" * 1001 + '"}', "the alias 'bbb"),
        ('{"term": "a", "type": "X", "aliases": 3}', "'aliases' must be an array, not 3"),
        ('{"term": "a", "type": "X", "weight": "much"}', "the weight 'much' is no number"),
        ('{"term": "a", "type": "X", "case": "upper"}', "there is no case rule 'upper'"),
        ('{"term": "a\\u0000b", "type": "X"}', r"a null byte in the term 'a\x00b'"),
        ('{"term": "a\\ud83d", "type": "X"}', r"'\ud83d' is half of a surrogate pair"),
    ],
)
@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_objects_that_are_wrong(written, name, value, message):
    good = '{"term": "good", "type": "X"}'
    written(name, f"[{good},\n{value}]" if name == "a.json" else f"{good}\n{value}\n")
    with pytest.raises(InputError) as caught:
        list(read_terms(name))
    assert str(caught.value).startswith(f"{name}:2: {message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('["a"]', ":1: 'a' has no type"),
        ('{"X": ["a",\n3]}', ":2: 3 is no term; write a string, or an object with one"),
        ('{"a": "X",\n"b": 3}', ":2: the type of 'b' must be a string, not 3"),
        ('"a"', ":1: there must be an array here"),
        ('["a"', ":1: 'a' has no type"),
        ('{"X": ["a",\n', ":2: malformed JSON: Expecting value"),
        ("[\n" + "[" * 100_000, ":2: the JSON is nested too deeply"),
        ('{"X": ["a"]}\n{}', ":1: 'a' has no type"),
    ],
)
def test_files_that_are_wrong(written, content, message):
    if content.endswith("{}"):
        message = ":2: malformed JSON: something follows the end"
    with pytest.raises(InputError) as caught:
        list(read_terms(f"{written('a.json', content)}:format=json"))
    assert str(caught.value).startswith(f"a.json{message}")


def test_jsonl_nested_too_deeply(written):
    with pytest.raises(InputError, match=r"a\.jsonl:2: .*recursion"):
        list(read_terms(written("a.jsonl", '{"term": "a", "type": "X"}\n{"term": ' + "[" * 100_000)))
