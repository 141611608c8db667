"""What a prediction is worth sentence by sentence, small enough to be kept: a character a sentence, and no text.

F1 on any sample of the sentences follows from these counts, so that runs can be compared when predictions are long gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from gleanner.evaluation.scores import Score
from gleanner.evaluation.sides import lay_side_by_side
from gleanner.evaluation.spans import Bools, Ints
from gleanner.types import Sentence

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class RunCounts(NamedTuple):
    """What a run found in each sentence."""

    right: Ints
    """Entities of the gold."""
    found: Ints
    """Entities at all."""


class Counts(NamedTuple):
    """A run's, and those of the gold, which are the same for all runs."""

    run: RunCounts
    gold: Ints

    @classmethod
    def of(cls, gold: Iterable[Sentence], predicted: Iterable[Sentence]) -> Counts:
        """Of predictions of the gold sentences."""
        sides = lay_side_by_side(gold, {"the predictions": predicted})
        in_gold, in_predicted = sides.present

        def per_sentence(rows: Bools) -> Ints:
            return np.bincount(sides.spans.sentence[rows], minlength=len(sides.sentences))

        return cls(RunCounts(per_sentence(in_gold & in_predicted), per_sentence(in_predicted)), per_sentence(in_gold))

    @property
    def score(self) -> Score:
        """Of all sentences."""
        return Score(*(int(column.sum()) for column in (*self.run, self.gold)))


def packed(numbers: Ints) -> str:
    """A character a number; those above 35 stand in brackets.

    >>> packed(np.array([0, 2, 11, 40]))
    '02b(40)'
    """
    return "".join(_DIGITS[number] if number < len(_DIGITS) else f"({number})" for number in numbers.tolist())


def unpacked(text: str) -> Ints:
    """The inverse.

    >>> unpacked("02b(40)").tolist()
    [0, 2, 11, 40]
    """
    parts = re.findall(r"\((\d+)\)|(.)", text)
    return np.array([int(large) if large else _DIGITS.index(digit) for large, digit in parts], dtype=np.int64)
