from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.evaluation.partial import overlaps, pair
from gleanner.evaluation.spans import SpanArrays, align


def arrays(*rows):
    return SpanArrays(*np.array(sorted(rows), dtype=np.int64).reshape(-1, 4).T)


def pairs(gold, predicted):
    return list(zip(*(rows.tolist() for rows in pair(gold, predicted)), strict=True))


def test_overlaps_share_a_word_of_the_same_sentence():
    gold = arrays((0, 0, 3, 1), (0, 5, 6, 1), (1, 0, 1, 1))
    predicted = arrays((0, 2, 4, 1), (0, 3, 5, 1), (1, 0, 9, 1))
    ours, theirs = overlaps(gold, predicted)
    assert list(zip(ours.tolist(), theirs.tolist(), strict=True)) == [(0, 0), (2, 2)]


def test_each_span_is_paired_once():
    one, two = arrays((0, 0, 4, 1)), arrays((0, 0, 1, 1), (0, 2, 4, 1))
    assert pairs(one, two) == [(0, 0)]
    assert pairs(two, one) == [(0, 0)]


def test_same_type_goes_before_same_words_and_those_before_the_rest():
    gold = arrays((0, 0, 4, 1))
    assert pairs(gold, arrays((0, 0, 2, 2), (0, 0, 4, 2), (0, 3, 4, 1))) == [(0, 2)]
    assert pairs(gold, arrays((0, 0, 2, 2), (0, 0, 4, 2))) == [(0, 1)]
    assert pairs(gold, arrays((0, 0, 2, 2), (0, 3, 6, 2))) == [(0, 0)]


def test_nothing_to_pair():
    assert pairs(arrays(), arrays()) == []
    assert pairs(arrays((0, 0, 1, 1)), arrays()) == []
    assert pairs(arrays((0, 0, 1, 1)), arrays((0, 1, 2, 1))) == []


@st.composite
def flat_spans(draw):
    """Spans that do not overlap each other."""
    cuts = sorted(draw(st.sets(st.integers(0, 12), max_size=10)))
    ranges = [(a, b) for a, b in pairwise(cuts) if draw(st.booleans())]
    return [(0, a, b, draw(st.integers(1, 2))) for a, b in ranges]


def most_pairs(edges):
    """The size of the greatest matching, by augmenting paths."""
    mate = {}

    def augment(a, seen):
        for b in edges.get(a, ()):
            if b not in seen:
                seen.add(b)
                if b not in mate or augment(mate[b], seen):
                    mate[b] = a
                    return True
        return False

    return sum(augment(a, set()) for a in edges)


@settings(max_examples=200)
@given(flat_spans(), flat_spans())
def test_flat_spans_get_the_most_pairs_of_the_same_type(gold, predicted):
    edges = {
        a: [b for b, p in enumerate(predicted) if g[3] == p[3] and g[1] < p[2] and p[1] < g[2]]
        for a, g in enumerate(gold)
    }
    same_type = [(a, b) for a, b in pairs(arrays(*gold), arrays(*predicted)) if gold[a][3] == predicted[b][3]]
    assert len(same_type) == most_pairs(edges)


any_span = st.tuples(st.integers(0, 1), st.integers(0, 5), st.integers(1, 4), st.integers(1, 2)).map(
    lambda s: (s[0], s[1], s[1] + s[2], s[3])
)


@given(st.lists(any_span, unique=True), st.lists(any_span, unique=True))
def test_overlaps_are_those_of_a_double_loop(gold, predicted):
    gold, predicted = sorted(gold), sorted(predicted)
    expected = [
        (a, b)
        for a, g in enumerate(gold)
        for b, p in enumerate(predicted)
        if g[0] == p[0] and g[1] < p[2] and p[1] < g[2]
    ]
    ours, theirs = overlaps(arrays(*gold), arrays(*predicted))
    assert list(zip(ours.tolist(), theirs.tolist(), strict=True)) == expected


@given(st.lists(any_span), st.lists(any_span))
def test_no_overlap_is_left_over(gold, predicted):
    gold, predicted = align(arrays(*gold))[0], align(arrays(*predicted))[0]
    made = pairs(gold, predicted)
    ours, theirs = {a for a, _ in made}, {b for _, b in made}
    assert len(ours) == len(theirs) == len(made)
    possible = zip(*(rows.tolist() for rows in overlaps(gold, predicted)), strict=True)
    assert all(a in ours or b in theirs for a, b in possible)
