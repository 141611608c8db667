"""Precision, recall and F1 of a set of spans against another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gleanner.evaluation.spans import Bools, Ints, SpanArrays, align

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Score:
    """How many spans are right, how many were predicted, how many there are. A ratio over nothing is 0.

    >>> score = Score(true_positives=2, predicted=4, gold=2)
    >>> score.precision, score.recall, round(score.f1, 3)
    (0.5, 1.0, 0.667)
    """

    true_positives: int
    predicted: int
    gold: int

    @property
    def precision(self) -> float:
        """The share of the predicted spans that are right."""
        return self.true_positives / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold spans that were found."""
        return self.true_positives / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        precision, recall = self.precision, self.recall
        return 2 * precision * recall / (precision + recall) if self.true_positives else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Ratios and counts, ready for JSON."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "true_positives": self.true_positives,
            "predicted": self.predicted,
            "gold": self.gold,
        }


@dataclass(frozen=True, slots=True)
class Macro:
    """Plain means over types: every type weighs the same, however rare."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, scores: Iterable[Score]) -> Macro:
        """The means of the scores; all 0 if there are none.

        >>> Macro.of([Score(1, 1, 1), Score(0, 0, 3)])
        Macro(precision=0.5, recall=0.5, f1=0.5)
        """
        table = [(score.precision, score.recall, score.f1) for score in scores]
        precision, recall, f1 = np.mean(table, axis=0).tolist() if table else (0.0, 0.0, 0.0)
        return cls(precision, recall, f1)

    def to_dict(self) -> dict[str, Any]:
        """The three means, ready for JSON."""
        return {"precision": self.precision, "recall": self.recall, "f1": self.f1}


def score_arrays(gold: SpanArrays, predicted: SpanArrays) -> Score:
    """Micro score over exact spans and types: the quick entry for a training loop. Duplicates count once.

    Both must number their labels alike, and hold entities only.
    """
    _, present = align(gold, predicted)
    return score_flags(*present)


def score_flags(in_gold: Bools, in_predicted: Bools) -> Score:
    """The score over distinct spans, of which it is known who has them."""
    return Score(
        true_positives=int(np.count_nonzero(in_gold & in_predicted)),
        predicted=int(np.count_nonzero(in_predicted)),
        gold=int(np.count_nonzero(in_gold)),
    )


def ratios(counts: Ints) -> tuple[Floats, Floats, Floats]:
    """Precision, recall and F1 of rows (true positives, predicted, gold), to the last digit as `Score` has them."""
    right, predicted, gold = counts.T.astype(np.float64)  # each: rows
    precision = right / np.maximum(predicted, 1)
    recall = right / np.maximum(gold, 1)
    f1 = 2 * precision * recall / np.where(right > 0, precision + recall, 1)
    return precision, recall, f1
