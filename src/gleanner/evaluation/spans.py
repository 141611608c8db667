"""Spans of many sentences as flat integer arrays, so that nothing after this file loops over spans in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from gleanner.types import Sentence

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SpanArrays:
    """One row a span: its sentence, first word, end (exclusive) and label, all counted from 0."""

    sentence: Ints
    start: Ints
    end: Ints
    label: Ints

    def __len__(self) -> int:
        return len(self.sentence)

    def __getitem__(self, rows: Ints | Bools) -> SpanArrays:
        """The rows that an index array or a mask selects."""
        return SpanArrays(self.sentence[rows], self.start[rows], self.end[rows], self.label[rows])

    def untyped(self) -> SpanArrays:
        """The same spans, all with label 0."""
        return SpanArrays(self.sentence, self.start, self.end, np.zeros_like(self.label))


def flatten(sentences: Sequence[Sentence], numbers: Mapping[str, int]) -> SpanArrays:
    """Every span of the sentences, explicit non-entities and unknowns included; `numbers` gives labels their numbers.

    >>> from gleanner.types import Span
    >>> arrays = flatten([Sentence(("Hi",)), Sentence(("Ada", "L."), (Span(0, 2, "PER"),))], {"PER": 7})
    >>> arrays.sentence.tolist(), arrays.start.tolist(), arrays.end.tolist(), arrays.label.tolist()
    ([1], [0], [2], [7])
    """
    spans = [span for sentence in sentences for span in sentence.spans]
    in_sentence = np.fromiter((len(sentence.spans) for sentence in sentences), np.int64, len(sentences))
    return SpanArrays(
        sentence=np.repeat(np.arange(len(sentences), dtype=np.int64), in_sentence),
        start=np.fromiter(map(attrgetter("start"), spans), np.int64, len(spans)),
        end=np.fromiter(map(attrgetter("end"), spans), np.int64, len(spans)),
        label=np.fromiter(map(numbers.__getitem__, map(attrgetter("label"), spans)), np.int64, len(spans)),
    )


def number_rows(*columns: Ints) -> tuple[Ints, Ints]:
    """Number the distinct rows of a table in ascending order: the number of each row, and for each number one such row.

    >>> numbers, examples = number_rows(np.array([5, 2, 5]), np.array([1, 1, 1]))
    >>> numbers.tolist(), examples.tolist()
    ([1, 0, 1], [1, 0])
    """
    order = np.lexsort(columns[::-1])  # no arithmetic on the columns, so nothing can overflow
    new = np.zeros(len(order), dtype=np.bool_)
    new[:1] = True
    for column in columns:
        ordered = column[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.cumsum(new) - 1
    return numbers, order[new]


def align(*sides: SpanArrays) -> tuple[SpanArrays, Bools]:
    """The distinct spans of several sets in ascending order, and which set has which: an array of sides x spans."""
    everything = SpanArrays(
        np.concatenate([side.sentence for side in sides]),
        np.concatenate([side.start for side in sides]),
        np.concatenate([side.end for side in sides]),
        np.concatenate([side.label for side in sides]),
    )
    numbers, examples = number_rows(everything.sentence, everything.start, everything.end, everything.label)
    present = np.zeros((len(sides), len(examples)), dtype=np.bool_)
    side_of_row = np.repeat(np.arange(len(sides)), [len(side) for side in sides])
    present[side_of_row, numbers] = True
    return everything[examples], present
