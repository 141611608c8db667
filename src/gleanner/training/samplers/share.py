"""The sampler of NRCES (Kang, Zhang and Fu 2022)."""

from __future__ import annotations

import torch
from pydantic import Field
from pydantic.dataclasses import dataclass
from torch import Tensor

from gleanner.model.units import Targets
from gleanner.training.draw import known_and_share
from gleanner.training.scores import Scores
from gleanner.training.settings import STRICT
from gleanner.training.stage import Progress


@dataclass(frozen=True, config=STRICT)
class Share:
    """All that is annotated, and a share of the batch's units that nobody annotated, drawn uniformly each time."""

    share: float = Field(default=0.5, gt=0.0, le=1.0)
    """How much of them. 1 is all."""

    def __call__(self, scores: Scores, targets: Targets, progress: Progress) -> Tensor:
        """Weights of 0 and 1: (units,)."""
        keys = torch.rand(targets.weight.shape, device=targets.weight.device)  # units
        return known_and_share(keys, self.share, targets)
