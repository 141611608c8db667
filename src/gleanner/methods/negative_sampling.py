"""Uniform negative sampling (Li, Liu and Shi 2021, "Empirical analysis of unlabeled entity problem in NER").

Most unannotated spans are no entities, so a few of them drawn at random are nearly all true negatives, and the hidden entities
are hardly ever among them.
"""

from __future__ import annotations

from dataclasses import dataclass as plain_dataclass

import torch
from pydantic import Field
from pydantic.dataclasses import dataclass
from torch import Tensor

from gleanner.model.tagger import Tagger
from gleanner.model.units import Targets
from gleanner.training.draw import known_and_drawn
from gleanner.training.scores import Scores
from gleanner.training.settings import STRICT
from gleanner.training.stage import Progress, Stage, Train
from gleanner.types import Corpus


@plain_dataclass(frozen=True)
class Uniform:
    """All that is annotated, and `ceil(rate * n)` units of each sentence of n words drawn from those nobody annotated.

    Scores are not looked at, so in training only the drawn units are ever scored.
    """

    rate: float

    def __call__(self, scores: Scores, targets: Targets, progress: Progress) -> Tensor:
        """Weights of 0 and 1: (units,)."""
        keys = torch.rand(targets.weight.shape, device=targets.weight.device)  # units
        return known_and_drawn(keys, self.rate, scores.units, targets)


@dataclass(frozen=True, config=STRICT)
class NegativeSampling:
    """Each time a sentence is read, train on its annotated spans and on a few others, drawn anew, as negatives."""

    rate: float = Field(default=0.35, gt=0.0)
    """Drawn negatives for each word of a sentence (lambda). The authors' released code has 0.7."""
    head: str = "interaction"
    """Span heads `concat`, `interaction`, `biaffine`; token heads `linear`, `angle`, `crf`, `angle_crf`."""

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """One stage with the uniform sampler."""
        return train(Stage("negative-sampling", corpus, self.head, sampler=Uniform(self.rate)))
