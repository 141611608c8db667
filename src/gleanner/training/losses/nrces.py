"""The loss of NRCES, noise-robust cross entropy with a sigmoid (Kang, Zhang and Fu 2022)."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

import torch
from pydantic import PositiveFloat
from pydantic.dataclasses import dataclass
from torch import Tensor
from torch.nn.functional import cross_entropy

from gleanner.model.units import Targets
from gleanner.training.scores import Scores
from gleanner.training.settings import STRICT
from gleanner.training.stage import Progress

Ablation = Literal["sigmoid", "separation", "negative-indicator", "positive-indicator"]


@dataclass(frozen=True, config=STRICT)
class Nrces:
    """Cross entropy CE on what is annotated, and `beta * CE + (1 - beta) * (1 - sigmoid(z))` on what is not.

    z is the score, before the softmax, of the unit's label, and `beta = exp(-e / w)` after e whole epochs: the first one is
    ordinary training. The sigmoid's gradient vanishes where the model is sure of an entity, so hidden entities stop to hurt.

    The paper prints `sigmoid(z)` (Eq. 6), which would push the label down when minimised; its text, and the gradient that it
    gives, make sense for `1 - sigmoid(z)` only. The paper knows no annotated "not an entity"; here it is as good as an entity.
    """

    w: PositiveFloat = 5.0
    """After so many epochs beta is 1/e. The paper tries 2, 5 and 10: the more entities are missing, the smaller."""
    without: Ablation | None = None
    """What to leave out, for the ablations of the paper's Table 5."""

    unitwise: ClassVar[bool] = True

    def __call__(self, scores: Scores, targets: Targets, weights: Tensor, progress: Progress) -> Tensor:
        """One number."""
        some = weights.nonzero().squeeze(1)
        label = targets.label[some]
        silent = ~targets.known[some]
        losses = self.losses(scores.logits(some).float(), label, silent, progress.epoch)
        return (weights[some] * losses).sum()

    def losses(self, logits: Tensor, label: Tensor, silent: Tensor, epoch: int) -> Tensor:
        """Eq. 7 to 9 and Table 5: (units,)."""
        beta = math.exp(-epoch / self.w)
        ce = cross_entropy(logits, label, reduction="none")
        z = logits.gather(1, label[:, None]).squeeze(1)
        robust = beta * ce + (1 - beta) * torch.sigmoid(-z)  # 1 - sigmoid(z), without loss of digits
        match self.without:
            case "sigmoid":
                return ce
            case "separation":
                return robust
            case "negative-indicator":
                return robust + torch.where(silent, 0.0, ce)
            case "positive-indicator":
                return ce + torch.where(silent, robust, 0.0)
        return torch.where(silent, robust, ce)
