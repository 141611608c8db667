"""Weighted negative sampling (Li, Liu and Shi 2022, "Rethinking negative sampling for handling missing entity annotations").

Good negatives are those that the model itself finds unlikely to be entities (few hidden entities are drawn) and yet is unsure
about (there is something to learn).
"""

from __future__ import annotations

from pydantic import Field
from pydantic.dataclasses import dataclass

from gleanner.model.tagger import Tagger
from gleanner.training.samplers.weighted import Weighted
from gleanner.training.settings import STRICT
from gleanner.training.stage import Stage, Train
from gleanner.types import Corpus


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
    """Span heads `concat`, `interaction`, `biaffine`; token heads `linear`, `angle`, `crf`, `angle-crf`, `twofold`."""

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """One stage with the weighted sampler."""
        sampler = Weighted(self.rate, self.mu, self.evaluation_mode)
        return train(Stage("weighted-sampling", corpus, self.head, sampler=sampler))
