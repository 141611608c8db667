"""What is classified: words or candidate spans. All of a batch's units stand in flat arrays; there is no span matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gleanner.model.choices import Scheme
from gleanner.model.vocabulary import Longs, ranges


class Units(NamedTuple):
    """The candidates of a batch, in the order of its rows."""

    row: Tensor  # units: the batch's row
    start: Tensor  # units: first word, as an index into the batch's flat words
    end: Tensor  # units: last word, likewise
    owned: Tensor  # rows: the words that the row owns, the paper's n
    length: Tensor  # rows: all words of the row
    place: Tensor  # units: the unit's number in the corpus, by which a table of the whole corpus is read


class Targets(NamedTuple):
    """What the annotation says of each unit."""

    label: Tensor  # units: class number; 0 is "not an entity" or silence
    known: Tensor  # units, bool: whether somebody said so; False is silence whose meaning is unknown
    weight: Tensor  # units: 0 where no method may use the unit, else 1
    table: Tensor | None = None  # units, columns: what the stage's refresh last found of each unit


class Rows(NamedTuple):
    """The windows of a batch and the annotations in them, as flat arrays."""

    length: Longs  # rows: words
    core_begin: Longs  # rows: first owned word
    core_end: Longs  # rows: one past the last owned word
    complete: NDArray[np.bool_]  # rows: whether silence means "not an entity"
    span_row: Longs  # spans of which at least one word is in the row
    span_start: Longs  # spans: first word in the row; negative where the span begins before the window
    span_end: Longs  # spans: one past the last word in the row
    span_label: Longs  # spans: label number; 0 is "not an entity", -1 is unknown
    word: Longs  # rows: the number in the corpus of the row's first word

    @property
    def first_word(self) -> Longs:
        """For each row the index of its first word among the batch's flat words."""
        return np.cumsum(self.length) - self.length


class UnitKind(Protocol):
    """How a batch's rows become units, and how annotations become targets."""

    @property
    def places(self) -> int:
        """How many units a word can begin."""
        ...

    def classes(self, labels: Sequence[str]) -> tuple[str, ...]:
        """The names of what a head scores, given `O` and the types; the first is `O`."""
        ...

    def enumerate(self, rows: Rows) -> tuple[Units, Targets]:
        """All units that the rows own, and what is known of them."""
        ...


@dataclass(frozen=True)
class SpanUnits:
    """Every span of at most `max_width` words that begins at a word the row owns. A class is a type."""

    max_width: int

    @property
    def places(self) -> int:
        """One for each width."""
        return self.max_width

    def classes(self, labels: Sequence[str]) -> tuple[str, ...]:
        """The labels themselves."""
        return tuple(labels)

    def enumerate(self, rows: Rows) -> tuple[Units, Targets]:
        """Ordered by row, first word, width."""
        owned = rows.core_end - rows.core_begin
        first_word = rows.first_word
        word = ranges(first_word + rows.core_begin, owned)  # owned words: index among the flat words
        word_row = np.repeat(np.arange(len(owned)), owned)
        room = (first_word + rows.length)[word_row] - word  # owned words: words from here to the end of the row
        widths = np.minimum(room, self.max_width)
        before = np.cumsum(widths) - widths  # owned words: units before
        start = np.repeat(word, widths)
        end = ranges(word, widths)
        row = np.repeat(word_row, widths)
        place = ranges((word + (rows.word - first_word)[word_row]) * self.max_width, widths)

        label = np.zeros(len(row), np.int64)
        known = np.repeat(rows.complete[word_row], widths)
        weight = np.ones(len(row), np.float32)
        width = rows.span_end - rows.span_start
        fits = (rows.span_start >= rows.core_begin[rows.span_row]) & (rows.span_start < rows.core_end[rows.span_row])
        fits &= (width <= self.max_width) & (rows.span_end <= rows.length[rows.span_row])
        span_row = rows.span_row[fits]
        owned_before = np.cumsum(owned) - owned
        first = owned_before[span_row] + rows.span_start[fits] - rows.core_begin[span_row]  # index of the owned word
        unit = before[first] + width[fits] - 1
        value = rows.span_label[fits]
        label[unit] = np.maximum(value, 0)
        known[unit] = value >= 0
        weight[unit[value < 0]] = 0.0
        return _tensors(rows, row, start, end, place, label, known, weight)


@dataclass(frozen=True)
class TokenUnits:
    """Every word that the row owns. A class is a tag of the scheme."""

    scheme: Scheme

    @property
    def places(self) -> int:
        """One: itself."""
        return 1

    def classes(self, labels: Sequence[str]) -> tuple[str, ...]:
        """`O`, then the scheme's tags of each type.

        >>> TokenUnits("BIO").classes(["O", "LOC"])
        ('O', 'B-LOC', 'I-LOC')
        """
        return (labels[0], *(f"{prefix}-{label}" for label in labels[1:] for prefix in self.prefixes))

    @property
    def prefixes(self) -> str:
        """The scheme's letters; their order is that of the classes."""
        return {"IO": "I", "BIO": "BI", "BIOES": "BIES"}[self.scheme]

    def enumerate(self, rows: Rows) -> tuple[Units, Targets]:
        """Ordered by row and word. Of nested entities the outermost is kept: a word has one tag."""
        first_word = rows.first_word
        total = int(rows.length.sum())
        label = np.zeros(total, np.int64)
        known = np.repeat(rows.complete, rows.length)
        weight = np.ones(total, np.float32)

        value = rows.span_label
        no, unknown = _covered(rows, value == 0), _covered(rows, value < 0)
        known[no] = True
        known[unknown], weight[unknown] = False, 0.0
        entity = np.flatnonzero(value > 0)
        entity = entity[np.lexsort((-rows.span_end[entity], rows.span_start[entity], rows.span_row[entity]))]
        ends = first_word[rows.span_row[entity]] + rows.span_end[entity]
        starts = first_word[rows.span_row[entity]] + rows.span_start[entity]
        # Clipped to the window, so that a span that reaches out of its row does not touch the next one.
        visible_start = first_word[rows.span_row[entity]] + np.maximum(rows.span_start[entity], 0)
        visible_end = visible_start + _visible(rows, entity)
        outer = np.ones(len(entity), bool)
        outer[1:] = visible_start[1:] >= np.maximum.accumulate(visible_end)[:-1]
        entity, starts, ends = entity[outer], starts[outer], ends[outer]
        covered = _covered(rows, entity)
        which = np.repeat(np.arange(len(entity)), _visible(rows, entity))
        label[covered] = self.tag(value[entity][which], covered == starts[which], covered == ends[which] - 1)
        known[covered] = True
        weight[covered] = 1.0

        owned = rows.core_end - rows.core_begin
        word = ranges(first_word + rows.core_begin, owned)
        row = np.repeat(np.arange(len(owned)), owned)
        place = word + (rows.word - first_word)[row]
        return _tensors(rows, row, word, word, place, label[word], known[word], weight[word])

    def tag(self, label: Longs, first: NDArray[np.bool_], last: NDArray[np.bool_]) -> Longs:
        """The class of each word of an entity with that label number, told whether it is the entity's first or last.

        >>> TokenUnits("BIOES").tag(np.array([2, 2]), np.array([True, False]), np.array([False, True])).tolist()
        [5, 7]
        """
        if self.scheme == "IO":
            letter = np.zeros(len(first), np.int64)
        elif self.scheme == "BIO":
            letter = np.where(first, 0, 1)
        else:
            letter = np.where(first & last, 3, np.where(first, 0, np.where(last, 2, 1)))
        tags: Longs = 1 + (label - 1) * len(self.prefixes) + letter
        return tags


def _visible(rows: Rows, spans: NDArray[np.bool_] | Longs) -> Longs:
    """How many words of these spans lie inside their windows."""
    begin = np.maximum(rows.span_start[spans], 0)
    end = np.minimum(rows.span_end[spans], rows.length[rows.span_row[spans]])
    visible: Longs = np.maximum(end - begin, 0)
    return visible


def _covered(rows: Rows, spans: NDArray[np.bool_] | Longs) -> Longs:
    """The flat words inside these spans."""
    begin = rows.first_word[rows.span_row[spans]] + np.maximum(rows.span_start[spans], 0)
    return ranges(begin, _visible(rows, spans))


def _tensors(
    rows: Rows,
    row: Longs,
    start: Longs,
    end: Longs,
    place: Longs,
    label: NDArray[np.int64],
    known: NDArray[np.bool_],
    weight: NDArray[np.float32],
) -> tuple[Units, Targets]:
    units = (row, start, end, rows.core_end - rows.core_begin, rows.length, place)
    return Units(*map(torch.from_numpy, units)), Targets(*map(torch.from_numpy, (label, known, weight)))
