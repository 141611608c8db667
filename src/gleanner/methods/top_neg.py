"""Top-Neg (Xu, Bing and Lu 2023, "Better sampling of negatives for distantly supervised named entity recognition").

A hidden entity resembles the annotated entities of its own type and not those of the others. A span that resembles all entities
on average, of whatever type, is a true negative, and one that is hard to tell from an entity.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from gleanner.model.choices import Features
from gleanner.model.tagger import Tagger
from gleanner.training.samplers.similar import Similar
from gleanner.training.settings import STRICT
from gleanner.training.stage import Stage, Train
from gleanner.types import Corpus


@dataclass(frozen=True, config=STRICT)
class TopNeg:
    """Train on the annotated spans and, as negatives, on the few others of the batch that resemble all entities most."""

    ratio: float = Field(default=0.05, gt=0.0, le=1.0)
    """How much of a batch's unannotated spans is used (r). 1 is all."""
    select: Literal["top", "bottom"] = "top"
    """The most similar, or, as a comparison, the least."""
    features: Features = "hidden"
    """What is compared: the head's last hidden layer, with its dropout, or the vectors of the span's ends and its width."""
    head: str = "concat"
    """Span heads `concat`, `interaction`, `biaffine`; token heads `linear`, `angle`, `crf`, `angle-crf`, `twofold`."""

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """One stage with the sampler `similar`."""
        sampler = Similar(self.ratio, self.select, self.features)
        return train(Stage("top-neg", corpus, self.head, sampler=sampler))
