"""Whether one prediction is better than another, or was lucky with these sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gleanner.errors import InputError
from gleanner.evaluation.bootstrap import Interval, patterns, resample
from gleanner.evaluation.scores import Floats, Score, ratios, score_flags
from gleanner.evaluation.sides import lay_side_by_side
from gleanner.types import Sentence


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two predictions of the same gold, compared by micro F1."""

    a: Score
    b: Score
    mean: float
    """The mean, over bootstrap samples, of F1(a) - F1(b)."""
    interval: Interval
    """The middle 95% of that difference."""
    p_value: float
    """Two-sided: twice the share of samples in which the difference is not on its side of 0, at most 1."""

    @property
    def difference(self) -> float:
        """F1(a) - F1(b) on the gold as it is."""
        return self.a.f1 - self.b.f1

    def to_dict(self) -> dict[str, Any]:
        """The comparison ready for JSON."""
        return {
            "a": self.a.to_dict(),
            "b": self.b.to_dict(),
            "difference": self.difference,
            "mean": self.mean,
            "interval": list(self.interval),
            "p_value": self.p_value,
        }


def compare(
    gold: Iterable[Sentence], a: Iterable[Sentence], b: Iterable[Sentence], *, samples: int = 10000, seed: int = 0
) -> Comparison:
    """Paired bootstrap over sentences (Efron & Tibshirani 1993): both predictions are scored on the same samples.

    The sample at hand is counted among the samples, so that the p-value is never 0.

    >>> from gleanner.types import Span
    >>> gold = [Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),))] * 20
    >>> found, missed = gold, [Sentence(("Ada", "wrote"))] * 20
    >>> round(compare(gold, found, missed, samples=999).p_value, 3), compare(gold, found, found).p_value
    (0.002, 1.0)
    """
    if samples < 1:
        raise InputError(f"samples is {samples}", remedy="give at least 1")
    sides = lay_side_by_side(gold, {"the first predictions": a, "the second predictions": b})
    in_gold, in_a, in_b = sides.present
    counted = np.stack([in_gold & in_a, in_a, in_gold & in_b, in_b, in_gold])
    drawn = resample(patterns(sides.spans, counted, len(sides.sentences)), samples, np.random.default_rng(seed))
    difference = ratios(drawn[:, [0, 1, 4]])[2] - ratios(drawn[:, [2, 3, 4]])[2]
    return Comparison(
        a=score_flags(in_gold, in_a),
        b=score_flags(in_gold, in_b),
        mean=float(difference.mean()),
        interval=Interval.of(difference),
        p_value=p_value(difference),
    )


def p_value(difference: Floats) -> float:
    """Two-sided, of the differences in bootstrap samples.

    >>> p_value(np.array([0.1, 0.2, 0.1]))
    0.5
    """
    not_better, not_worse = (1 + np.count_nonzero(side) for side in (difference <= 0, difference >= 0))
    return float(min(1.0, 2 * min(not_better, not_worse) / (len(difference) + 1)))
