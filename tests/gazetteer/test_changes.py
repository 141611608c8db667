import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.errors import InputError
from gleanner.gazetteer.changes import Changes
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term


def compiled(**dictionaries):
    """A lexicon of dictionaries whose terms are (text, type), each on the next line; None is an empty line."""
    return Lexicon.compile(
        (name, [Term(term[0], (term[1],), line) for line, term in enumerate(terms, 1) if term])
        for name, terms in dictionaries.items()
    )


def changed(old, new, also=()):
    terms = Changes.between(old, new, also).terms
    return [terms.term(number)[0].text for number in range(len(terms))]


ADA, BATH, EXETER = ("Ada", "PER"), ("Bath", "LOC"), ("Exeter", "LOC")


def test_removed_added_and_altered_terms():
    old, new = compiled(a=[ADA, BATH]), compiled(a=[("Ada", "ORG"), BATH, EXETER])
    assert changed(old, new) == ["Ada", "Ada", "Exeter"]
    assert changed(old, old) == []


def test_lines_that_moved():
    changes = Changes.between(compiled(a=[None, ADA, BATH], b=[ADA]), compiled(a=[ADA, None, None, BATH], b=[ADA]))
    assert len(changes.terms) == 0
    assert [changes.moved["a"](line) for line in range(1, 6)] == [1, 1, 4, 4, 5]
    assert set(changes.moved) == {"a"}
    assert changes.names == {"a", "b"}


def test_a_term_that_was_moved_past_another_has_changed():
    assert changed(compiled(a=[ADA, BATH, EXETER]), compiled(a=[BATH, EXETER, ADA])) == ["Ada", "Ada"]


def test_a_dictionary_that_was_moved_past_another_has_changed():
    assert changed(compiled(a=[ADA, BATH], b=[EXETER]), compiled(b=[EXETER], a=[ADA, BATH])) == ["Exeter", "Exeter"]


def test_equal_terms_are_told_apart_by_their_order():
    assert changed(compiled(a=[ADA, ADA, BATH]), compiled(a=[ADA, BATH])) == ["Ada"]


def test_a_line_whose_terms_were_torn_apart_has_changed():
    old = Lexicon.compile([("a", [Term("Ada", ("PER",), 1), Term("Ada L.", ("PER",), 1)])])
    new = Lexicon.compile([("a", [Term("Ada", ("PER",), 1), Term("Ada L.", ("PER",), 2)])])
    assert changed(old, new) == ["Ada", "Ada L.", "Ada", "Ada L."]


def test_terms_that_changed_for_another_reason():
    assert changed(compiled(a=[ADA, BATH]), compiled(a=[ADA, BATH]), also={"Bath"}) == ["Bath", "Bath"]


def test_other_rules_change_everything():
    with pytest.raises(InputError, match="by different rules; annotate the text anew"):
        Changes.between(compiled(a=[ADA]), Lexicon.compile([("a", [])], Rules(case="ignore")))


numbers = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("XY")) | st.none(), max_size=7)


@given(numbers, numbers)
def test_terms_that_stayed_are_the_same_in_the_same_order_on_the_lines_that_are_said(before, after):
    old, new = compiled(a=before), compiled(a=after)
    changes = Changes.between(old, new)
    gone = changed(old, new)

    def stayed(lexicon):
        terms = [lexicon.term(number)[0] for number in range(len(lexicon))]
        return [term for term in terms if gone.count(term.text) == 0]

    lines = changes.moved.get("a", lambda line: line)
    assert [(t.text, t.types, lines(t.line)) for t in stayed(old)] == [(t.text, t.types, t.line) for t in stayed(new)]
