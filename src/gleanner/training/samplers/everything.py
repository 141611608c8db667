"""The sampler of ordinary training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic.dataclasses import dataclass
from torch import Tensor

from gleanner.model.units import Targets
from gleanner.training.scores import Scores
from gleanner.training.settings import STRICT

if TYPE_CHECKING:
    from gleanner.training.stage import Progress  # whose default this is


@dataclass(frozen=True, config=STRICT)
class Everything:
    """All units: silence is taken for "not an entity"."""

    def __call__(self, scores: Scores, targets: Targets, progress: Progress) -> Tensor:
        """The units' own weights: (units,)."""
        return targets.weight
