"""Uniform negative sampling (Li, Liu and Shi 2021, "Empirical analysis of unlabeled entity problem in NER").

Most unannotated spans are no entities, so a few of them drawn at random are nearly all true negatives, and the hidden entities
are hardly ever among them.
"""

from __future__ import annotations

from pydantic import Field
from pydantic.dataclasses import dataclass

from gleanner.model.tagger import Tagger
from gleanner.training.samplers.uniform import Uniform
from gleanner.training.settings import STRICT
from gleanner.training.stage import Stage, Train
from gleanner.types import Corpus


@dataclass(frozen=True, config=STRICT)
class NegativeSampling:
    """Each time a sentence is read, train on its annotated spans and on a few others, drawn anew, as negatives."""

    rate: float = Field(default=0.35, gt=0.0)
    """Drawn negatives for each word of a sentence (lambda). The authors' released code has 0.7."""
    head: str = "interaction"
    """Span heads `concat`, `interaction`, `biaffine`; token heads `linear`, `angle`, `crf`, `angle-crf`, `twofold`."""

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """One stage with the uniform sampler."""
        return train(Stage("negative-sampling", corpus, self.head, sampler=Uniform(self.rate)))
