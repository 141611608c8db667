from typing import NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.model.units import Rows, SpanUnits, TokenUnits

LABELS = ("O", "A", "B")


class Row(NamedTuple):
    length: int
    core: tuple[int, int]
    complete: bool
    spans: dict[tuple[int, int], int]
    """First word and end, which may lie outside the window, to label number."""


@st.composite
def row(draw):
    length = draw(st.integers(1, 7))
    core_begin = draw(st.integers(0, length - 1))
    core = core_begin, draw(st.integers(core_begin + 1, length))
    spans = {}
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(-3, length - 1))
        end = draw(st.integers(max(start, 0) + 1, length + 3))
        if not any(start < s < end < e or s < start < e < end for s, e in spans):  # nested, but never crossing
            spans[start, end] = draw(st.integers(-1, 2))
    return Row(length, core, draw(st.booleans()), spans)


BATCH = st.lists(row(), min_size=1, max_size=4)


def arrays(batch):
    spans = [(k, *span, label) for k, row in enumerate(batch) for span, label in row.spans.items()]
    columns = np.array(spans, np.int64).reshape(-1, 4).T
    return Rows(
        length=np.array([row.length for row in batch]),
        core_begin=np.array([row.core[0] for row in batch]),
        core_end=np.array([row.core[1] for row in batch]),
        complete=np.array([row.complete for row in batch]),
        span_row=columns[0],
        span_start=columns[1],
        span_end=columns[2],
        span_label=columns[3],
        word=np.array([1000 * k for k in range(len(batch))]),
    )


def enumerated(kind, batch):
    """(row, first word, last word, label, known, weight) of each unit, words counted from the window's first."""
    units, targets = kind.enumerate(arrays(batch))
    assert units.length.tolist() == [row.length for row in batch]
    assert units.owned.tolist() == [row.core[1] - row.core[0] for row in batch]
    first = np.cumsum([0, *(row.length for row in batch)])
    columns = (units.row, units.start, units.end, *targets[:3])
    return [
        (row, start - first[row], end - first[row], *rest)
        for row, start, end, *rest in zip(*(column.tolist() for column in columns), strict=True)
    ]


def target(label, complete):
    """Label, known and weight of a unit with this annotation."""
    if label is None:
        return 0, complete, 1.0
    return max(label, 0), label >= 0, float(label >= 0)


@settings(deadline=None)
@given(BATCH, st.integers(1, 8))
def test_spans(batch, max_width):
    expected = [
        (k, start, end - 1, *target(row.spans.get((start, end)), row.complete))
        for k, row in enumerate(batch)
        for start in range(*row.core)
        for end in range(start + 1, min(start + max_width, row.length) + 1)
    ]
    assert enumerated(SpanUnits(max_width), batch) == expected


def tag(word, row, kind):
    """Label, known and weight of a word, its annotations looked at one by one."""
    covering = {span: label for span, label in row.spans.items() if span[0] <= word < span[1]}
    entities = [span for span in covering if covering[span] > 0]
    if entities:
        start, end = max(entities, key=lambda span: span[1] - span[0])
        first, last = word == start, word == end - 1
        letter = {
            "IO": "I",
            "BIO": "B" if first else "I",
            "BIOES": "S" if first and last else "B" if first else "E" if last else "I",
        }[kind.scheme]
        return kind.classes(LABELS).index(f"{letter}-{LABELS[covering[start, end]]}"), True, 1.0
    if covering:
        return target(min(covering.values()), row.complete)  # unknown beats "not an entity"
    return target(None, row.complete)


@pytest.mark.parametrize("scheme", ["IO", "BIO", "BIOES"])
@settings(deadline=None)
@given(batch=BATCH)
def test_tokens(scheme, batch):
    kind = TokenUnits(scheme)
    expected = [(k, word, word, *tag(word, row, kind)) for k, row in enumerate(batch) for word in range(*row.core)]
    assert enumerated(kind, batch) == expected


def test_spans_by_hand():
    # The second word is owned; [1, 3) is B, [1, 2) unknown, [0, 2) is not owned.
    batch = [Row(3, (1, 3), False, {(1, 3): 2, (1, 2): -1, (0, 2): 1})]
    assert enumerated(SpanUnits(2), batch) == [
        (0, 1, 1, 0, False, 0.0),
        (0, 1, 2, 2, True, 1.0),
        (0, 2, 2, 0, False, 1.0),
    ]


def test_tokens_by_hand():
    batch = [Row(5, (0, 5), False, {(0, 3): 1, (1, 2): 2, (3, 4): 0})]
    assert enumerated(TokenUnits("BIOES"), batch) == [
        (0, 0, 0, 1, True, 1.0),  # B-A
        (0, 1, 1, 2, True, 1.0),  # I-A: the nested B is lost
        (0, 2, 2, 3, True, 1.0),  # E-A
        (0, 3, 3, 0, True, 1.0),
        (0, 4, 4, 0, False, 1.0),
    ]


def test_classes():
    assert SpanUnits(3).classes(LABELS) == LABELS
    assert TokenUnits("IO").classes(LABELS) == ("O", "I-A", "I-B")
    assert TokenUnits("BIOES").classes(LABELS)[:5] == ("O", "B-A", "I-A", "E-A", "S-A")


@given(BATCH)
def test_places_are_numbers_in_the_corpus(batch):
    rows = arrays(batch)
    first = torch.tensor(rows.first_word)
    units, _ = TokenUnits("BIO").enumerate(rows)
    assert units.place.tolist() == (1000 * units.row + units.start - first[units.row]).tolist()
    units, _ = SpanUnits(3).enumerate(rows)
    word = 1000 * units.row + units.start - first[units.row]
    assert units.place.tolist() == (3 * word + units.end - units.start).tolist()
