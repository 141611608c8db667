"""NRCES (Kang, Zhang and Fu 2022, "A noise-robust loss for unlabeled entity problem in named entity recognition").

Cross entropy pulls hardest where the model is most sure that silence is wrong, which is where the hidden entities are. Here,
as training goes on, silence is taught more and more by a loss whose gradient vanishes there.
"""

from __future__ import annotations

from pydantic import Field, PositiveFloat
from pydantic.dataclasses import dataclass

from gleanner.model.tagger import Tagger
from gleanner.training.losses.nrces import Ablation
from gleanner.training.losses.nrces import Nrces as Loss
from gleanner.training.samplers.share import Share
from gleanner.training.settings import STRICT
from gleanner.training.stage import Stage, Train, check_loss
from gleanner.types import Corpus


@dataclass(frozen=True, config=STRICT)
class Nrces:
    """Cross entropy on annotated spans; on half of the others, a loss that more and more forgives what seems an entity."""

    w: PositiveFloat = 5.0
    """Epochs in which the weight of cross entropy on silence falls to 1/e. The paper tries 2, 5 and 10."""
    share: float = Field(default=0.5, gt=0.0, le=1.0)
    """How much of a batch's unannotated spans is used, drawn anew each time. 1 is all."""
    without: Ablation | None = None
    """What to leave out of the loss, for the ablations of the paper's Table 5."""
    head: str = "concat"
    """Span heads `concat`, `interaction`, `biaffine`; token heads `linear`, `angle`, `twofold`, but no CRF."""

    def __post_init__(self) -> None:
        check_loss(self._loss, self.head)

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """One stage with the sampler `share` and the loss `nrces`."""
        return train(Stage("nrces", corpus, self.head, sampler=Share(self.share), loss=self._loss))

    @property
    def _loss(self) -> Loss:
        return Loss(self.w, self.without)
