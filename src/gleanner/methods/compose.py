"""Methods that nobody has named: the parts of the others, put together by the configuration."""

from __future__ import annotations

from typing import Annotated

from pydantic.dataclasses import dataclass

from gleanner.model.tagger import Tagger
from gleanner.training.losses.cross_entropy import CrossEntropy
from gleanner.training.parts import LOSSES, SAMPLERS
from gleanner.training.samplers.everything import Everything
from gleanner.training.settings import STRICT
from gleanner.training.stage import Loss, Sampler, Stage, Train, check_loss
from gleanner.types import Corpus


@dataclass(frozen=True, config=STRICT)
class Compose:
    """Any sampler with any loss and any head. As it stands, `plain`."""

    sampler: Annotated[Sampler, SAMPLERS] = Everything()
    """Which units enter the loss: `method.sampler.name`, and that sampler's own settings beside it."""
    loss: Annotated[Loss, LOSSES] = CrossEntropy()
    """How they count: `method.loss.name`, and that loss's own settings beside it."""
    head: str = "concat"
    """Span heads `concat`, `interaction`, `biaffine`; token heads `linear`, `angle`, `crf`, `angle-crf`, `twofold`."""

    def __post_init__(self) -> None:
        check_loss(self.loss, self.head)

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """One stage of these parts."""
        return train(Stage("compose", corpus, self.head, sampler=self.sampler, loss=self.loss))
