import unicodedata

import pytest

from gleanner.gazetteer.check.spelling import spelling
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term


def found(*terms, rules=None, limit=10):
    """Of each kind that has any: lines and notes."""
    numbered = [Term(text, types, line) for line, (text, *types) in enumerate(terms, start=1)]
    lexicon = Lexicon.compile([("a.tsv", [Term(t.text, tuple(t.types), t.line) for t in numbered])], rules or Rules())
    kinds = spelling(lexicon, limit)
    return {kind.kind.name: [(one.line, one.note) for one in kind.first] for kind in kinds if kind.total}


def test_clean_terms_have_no_finding():
    assert found(("aspirin", "Drug"), ("Bath", "LOC"), ("Newton", "PER")) == {}


def test_the_same_term_twice():
    assert found(("Bath", "LOC"), ("York", "LOC"), ("Bath", "LOC")) == {"duplicates": [(3, "LOC already in a.tsv:1")]}
    assert found(("in vitro",), ("in vitro",)) == {"duplicates": [(2, "a phrase already in a.tsv:1")]}


def test_folding_by_the_rules_makes_duplicates_of_what_is_else_nearly_the_same():
    terms = ("Aspirin", "Drug"), ("aspirin", "Drug")
    assert found(*terms) == {"nearly the same": [(2, "Drug, like 'Aspirin', Drug in a.tsv:1")]}
    assert found(*terms, rules=Rules(case="ignore")) == {"duplicates": [(2, "Drug already in a.tsv:1 as 'Aspirin'")]}


@pytest.mark.parametrize("pair", [("beta-blocker", "beta blocker"), ("Sjögren", "Sjogren"), ("ＡＢＣ", "ABC")])
def test_what_differs_little_is_nearly_the_same(pair):
    assert set(found(*((text, "X") for text in pair))) == {"nearly the same"}


def test_one_term_of_several_types():
    assert found(("Lincoln", "LOC"), ("Lincoln", "PER")) == {"conflicts": [(1, "LOC in a.tsv:1, PER in a.tsv:2")]}
    assert found(("Lincoln", "LOC", "PER")) == {"conflicts": [(1, "LOC in a.tsv:1, PER in a.tsv:1")]}


def test_a_phrase_beside_the_same_typed_term_is_as_it_should_be():
    assert found(("aspirin", "Drug"), ("aspirin",)) == {}


def test_aliases_of_one_line_are_no_duplicates():
    lexicon = Lexicon.compile([("a.tsv", [Term("Aspirin", ("Drug",), 1, "Q1"), Term("aspirin", ("Drug",), 1, "Q1")])])
    assert [kind.total for kind in spelling(lexicon, 10)] == [0, 0, 0, 0]


def test_dictionaries_are_compared_with_each_other():
    lexicon = Lexicon.compile([("a.tsv", [Term("Bath", ("LOC",), 7)]), ("b.tsv", [Term("Bath", ("LOC",), 9)])])
    (finding,) = spelling(lexicon, 10)[1].first
    assert (finding.place, finding.note) == ("b.tsv:9", "LOC already in a.tsv:7")


def test_damaged_letters_and_mixed_normal_forms():
    assert found(("SjÃ¶gren", "X"))["bad encodings"] == [(1, "'Ã¶' is probably 'ö', decoded wrongly")]
    parts = unicodedata.normalize("NFD", "Émile")
    mixed = found(("Ampère", "PER"), ("Süß", "PER"), (parts, "PER"))
    assert mixed == {"bad encodings": [(3, "in normal form NFD, while most terms are in NFC")]}
    assert found((parts, "PER")) == {}


def test_few_are_kept_and_all_are_counted():
    lexicon = Lexicon.compile([("a.tsv", [Term("Bath", ("LOC",), line) for line in range(1, 51)])])
    duplicates = spelling(lexicon, 3)[1]
    assert (duplicates.total, [finding.line for finding in duplicates.first]) == (49, [2, 3, 4])


def test_more_terms_than_are_folded_at_once(monkeypatch):
    monkeypatch.setattr("gleanner.gazetteer.bulk._AT_ONCE", 3)
    terms = [(f"term {'abcdefgh'[number]}", "X") for number in range(8)]
    assert found(*terms, terms[0]) == {"duplicates": [(9, "X already in a.tsv:1")]}
