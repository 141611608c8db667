import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.errors import InputError
from gleanner.gazetteer.annotator import Annotator
from gleanner.gazetteer.from_dictionary import DictionaryAnnotator
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.origin import Origin, alternatives, origins
from gleanner.gazetteer.passage import Label, Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term


def entry(text, *types, line=1, **fields):
    return Term(text, types, line, **fields)


def labels(text, dictionaries, *options, rules=None, **named):
    """What the dictionaries, as {name: terms}, say of a text: (phrase, type, source)."""
    lexicon = Lexicon.compile(dictionaries.items(), rules or Rules())
    (found,) = DictionaryAnnotator(lexicon, *options, **named)([Passage(text)])
    return [(text[label.start : label.end], label.type, label.source) for label in found]


def types(text, dictionaries, *options, **named):
    return [(phrase, kind) for phrase, kind, _ in labels(text, dictionaries, *options, **named)]


def test_a_label_says_which_line_of_which_file_and_which_term_it_is_from():
    terms = {"drugs.csv": [entry("aspirin", "DRUG", line=17), entry("Advil", "DRUG", line=18)]}
    assert labels("ASPIRIN helps.", terms, rules=Rules(case="ignore")) == [
        ("ASPIRIN", "DRUG", "dictionary:drugs.csv:17:aspirin")
    ]


def test_leftmost_then_longest():
    names = {"a.tsv": [entry("New York", "LOC"), entry("York University", "ORG"), entry("York", "LOC")]}
    assert types("New York University, York University", names) == [("New York", "LOC"), ("York University", "ORG")]


def test_labels_of_many_passages():
    annotator = DictionaryAnnotator(Lexicon.compile([("a.tsv", [entry("Ada", "PER", line=4)])]))
    source = "dictionary:a.tsv:4:Ada"
    assert isinstance(annotator, Annotator)
    assert annotator([]) == []
    assert annotator([Passage("no"), Passage("Ada, Ada"), Passage(""), Passage("Ada")]) == [
        [],
        [Label(0, 3, "PER", source), Label(5, 8, "PER", source)],
        [],
        [Label(0, 3, "PER", source)],
    ]


def test_everywhere_tells_what_longer_terms_hide():
    annotator = DictionaryAnnotator(Lexicon.compile([("a.tsv", [entry("York", "LOC"), entry("New York", "LOC")])]))
    (found,) = annotator.everywhere([Passage("New York")])
    assert [(label.start, label.end) for label in found] == [(0, 8), (4, 8)]


LINCOLN = {
    "places.tsv": [entry("Lincoln", "LOC", line=3)],
    "people.tsv": [entry("Lincoln", "PER", line=7), entry("Lincoln", "PER", line=9)],
    "ships.tsv": [entry("Lincoln", "SHIP", line=1)],
}
EVERY = "dictionary:places.tsv:3:Lincoln | dictionary:people.tsv:7:Lincoln | dictionary:ships.tsv:1:Lincoln"


def test_an_ambiguous_term_is_dropped_but_takes_its_words():
    names = LINCOLN | {
        "more.tsv": [entry("Abraham Lincoln", "PER"), entry("Abraham Lincoln", "LOC"), entry("Bath", "LOC")]
    }
    assert types("Abraham Lincoln in Bath.", names) == [("Abraham Lincoln", "?"), ("Bath", "LOC")]
    assert labels("Lincoln", LINCOLN) == [("Lincoln", "?", EVERY)]


def test_alternatives_are_unknown_and_all_types_are_kept():
    ((_, kind, source),) = labels("Lincoln", LINCOLN, "alternatives")
    assert kind == "?"
    assert alternatives(source) == ("LOC", "PER", "SHIP")
    assert origins(source)[1] == Origin("dictionary", "people.tsv", 7, "Lincoln")


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ((), ("LOC", "dictionary:places.tsv:3:Lincoln")),
        (("SHIP", "PER"), ("SHIP", "dictionary:ships.tsv:1:Lincoln")),
        (("ORG", "PER"), ("PER", "dictionary:people.tsv:7:Lincoln")),
        (("ORG",), ("?", EVERY)),
    ],
)
def test_priority_of_types_or_of_dictionaries(order, expected):
    assert labels("Lincoln", LINCOLN, "priority", order) == [("Lincoln", *expected)]


def test_priority_cannot_decide_where_the_first_dictionary_itself_is_ambiguous():
    first = {"a.tsv": [entry("Lincoln", "LOC", line=1), entry("Lincoln", "PER", line=2)]}
    assert types("Lincoln", first | LINCOLN, "priority") == [("Lincoln", "?")]
    assert types("Lincoln", {"a.tsv": [entry("Lincoln", "PER", "LOC")]}, "priority") == [("Lincoln", "?")]


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ({"LOC": [1.0], "PER": [1.0, 1.0]}, "PER"),
        ({"LOC": [3.0], "PER": [1.0, 1.0]}, "LOC"),
        ({"LOC": [2.0], "PER": [1.0, 1.0]}, "PER"),  # equal weight, but more entries
        ({"LOC": [1.0, 1.0], "PER": [1.5, 0.5]}, "?"),
    ],
)
def test_the_most_frequent_type_is_that_of_the_greatest_weight_then_of_the_most_entries(weights, expected):
    terms = [entry("Lincoln", kind, weight=weight) for kind, all_of_it in weights.items() for weight in all_of_it]
    assert types("Lincoln", {"a.tsv": terms}, "frequent") == [("Lincoln", expected)]


def test_a_phrase_without_a_type_is_unknown_unless_it_has_one_elsewhere():
    names = {
        "phrases.txt": [entry("renal failure", line=2), entry("aspirin", line=3)],
        "drugs.tsv": [entry("aspirin", "DRUG")],
    }
    assert labels("aspirin in renal failure", names) == [
        ("aspirin", "DRUG", "dictionary:drugs.tsv:1:aspirin"),
        ("renal failure", "?", "dictionary:phrases.txt:2:renal failure"),
    ]


def test_all_dictionaries_that_agree_are_named_each_with_its_first_line():
    names = {
        "a.tsv": [entry("aspirin", "DRUG", line=5), entry("Aspirin", "DRUG", line=8)],
        "b.tsv": [entry("ASPIRIN", "DRUG", line=2)],
    }
    (found,) = labels("aspirin", names, rules=Rules(case="ignore"))
    assert found == ("aspirin", "DRUG", "dictionary:a.tsv:5:aspirin | dictionary:b.tsv:2:ASPIRIN")


def test_terms_that_are_common_words_are_not_believed():
    names = {"a.tsv": [entry("May", "MONTH", line=5), entry("June", "MONTH", line=6)], "b.tsv": [entry("MAY", "ORG")]}
    assert labels("May, June, MAY", names, common=frozenset(["May"])) == [
        ("May", "?", "dictionary:a.tsv:5:May"),
        ("June", "MONTH", "dictionary:a.tsv:6:June"),
        ("MAY", "ORG", "dictionary:b.tsv:1:MAY"),
    ]


def test_it_can_be_pickled_after_use():
    lexicon = Lexicon.compile(LINCOLN.items())
    annotator = DictionaryAnnotator(lexicon, "priority", ("PER",), frozenset(["May"]))
    before = annotator([Passage("Lincoln")])
    assert pickle.loads(pickle.dumps(annotator))([Passage("Lincoln")]) == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("first",), "'first' is no rule for ambiguous terms; choose one of drop, priority, frequent, alternatives"),
        (("drop", ("PER",)), "an order of types (PER) with the rule 'drop'; leave it out, or choose priority"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(InputError) as caught:
        DictionaryAnnotator(Lexicon.compile([("a.tsv", [entry("Ada", "PER")])]), *options)
    assert str(caught.value) == message


word = st.sampled_from(["a", "b", "ab", "é", "東"])
terms = st.lists(
    st.builds(
        Term,
        st.lists(word, min_size=1, max_size=3).map(" ".join),
        st.lists(st.sampled_from(["PER", "LOC"]), max_size=2, unique=True).map(tuple),
        st.integers(1, 9),
    ),
    min_size=1,
    max_size=8,
)


@given(
    st.lists(word, min_size=1, max_size=12), terms, st.sampled_from(["drop", "priority", "frequent", "alternatives"])
)
def test_labels_lie_on_words_in_order_and_never_overlap(words, listed, ambiguity):
    annotator = DictionaryAnnotator(Lexicon.compile([("a.tsv", listed)]), ambiguity)
    passage = Passage(" ".join(words))
    (found,) = annotator([passage])
    sentence = passage.sentence(found)
    assert sentence.problem() is None
    assert all(before.end <= after.start for before, after in pairwise(found))
    for label in found:
        said = {kind for term in listed if term.text == passage.text[label.start : label.end] for kind in term.types}
        assert label.type in said if len(said) == 1 else label.type in {"?", *said}
        assert label.type != "?" or len(said) != 1


def test_a_file_is_no_lexicon():
    with pytest.raises(InputError, match=r"'drugs.csv' is no lexicon; write DictionaryAnnotator.read"):
        DictionaryAnnotator("drugs.csv")
