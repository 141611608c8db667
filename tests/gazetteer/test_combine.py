import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.errors import InputError
from gleanner.gazetteer.annotator import Annotator, annotator, flat
from gleanner.gazetteer.combine import Combined, Precision, by_priority, by_vote, precisions
from gleanner.gazetteer.from_dictionary import DictionaryAnnotator
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.origin import alternatives, origins
from gleanner.gazetteer.passage import Label, Passage
from gleanner.gazetteer.term import Term
from gleanner.types import NOT_ENTITY, UNKNOWN, Sentence, Span

EVEN = [Precision({}, 1.0)] * 9


def said(*annotators):
    """Labels of annotators a, b, ..., each as (start, end, type)."""
    return [
        [Label(start, end, kind, f"rule:{name}") for start, end, kind in labels]
        for name, labels in zip("abcdefghi", annotators, strict=False)
    ]


def brief(labels):
    return [
        (label.start, label.end, label.type, "".join(origin.name for origin in origins(label.source)))
        for label in labels
    ]


def test_by_priority_the_first_wins_and_later_ones_fill():
    given = said([(4, 7, "PER")], [(0, 5, "ORG"), (8, 9, "LOC")], [(0, 3, "ORG"), (8, 12, "ORG")])
    assert brief(by_priority(given)) == [(0, 3, "ORG", "c"), (4, 7, "PER", "a"), (8, 9, "LOC", "b")]


def test_all_that_agree_are_named_and_those_that_do_not_are_not():
    given = said([(0, 3, "PER")], [(0, 3, "LOC")], [(0, 3, "PER")], [(0, 3, UNKNOWN)])
    assert brief(by_priority(given)) == [(0, 3, "PER", "ac")]
    assert brief(by_vote(given, EVEN)) == [(0, 3, "PER", "ac")]


def test_by_priority_a_type_replaces_an_unknown_of_the_same_words_only():
    given = said([(0, 3, UNKNOWN), (4, 7, UNKNOWN)], [(0, 3, "PER"), (4, 9, "LOC")])
    assert brief(by_priority(given)) == [(0, 3, "PER", "b"), (4, 7, UNKNOWN, "a")]


def test_by_priority_an_o_is_an_answer():
    assert brief(by_priority(said([(0, 3, NOT_ENTITY)], [(0, 3, "PER")]))) == [(0, 3, NOT_ENTITY, "a")]


def test_by_vote_the_greatest_weight_wins():
    given = said([(0, 9, "ORG")], [(0, 3, "LOC")], [(0, 3, "LOC"), (4, 9, "PER")])
    (first, second) = by_vote(given, EVEN)
    assert brief([first, second]) == [(0, 3, "LOC", "bc"), (4, 9, "PER", "c")]
    assert (first.score, second.score) == (2 / 3, 1 / 2)
    sure = [Precision({"ORG": 0.9}, 0.5), Precision({}, 0.4), Precision({}, 0.4)]
    assert brief(by_vote(given, sure)) == [(0, 9, "ORG", "a")]


def test_by_vote_of_equal_sums_the_longer_wins_then_the_one_further_left():
    assert brief(by_vote(said([(4, 9, "ORG")], [(0, 5, "LOC")], [(2, 5, "PER")]), EVEN)) == [(0, 5, "LOC", "b")]


def test_by_vote_two_types_of_equal_weight_leave_the_words_unknown_with_both_as_alternatives():
    (found,) = by_vote(said([(0, 3, "PER")], [(0, 3, "LOC")], [(0, 2, "PER")]), EVEN)
    assert brief([found]) == [(0, 3, UNKNOWN, "ba")]
    assert alternatives(found.source) == ("LOC", "PER")
    assert found.score is None


def test_by_vote_an_unknown_is_no_opinion():
    given = said([(0, 9, UNKNOWN), (10, 12, UNKNOWN)], [(0, 9, UNKNOWN)], [(0, 3, "PER")])
    found = by_vote(given, EVEN)
    assert brief(found) == [(0, 3, "PER", "c"), (10, 12, UNKNOWN, "a")]
    assert [label.score for label in found] == [1.0, None]


def test_alternatives_of_several_are_joined():
    labels = [
        [Label(0, 3, UNKNOWN, f"alternatives:{types} | rule:{name}")] for name, types in (("a", "X:Y"), ("b", "Y:Z"))
    ]
    (found,) = by_priority(labels)
    assert found.source == "alternatives:X:Y:Z | rule:a | rule:b"
    assert by_vote(labels, EVEN) == [found]


def test_several_annotators_are_one():
    names = DictionaryAnnotator(Lexicon.compile([("names.tsv", [Term("Ada", ("PER",), 1)])]))
    rule = annotator(lambda text: [(0, 3, "PER"), (4, 7, "VERB")])
    both = Combined((rule, names))
    assert isinstance(both, Annotator)
    assert both.name == "<lambda> > names.tsv"
    assert brief(both([Passage("Ada ran")])[0]) == [(0, 3, "PER", "<lambda>names.tsv"), (4, 7, "VERB", "<lambda>")]
    assert both([]) == []
    assert Combined((names,))([Passage("Ada ran")]) == names([Passage("Ada ran")])
    alone = pickle.loads(pickle.dumps(Combined((names, names), "vote")))
    assert brief(alone([Passage("Ada ran")])[0]) == [(0, 3, "PER", "names.tsv")]


def test_wrong_combinations():
    with pytest.raises(InputError, match="no annotator is given; give a dictionary or a rule"):
        Combined(())
    with pytest.raises(InputError, match="1 weights for 2 annotators; give one for each"):
        Combined((annotator(lambda text: []),) * 2, "vote", EVEN[:1])


def test_precision_is_counted_by_type_and_never_certain():
    gold = [
        Sentence(("Ada", "met", "Lee"), (Span(0, 1, "PER"), Span(2, 3, "LOC")), complete=True),
        Sentence(("Bob", "met", "Kim"), (Span(0, 1, "PER"),), complete=True),
    ]
    first = annotator(lambda text: [(0, 3, "PER"), (4, 7, UNKNOWN), (8, 11, "PER")])
    # Right twice, wrong twice: (2 + 1) / (4 + 2).
    assert precisions([first, annotator(lambda text: [])], gold) == [Precision({"PER": 0.5}, 0.5), Precision({}, 0.5)]


def test_in_an_incomplete_sample_only_what_is_listed_judges():
    sentence = Sentence(("Ada", "met", "Lee", "at", "sea"), (Span(0, 1, "PER"), Span(2, 3, "?"), Span(3, 5, "O")))
    rule = annotator(lambda text: [(0, 3, "PER"), (4, 7, "PER"), (8, 11, "PER"), (15, 18, "LOC")])
    assert precisions([rule], [sentence]) == [Precision({"LOC": 1 / 3, "PER": 2 / 3}, 0.5)]


edges = st.tuples(st.integers(0, 9), st.integers(1, 4)).map(lambda pair: (pair[0], pair[0] + pair[1]))
label = st.builds(
    lambda place, kind, name, score: Label(*place, kind, f"rule:{name}", score),
    edges,
    st.sampled_from(["PER", "LOC", NOT_ENTITY, UNKNOWN]),
    st.sampled_from("ab"),
    st.none() | st.floats(0, 1),
)
opinions = st.lists(st.lists(label, max_size=6).map(flat), min_size=1, max_size=4)
weights = st.lists(
    st.builds(Precision, st.dictionaries(st.sampled_from(["PER", "LOC"]), st.floats(0, 1)), st.floats(0, 1)),
    min_size=4,
    max_size=4,
)


@given(opinions, weights)
def test_no_two_labels_overlap_and_each_was_given_by_those_that_it_names(given, weights):
    for found in (by_priority(given), by_vote(given, weights[: len(given)])):
        assert all(before.end <= after.start for before, after in pairwise(found))
        everything = [label for labels in given for label in labels]
        for label in found:
            on_it = [other for other in everything if (other.start, other.end) == (label.start, label.end)]
            agreeing = [other for other in on_it if other.type == label.type] or on_it  # or a tie of all of them
            assert {origin.name for origin in origins(label.source)} <= {
                other.source.removeprefix("rule:") for other in on_it
            }
            assert agreeing
        # What nothing was chosen for overlaps something that was.
        assert all(any(l.start < k.end and k.start < l.end for k in found) for l in everything)  # noqa: E741


@given(opinions)
def test_by_priority_all_that_the_first_knows_stands(given):
    found = {(label.start, label.end, label.type) for label in by_priority(given)}
    assert found >= {(label.start, label.end, label.type) for label in given[0] if label.type != UNKNOWN}
