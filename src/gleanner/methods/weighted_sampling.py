"""Weighted negative sampling (Li, Liu and Shi 2022, "Rethinking negative sampling for handling missing entity annotations").

Good negatives are those that the model itself finds unlikely to be entities (few hidden entities are drawn) and yet is unsure
about (there is something to learn).
"""

from __future__ import annotations

import math
from dataclasses import dataclass as plain_dataclass

import torch
from pydantic import Field
from pydantic.dataclasses import dataclass
from torch import Tensor

from gleanner.model.tagger import Tagger
from gleanner.model.units import Targets
from gleanner.training.draw import gumbel, known_and_drawn
from gleanner.training.scores import Scores
from gleanner.training.settings import STRICT
from gleanner.training.stage import Progress, Stage, Train
from gleanner.types import Corpus


@plain_dataclass(frozen=True)
class Weighted:
    """As `Uniform`, but a unit is drawn in proportion to `exp(r / T)`: Eq. 3 to 5, `T = sqrt(epochs - epoch)`."""

    rate: float
    mu: float
    evaluation_mode: bool

    def __call__(self, scores: Scores, targets: Targets, progress: Progress) -> Tensor:
        """Weights of 0 and 1: (units,)."""
        temperature = math.sqrt(progress.epochs - progress.epoch)
        training = scores.head.training
        if self.evaluation_mode:
            scores.head.eval()
        r = uncertain_negatives(scores.probabilities(), self.mu)  # units
        scores.head.train(training)
        return known_and_drawn(r.double() / temperature + gumbel(r), self.rate, scores.units, targets)


def uncertain_negatives(z: Tensor, mu: float) -> Tensor:
    """`r = u (1 + v)^mu`: entropy u, and v the probability of O less that of the best type. z: (units, labels), O first.

    >>> [round(r, 4) for r in uncertain_negatives(torch.tensor([[0.5, 0.5], [1.0, 0.0]]), mu=8).tolist()]
    [0.6931, 0.0]
    """
    v = z[:, 0] - z[:, 1:].amax(dim=1)  # units
    u = torch.special.entr(z).sum(dim=1)  # units; 0 log 0 is 0
    r: Tensor = u * (1 + v) ** mu
    return r


@dataclass(frozen=True, config=STRICT)
class WeightedSampling:
    """Negative sampling with an adaptive distribution: prefers spans that are unlikely to be entities and yet uncertain."""

    rate: float = Field(default=0.35, gt=0.0)
    """Drawn negatives for each word of a sentence (lambda)."""
    mu: float = Field(default=8.0, ge=1.0)
    """High: few hidden entities are drawn. Low: uncertain spans are drawn."""
    evaluation_mode: bool = False
    """Estimate the distribution without the head's dropout, instead of with it."""
    head: str = "interaction"
    """Span heads `concat`, `interaction`, `biaffine`; token heads `linear`, `angle`, `crf`, `angle_crf`."""

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """One stage with the weighted sampler."""
        sampler = Weighted(self.rate, self.mu, self.evaluation_mode)
        return train(Stage("weighted-sampling", corpus, self.head, sampler=sampler))
