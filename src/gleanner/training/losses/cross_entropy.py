"""The loss of ordinary training."""

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
class CrossEntropy:
    """The weighted sum of the negative log-likelihoods; a CRF's is that of its sequences.

    A sum, as the papers have it, and not a mean: with a mean the first batches, nearly all O and all wrong, have by far the
    largest gradients, Adam's second moment remembers them for about a thousand steps, and plain training starts very slowly.
    Of a sum the gradient is clipped at nearly every step, so that all steps count alike.
    """

    def __call__(self, scores: Scores, targets: Targets, weights: Tensor, progress: Progress) -> Tensor:
        """One number."""
        return scores.negative_log_likelihood(targets.label, weights)
