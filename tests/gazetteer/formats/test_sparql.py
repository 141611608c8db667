import json

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.files import read_terms
from gleanner.gazetteer.term import Term

URI = "http://www.wikidata.org/entity/"


def query(names, *rows):
    """A result, a row a line: strings are literals, in English where the variable is a label."""

    def cell(name, value):
        if value.startswith("http"):
            return {"type": "uri", "value": value}
        language, _, text = value.rpartition("@")
        return {"type": "literal", "value": text} | ({"xml:lang": language} if language else {})

    lines = ",\n".join(json.dumps({n: cell(n, v) for n, v in zip(names, row, strict=True) if v}) for row in rows)
    return f'{{"head": {json.dumps({"vars": names})}, "results": {{"bindings": [\n{lines}\n]}}}}\n'


def test_items_with_aliases_of_the_label_service(written):
    name = written(
        "a.json",
        query(
            ["item", "itemLabel", "itemAltLabel", "type"],
            [f"{URI}Q18216", "en@aspirin", "en@ASA, acetylsalicylic acid", "Chemical"],
            [f"{URI}Q1", "en@Lincoln", "", "PER"],
            [f"{URI}Q2", "Q2", "", "PER"],
            ["", "", "", "PER"],
        ),
    )
    assert list(read_terms(name)) == [
        Term("aspirin", ("Chemical",), 2, "Q18216"),
        Term("ASA", ("Chemical",), 2, "Q18216"),
        Term("acetylsalicylic acid", ("Chemical",), 2, "Q18216"),
        Term("Lincoln", ("PER",), 3, "Q1"),
    ]


def test_an_alias_a_row_gives_the_name_once(written):
    rows = [
        [f"{URI}Q1", "en@aspirin", "en@ASA"],
        [f"{URI}Q1", "en@aspirin", "en@aspro"],
        [f"{URI}Q2", "en@aspirin", ""],
    ]
    name = written("a.json", query(["drug", "drugLabel", "altLabel"], *rows))
    assert [(term.text, term.id, term.line) for term in read_terms(f"{name}:Chemical")] == [
        ("aspirin", "Q1", 2),
        ("ASA", "Q1", 2),
        ("aspro", "Q1", 3),
        ("aspirin", "Q2", 4),
    ]


def test_classes_that_are_addresses_get_their_type(written):
    rows = [[f"{URI}Q1", "a", f"{URI}Q11173"], [f"{URI}Q2", "b", "http://dbpedia.org/ontology/Drug"]]
    name = written("a.json", query(["item", "itemLabel", "type"], *rows))
    assert [term.types for term in read_terms(f"{name}:Q11173=Chemical")] == [("Chemical",), ("Drug",)]


def test_languages(written, caplog):
    rows = [["de@Köln", "de@Colonia"], ["en@Cologne", ""], ["mul@Bath", "en@Aquae Sulis"], ["York", ""]]
    name = written("a.json", query(["itemLabel", "altLabel"], *rows))
    assert [term.text for term in read_terms(f"{name}:LOC,language=de")] == ["Köln", "Colonia", "Bath", "York"]
    assert "rows in other languages: 1, the first in line 3" in caplog.text
    assert len(list(read_terms(f"{name}:LOC"))) == 6


def test_variables_by_name(written):
    name = written("a.json", query(["x", "n", "k"], ["7", "a", "X"]))
    spec = f"{name}:term-column=n,type-column=k,id-column=x"
    assert list(read_terms(spec)) == [Term("a", ("X",), 2, "7")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (query(["x", "y"], ["a", "b"]), ":1: no column for the term among 'x, y'; call it"),
        (query(["itemLabel"], ["a"]), ":2: 'a' has no type"),
        (query(["itemLabel"], [" "]), ":2: an empty term"),
        ('{"head": {}, "results": {"bindings": []}}', ":1: 'vars' must be an array, not null"),
        ('{"head": {"vars": ["itemLabel"]}, "results": {"bindings": [\n3]}}', ":2: a row must be an object, not 3"),
        ('{"head": {"vars": ["itemLabel"]}, "results": {"bindings": {}}}', ":1: there must be an array here"),
        (
            '{"head": {"vars": ["itemLabel"]}, "results": {"bindings": [{"itemLabel": "a"}]}}',
            ":1: 'itemLabel' must be an object",
        ),
        (
            '{"results":\n{"bindings": []}, "head": {}}',
            ":2: 'results' before 'head'; save the result of the query again",
        ),
        (query(["itemLabel", "type"], ["a", "X"])[:-8], ":2: malformed JSON"),
    ],
)
def test_what_is_wrong(written, content, message):
    with pytest.raises(InputError) as caught:
        list(read_terms(written("a.json", content)))
    assert str(caught.value).startswith(f"a.json{message}")
