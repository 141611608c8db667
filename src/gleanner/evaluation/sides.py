"""Gold sentences and one or more predictions of them, checked to be the same text and laid side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from gleanner.errors import InputError
from gleanner.evaluation.spans import Bools, SpanArrays, align, flatten, number_rows
from gleanner.types import NOT_ENTITY, UNKNOWN, Sentence

_REMEDY = "score predictions that were made on all gold sentences, in the same order"


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The distinct entities of gold and predictions, and who has which."""

    sentences: Sequence[Sentence]
    """The gold sentences."""
    labels: Sequence[str]
    """The name of each label number in `spans`."""
    spans: SpanArrays
    """Every distinct entity of any side, in the order of the text."""
    present: Bools
    """Sides x spans: which side has the span. Gold is row 0."""
    ignored: int
    """How many predictions are left out because the gold marks exactly their words as unknown."""


def lay_side_by_side(gold: Iterable[Sentence], predictions: Mapping[str, Iterable[Sentence]]) -> Sides:
    """Lay out gold and predictions; the keys of `predictions` name them in errors."""
    sentences = list(gold)
    if not sentences:
        raise InputError("there is no gold sentence to score", remedy="give at least one")
    numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers), {NOT_ENTITY: 0, UNKNOWN: 1})
    marked = flatten(sentences, numbers)
    sides = [marked[marked.label > 1]]
    for name, prediction in predictions.items():
        predicted = list(prediction)
        check_same_words(sentences, predicted, name)
        spans = flatten(predicted, numbers)
        sides.append(spans[spans.label > 1])
    spans, present = align(*sides)
    unknown = _on_same_words(spans, marked[marked.label == numbers[UNKNOWN]])
    ignored = int(np.count_nonzero(present[1:, unknown]))
    present[1:, unknown] = False
    kept = np.flatnonzero(present.any(axis=0))
    return Sides(sentences, list(numbers), spans[kept], present[:, kept], ignored)


def _on_same_words(spans: SpanArrays, others: SpanArrays) -> Bools:
    """Which spans have exactly the words of one of the others, whatever the labels."""
    numbers, _ = number_rows(
        np.concatenate([spans.sentence, others.sentence]),
        np.concatenate([spans.start, others.start]),
        np.concatenate([spans.end, others.end]),
    )
    return np.isin(numbers[: len(spans)], numbers[len(spans) :])


def check_same_words(gold: Sequence[Sentence], predicted: Sequence[Sentence], name: str, remedy: str = _REMEDY) -> None:
    """Raise an InputError about the first sentence that differs, if one does; `name` is what the other side is called."""
    for number, (ours, theirs) in enumerate(zip(gold, predicted, strict=False), start=1):
        if ours.words != theirs.words:
            difference = _first_difference(ours.words, theirs.words, name)
            raise InputError(f"sentence {number} is not the same text: {difference}", remedy=remedy)
    if len(gold) != len(predicted):
        who = "the gold" if len(gold) < len(predicted) else name
        raise InputError(
            f"sentence {min(len(gold), len(predicted)) + 1} is missing from {who}: "
            f"the gold has {len(gold)} sentences, {name} have {len(predicted)}",
            remedy=remedy,
        )


def _first_difference(gold: Sequence[str], predicted: Sequence[str], name: str) -> str:
    pairs = enumerate(zip_longest(gold, predicted), start=1)
    position, words = next((position, words) for position, words in pairs if words[0] != words[1])
    ours, theirs = ("no word" if word is None else repr(word) for word in words)
    return f"word {position} is {ours} in the gold and {theirs} in {name}"
