import numpy as np

from gleanner.evaluation.spans import SpanArrays, align, flatten, number_rows
from gleanner.types import NOT_ENTITY, UNKNOWN


def rows(spans):
    return list(
        zip(*(column.tolist() for column in (spans.sentence, spans.start, spans.end, spans.label)), strict=True)
    )


def test_flatten_keeps_every_span_in_order(build):
    sentences = [build("a b", (1, 2, "X"), (0, 1, NOT_ENTITY)), build("c"), build("d", (0, 1, UNKNOWN))]
    flat = flatten(sentences, {NOT_ENTITY: 0, UNKNOWN: 1, "X": 2})
    assert rows(flat) == [(0, 1, 2, 2), (0, 0, 1, 0), (2, 0, 1, 1)]
    assert len(flat) == 3
    assert all(column.dtype == np.int64 for column in (flat.sentence, flat.start, flat.end, flat.label))


def test_flatten_nothing(build):
    assert rows(flatten([build("a")], {})) == []


def test_number_rows_is_dense_and_ascending():
    numbers, examples = number_rows(np.array([3, 1, 3, 1]), np.array([0, 9, 0, 8]))
    assert numbers.tolist() == [2, 1, 2, 0]
    assert numbers[examples].tolist() == [0, 1, 2]


def test_align_says_who_has_which():
    a = SpanArrays(*np.array([[1, 0, 1, 4], [0, 0, 1, 4], [0, 0, 1, 4]]).T)
    b = SpanArrays(*np.array([[0, 0, 1, 5], [1, 0, 1, 4]]).T)
    spans, present = align(a, b)
    assert rows(spans) == [(0, 0, 1, 4), (0, 0, 1, 5), (1, 0, 1, 4)]
    assert present.tolist() == [[True, False, True], [False, True, True]]


def test_untyped_and_selection():
    spans = SpanArrays(*np.array([[1, 0, 1, 4], [2, 0, 1, 5]]).T)
    assert rows(spans.untyped()) == [(1, 0, 1, 0), (2, 0, 1, 0)]
    assert rows(spans[np.array([False, True])]) == [(2, 0, 1, 5)]
