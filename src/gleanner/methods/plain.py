"""Ordinary training, the baseline: what nobody annotated is not an entity."""

from __future__ import annotations

from pydantic.dataclasses import dataclass

from gleanner.model.tagger import Tagger
from gleanner.training.settings import STRICT
from gleanner.training.stage import Stage, Train
from gleanner.types import Corpus


@dataclass(frozen=True, config=STRICT)
class Plain:
    """Cross entropy on every unit; silence counts as "not an entity". The method of choice for complete annotations."""

    head: str = "concat"
    """Span heads `concat`, `interaction`, `biaffine`; token heads `linear`, `angle`, `crf`, `angle-crf`, `twofold`."""

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """One stage on everything."""
        return train(Stage("plain", corpus, self.head))
