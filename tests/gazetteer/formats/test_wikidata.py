import bz2
import gzip
import json

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.files import read_terms
from gleanner.gazetteer.term import Term


def item(number, classes, labels=(), aliases=(), rank="normal"):
    statements = [
        {
            "mainsnak": {"snaktype": "value", "property": "P31", "datavalue": {"value": {"id": name}, "type": "x"}},
            "type": "statement",
            "rank": rank,
        }
        for name in classes
    ]
    unknown = {"mainsnak": {"snaktype": "somevalue", "property": "P31"}, "type": "statement", "rank": "normal"}
    named = {language: {"language": language, "value": value} for language, value in labels}
    others: dict = {}
    for language, value in aliases:
        others.setdefault(language, []).append({"language": language, "value": value})
    return json.dumps(
        {
            "type": "item",
            "id": f"Q{number}",
            "labels": named or [],  # so the dumps write an object without members
            "aliases": others or [],
            "claims": {"P31": [unknown, *statements], "P279": []},
        }
    )


DUMP = "[\n{}\n]\n".format(
    ",\n".join(
        [
            item(
                1, ["Q12140"], [("en", "aspirin"), ("de", "Aspirin")], [("en", "ASA"), ("en", "aspirin"), ("de", "ASS")]
            ),
            item(2, ["Q5"], [("en", "Ada")]),
            item(3, ["Q12140", "Q12136"], [("de", "Skorbut"), ("mul", "Scorbutus")]),
            item(4, ["Q12140"]),
            item(5, ["Q12140"], [("en", "old")], rank="deprecated"),
            item(6, ["Q121400"], [("en", "no")]),
            item(7, [], [("en", "Q12140")]),
        ]
    )
)
CLASSES = "Q12140=Chemical,Q12136=Disease"


@pytest.mark.parametrize(
    ("name", "pack"), [("a.json", bytes), ("a.json.gz", gzip.compress), ("a.json.bz2", bz2.compress)]
)
def test_instances_of_the_classes_with_their_names(written, caplog, name, pack):
    written(name, pack(DUMP.encode()))
    assert list(read_terms(f"{name}:{CLASSES}")) == [
        Term("aspirin", ("Chemical",), 2, "Q1"),
        Term("ASA", ("Chemical",), 2, "Q1"),
        Term("Scorbutus", ("Chemical", "Disease"), 4, "Q3"),
    ]
    assert "items without a name in en: 1, the first in line 5" in caplog.text


def test_languages_and_case(written):
    terms = list(read_terms(f"{written('a.json', DUMP)}:{CLASSES},language=de|en,case=acronym"))
    names = ["Aspirin", "aspirin", "ASS", "ASA", "Skorbut", "Scorbutus"]
    assert [(term.text, term.case) for term in terms] == [(name, "acronym") for name in names]


def test_a_dump_without_brackets(written):
    name = written("a.ndjson", "".join(line + "\n" for line in DUMP.replace(",\n", "\n").splitlines()[1:-1]))
    assert next(read_terms(f"{name}:{CLASSES}")) == Term("aspirin", ("Chemical",), 1, "Q1")


def test_a_dump_of_one_line_is_not_cut_apart(written):
    line = item(1, ["Q5"], [("en", "Ada")])
    assert [term.text for term in read_terms(f"{written('a.json', f'[{line}]')}:Q5=PER")] == ["Ada"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}", ":1: this is no entity of Wikidata; check that the file is a dump of entities as JSON"),
        ('{"claims": {"P31": [3]}, "x": "Q5"}', ":1: this is no entity of Wikidata"),
        ('{"id": "Q5",', ":1: malformed JSON at column"),
        ('[\n"Q5"\n]', ":2: the line must be an object"),
    ],
)
def test_what_is_wrong(written, content, message):
    content = content.replace("{}", '{"id": "Q5"}')
    with pytest.raises(InputError) as caught:
        list(read_terms(f"{written('a.json', content)}:format=wikidata,Q5=PER"))
    assert str(caught.value).startswith(f"a.json{message}")


def test_classes_must_be_said(written):
    with pytest.raises(
        InputError, match=r"a\.json: which classes of the dump are wanted is not said; .* a\.json:Q12140="
    ):
        list(read_terms(written("a.json", DUMP)))


def test_a_dump_without_such_items(written):
    with pytest.raises(InputError, match=r"a\.json: no term in it; check"):
        list(read_terms(f"{written('a.json', DUMP)}:Q42=X"))
