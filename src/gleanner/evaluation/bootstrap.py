"""Bootstrap over sentences: how far a score would move on other sentences of the same kind.

A resampled corpus enters a score only through sums of per-sentence counts. So sentences with the same counts are
interchangeable, and how often each *pattern* of counts is drawn follows a multinomial distribution. Drawing from it
gives exactly the distribution that drawing sentences gives, for the price of a few dozen patterns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gleanner.evaluation.scores import Floats, ratios
from gleanner.evaluation.sides import Sides
from gleanner.evaluation.spans import Bools, Ints, SpanArrays, number_rows

_CELLS_AT_ONCE = 1 << 22  # draws x patterns held in memory: 32 MB


class Interval(NamedTuple):
    """The middle 95% of the bootstrap samples."""

    low: float
    high: float

    @classmethod
    def of(cls, samples: Floats) -> Interval:
        """The 2.5th and the 97.5th percentile."""
        low, high = np.percentile(samples, [2.5, 97.5]).tolist()
        return cls(low, high)


@dataclass(frozen=True, slots=True)
class Intervals:
    """95% intervals of the micro score, and of the F1 of each type."""

    precision: Interval
    recall: Interval
    f1: Interval
    types: dict[str, Interval]


def intervals(sides: Sides, samples: int, seed: int) -> Intervals:
    """Intervals of the scores of one prediction."""
    rng = np.random.default_rng(seed)
    sentences = len(sides.sentences)
    in_gold, in_predicted = sides.present
    counted = np.stack([in_gold & in_predicted, in_predicted, in_gold])
    micro = ratios(resample(patterns(sides.spans, counted, sentences), samples, rng))
    types: dict[str, Interval] = {}
    for label in np.unique(sides.spans.label).tolist():
        of_type = sides.spans.label == label
        of_pattern = patterns(sides.spans[of_type], counted[:, of_type], sentences)
        types[sides.labels[label]] = Interval.of(ratios(resample(of_pattern, samples, rng))[2])
    precision, recall, f1 = map(Interval.of, micro)
    return Intervals(precision, recall, f1, dict(sorted(types.items())))


class Patterns(NamedTuple):
    """The distinct rows of per-sentence counts, and how many sentences have each."""

    counts: Ints
    """Patterns x counts."""
    sentences: Ints
    """Patterns."""


def patterns(spans: SpanArrays, counted: Bools, sentences: int) -> Patterns:
    """Count, in each sentence, the spans that each row of `counted` (counts x spans) selects; group equal sentences."""
    per_sentence = np.stack([np.bincount(spans.sentence[row], minlength=sentences) for row in counted])
    occupied = per_sentence[:, per_sentence.any(axis=0)]  # counts x sentences with a span
    numbers, examples = number_rows(*occupied)
    empty = sentences - occupied.shape[1]
    rows, sizes = occupied[:, examples].T, np.bincount(numbers)
    if empty:
        rows = np.vstack([rows, np.zeros((1, len(counted)), dtype=np.int64)])
        sizes = np.append(sizes, empty)
    return Patterns(rows, sizes)


def resample(patterns: Patterns, samples: int, rng: np.random.Generator) -> Ints:
    """The summed counts of `samples` corpora, each as many sentences drawn with replacement: samples x counts.

    Multiplied as floats, which is exact here and many times faster: numpy has no fast product of integers.
    """
    total = int(patterns.sentences.sum())
    shares = patterns.sentences / total
    step = max(1, _CELLS_AT_ONCE // len(shares))
    sizes = [min(step, samples - done) for done in range(0, samples, step)]
    counts = patterns.counts.astype(np.float64)
    drawn = [rng.multinomial(total, shares, size=size).astype(np.float64) @ counts for size in sizes]
    return np.concatenate(drawn).astype(np.int64)
