import json
import logging

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.files import read_terms
from gleanner.gazetteer.term import Term


def patterns(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def test_letters_and_their_case_rules(written):
    name = written(
        "a.jsonl",
        patterns(
            {"label": "ORG", "pattern": "Apple Inc.", "id": "apple"},
            {"label": "GPE", "pattern": [{"LOWER": "san"}, {"lower": "francisco"}], "id": 7},
            {"label": "ORG", "pattern": [{"ORTH": "US"}, {"TEXT": "Steel"}]},
            {"label": "X", "pattern": [{"LOWER": "route"}, {"ORTH": "66"}]},
            {"label": "?", "pattern": [{"ORTH": "66"}]},
        ),
    )
    assert list(read_terms(name)) == [
        Term("Apple Inc.", ("ORG",), 1, "apple"),
        Term("san francisco", ("GPE",), 2, "7", case="ignore"),
        Term("US Steel", ("ORG",), 3, case="exact"),
        Term("route 66", ("X",), 4, case="ignore"),
        Term("66", (), 5, case="exact"),
    ]
    assert next(read_terms("a.jsonl:case=acronym")).case == "acronym"


@pytest.mark.parametrize(
    ("words", "together"),
    [
        (["covid", "-", "19"], "covid-19"),
        (["newton", "'s", "prism"], "newton's prism"),
        (["do", "n't", "panic"], "don't panic"),
        (["tumor", "(", "benign", ")"], "tumor (benign)"),
        (["yahoo", "!"], "yahoo!"),
    ],
)
def test_tokens_that_may_stand_together(written, words, together):
    name = written("a.jsonl", patterns({"label": "X", "pattern": [{"LOWER": word} for word in words], "id": "i"}))
    assert [(term.text, term.id) for term in read_terms(name)] == [(together, "i"), (" ".join(words), "i")]


@pytest.mark.parametrize(
    "pattern",
    [
        [{"POS": "NOUN"}],
        [{"LOWER": "a", "OP": "?"}],
        [{"LOWER": {"IN": ["a", "b"]}}],
        [{"TEXT": {"REGEX": "a+"}}],
        [{"LOWER": "a"}, {}],
        [{"LOWER": "a"}, {"ORTH": "B"}],
    ],
)
def test_what_is_more_than_letters_is_passed_over(written, caplog, pattern):
    name = written("a.jsonl", patterns({"label": "X", "pattern": "a"}, {"label": "X", "pattern": pattern}))
    with caplog.at_level(logging.WARNING):
        assert [term.text for term in read_terms(name)] == ["a"]
    assert "patterns that are more than letters: 1, the first in line 2" in caplog.text


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"label": "X"}, "no 'pattern' among the keys 'label'"),
        ({"pattern": "a"}, "no 'label' among the keys 'pattern'"),
        ({"label": 3, "pattern": "a"}, "'label' must be a string, not 3"),
        ({"label": "X", "pattern": 3}, "'pattern' must be an array, not 3"),
        ({"label": "X", "pattern": ["a"]}, 'a token must be an object, not "a"'),
        ({"label": "X", "pattern": []}, "an empty term"),
        ({"label": "X", "pattern": " "}, "an empty term"),
        ({"label": "", "pattern": "a"}, "an empty type"),
    ],
)
def test_what_is_wrong(written, record, message):
    name = written("a.jsonl", patterns({"label": "X", "pattern": "a"}, record))
    with pytest.raises(InputError) as caught:
        list(read_terms(name))
    assert str(caught.value).startswith(f"{name}:2: {message}")


def test_spacy_finds_the_same(written):
    spacy = pytest.importorskip("spacy")
    records = [
        {"label": "GPE", "pattern": [{"LOWER": "san"}, {"LOWER": "francisco"}]},
        {"label": "X", "pattern": [{"LOWER": "anti"}, {"ORTH": "-"}, {"LOWER": "hiv"}]},
        {"label": "ORG", "pattern": [{"TEXT": "US"}, {"TEXT": "Steel"}]},
    ]
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").add_patterns(records)
    for term in read_terms(written("a.jsonl", patterns(*records))):
        expected = [(term.text.upper(), *term.types)] if term.case == "ignore" else []
        for text, entities in ((term.text, [(term.text, *term.types)]), (term.text.upper(), expected)):
            if text != term.text or term.case:
                assert [(entity.text, entity.label_) for entity in nlp(f"In {text} it rained").ents] == entities
