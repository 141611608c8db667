"""A corpus as flat arrays: four bytes a word and a few an annotation, however many sentences there are."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gleanner.errors import InputError
from gleanner.evaluation.spans import SpanArrays
from gleanner.model.vocabulary import Ints, Longs, Vocabulary
from gleanner.types import NOT_ENTITY, UNKNOWN, Sentence

UNKNOWN_LABEL = -1
"""The label number of a span that is marked `UNKNOWN`."""


@dataclass(frozen=True)
class Examples:
    """Sentences, encoded once. `labels[0]` is `O`; every other label is an entity type."""

    vocabulary: Vocabulary
    labels: tuple[str, ...]
    words: Ints  # words of all sentences, one after the other, as vocabulary numbers
    starts: Longs  # sentences + 1: where each sentence begins in `words`
    complete: NDArray[np.bool_]  # sentences: whether silence means "not an entity"
    span_starts: Longs  # sentences + 1: where each sentence's spans begin in the three arrays below
    span_start: Ints  # spans: first word, counted from the beginning of the sentence
    span_end: Ints  # spans: one past the last word
    span_label: Ints  # spans: index into `labels`; 0 is "not an entity", UNKNOWN_LABEL is unknown

    def __len__(self) -> int:
        return len(self.complete)

    @property
    def lengths(self) -> Longs:
        """Words of each sentence."""
        return np.diff(self.starts)

    def spans(self) -> SpanArrays:
        """The annotated entities, explicit negatives and unknowns left out."""
        sentence = np.repeat(np.arange(len(self)), np.diff(self.span_starts))
        keep = self.span_label > 0
        return SpanArrays(
            sentence[keep],
            self.span_start[keep].astype(np.int64),
            self.span_end[keep].astype(np.int64),
            self.span_label[keep].astype(np.int64),
        )

    @property
    def state_bytes(self) -> int:
        """Bytes held by the arrays, the vocabulary not counted."""
        arrays = (self.words, self.starts, self.complete, self.span_starts)
        return sum(a.nbytes for a in (*arrays, self.span_start, self.span_end, self.span_label))


def encode(
    sentences: Iterable[Sentence], *, labels: Sequence[str] | None = None, vocabulary: Vocabulary | None = None
) -> Examples:
    """Reads the sentences once, keeping numbers only.

    With `labels` given (those of a trained model, say), types that are not among them get numbers behind them, so that
    they can be counted as missed; otherwise the labels are `O` and the types found, sorted.
    """
    vocabulary = Vocabulary() if vocabulary is None else vocabulary
    numbers: dict[str, int] = {NOT_ENTITY: 0, UNKNOWN: UNKNOWN_LABEL}
    for label in (labels or (NOT_ENTITY,))[1:]:
        numbers[label] = len(numbers) - 1
    words, starts, complete = array("i"), array("q", [0]), array("b")
    span_starts, span_start, span_end, span_label = array("q", [0]), array("i"), array("i"), array("i")
    for sentence in sentences:
        words.extend(vocabulary.add(sentence.words))
        starts.append(len(words))
        complete.append(sentence.complete)
        for span in sentence.spans:
            span_start.append(span.start)
            span_end.append(span.end)
            # `len(numbers) - 1` is the next free number, because UNKNOWN holds a place but no number from 0 on.
            span_label.append(numbers.setdefault(span.label, len(numbers) - 1))
        span_starts.append(len(span_start))

    known = tuple(label for label in numbers if label != UNKNOWN)
    label_of = np.frombuffer(span_label, np.int32) if span_label else np.empty(0, np.int32)
    if labels is None:
        ordered = (NOT_ENTITY, *sorted(known[1:]))
        renumber = np.array([ordered.index(label) for label in known] + [UNKNOWN_LABEL], np.int32)  # [-1] is unknown
        known, label_of = ordered, renumber[label_of]
    examples = Examples(
        vocabulary,
        known,
        np.frombuffer(words, np.int32) if words else np.empty(0, np.int32),
        np.frombuffer(starts, np.int64),
        np.frombuffer(complete, np.bool_) if complete else np.empty(0, np.bool_),
        np.frombuffer(span_starts, np.int64),
        np.frombuffer(span_start, np.int32) if span_start else np.empty(0, np.int32),
        np.frombuffer(span_end, np.int32) if span_end else np.empty(0, np.int32),
        label_of,
    )
    _check_ranges(examples)
    return examples


def _check_ranges(examples: Examples) -> None:
    """Readers of files have looked already, but sentences may come from Python: a reversed span would label another one."""
    sentence = np.repeat(np.arange(len(examples)), np.diff(examples.span_starts))
    start, end, length = examples.span_start, examples.span_end, examples.lengths[sentence]
    wrong = np.flatnonzero((start < 0) | (start >= end) | (end > length))
    if len(wrong):
        k = wrong[0]
        raise InputError(
            f"sentence {sentence[k] + 1}: span [{start[k]}, {end[k]}) does not lie in its {length[k]} words",
            remedy="start counts from 0, end is one past the last word",
        )
