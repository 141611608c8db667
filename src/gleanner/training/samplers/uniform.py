"""The sampler of uniform negative sampling (Li, Liu and Shi 2021)."""

from __future__ import annotations

import torch
from pydantic import Field
from pydantic.dataclasses import dataclass
from torch import Tensor

from gleanner.model.units import Targets
from gleanner.training.draw import known_and_drawn
from gleanner.training.scores import Scores
from gleanner.training.settings import STRICT
from gleanner.training.stage import Progress


@dataclass(frozen=True, config=STRICT)
class Uniform:
    """All that is annotated, and of each sentence of n words `ceil(rate * n)` units that nobody annotated, drawn uniformly.

    Scores are not looked at, so in training only the drawn units are ever scored.
    """

    rate: float = Field(default=0.35, gt=0.0)
    """Drawn negatives for each word of a sentence (lambda)."""

    def __call__(self, scores: Scores, targets: Targets, progress: Progress) -> Tensor:
        """Weights of 0 and 1: (units,)."""
        keys = torch.rand(targets.weight.shape, device=targets.weight.device)  # units
        return known_and_drawn(keys, self.rate, scores.units, targets)
