"""RoSTER's self-training (Meng et al. 2021, section 2.3), from any model.

A model that is sure of many words learns from its own predictions, made sharper and balanced among the types, and from agreeing
with itself on the same sentences in other words.
"""

from __future__ import annotations

from dataclasses import dataclass as plain_dataclass

import torch
from pydantic import Field, PositiveFloat, PositiveInt
from pydantic.dataclasses import dataclass
from torch import Tensor

from gleanner.errors import InputError
from gleanner.model.feed import Feed
from gleanner.model.tagger import Tagger
from gleanner.model.units import Targets
from gleanner.training.augment import Augmenter
from gleanner.training.scores import Scores
from gleanner.training.settings import STRICT
from gleanner.training.soft import divergence, parts
from gleanner.training.stage import Progress, Stage, Train
from gleanner.types import Corpus


@plain_dataclass(frozen=True)
class SoftTargets:
    """The table: p(entity) of the model that the stage began with, and soft targets over the types, made anew now and then."""

    threshold: float
    every: int

    def __call__(self, tagger: Tagger, feed: Feed, progress: Progress, table: Tensor | None) -> Tensor:
        """(places, classes): column 0 is p(entity), the others are the types' targets, 0 where the model is not sure."""
        if table is not None and progress.step % self.every:
            return table
        found = parts(tagger.log_probabilities(feed))
        entity = found.binary[:, 1].exp().clamp(max=1.0)  # places; a sum of types may be rounded to more than 1
        usable = feed.targets().weight > 0
        sure = usable & (entity >= self.threshold)
        targets = torch.zeros_like(found.types)
        targets[sure] = sharpened(found.types[sure].exp())
        kept = entity if table is None else table[:, 0].to(entity.device)
        return torch.cat((kept[:, None], targets), dim=1)


def sharpened(f: Tensor) -> Tensor:
    """Eq. 8: `f^2 / g`, normalised in each row, g the column sums. f: (units, types).

    >>> sharpened(torch.tensor([[0.5, 0.5], [0.1, 0.9]]))
    tensor([[0.7000, 0.3000],
            [0.0280, 0.9720]])
    """
    f = f.double()  # columns of a large corpus are long sums
    weight = f.square() / f.sum(dim=0).clamp(min=torch.finfo(torch.float64).tiny)
    targets: Tensor = weight / weight.sum(dim=1, keepdim=True)
    return targets.float()


def self_training(scores: Scores, targets: Targets, weights: Tensor, progress: Progress) -> Tensor:
    """Eq. 9, summed over the units: entity or not stays as it was, the types approach their targets, here and on the twin.

    A twin counts only where the model sees the same type in both, as in the authors' released code.
    """
    table = targets.table
    assert table is not None  # SoftTargets always makes one
    entity, wanted = table[:, 0], table[:, 1:]
    found = parts(scores.log_probabilities())
    loss = divergence(torch.stack((1 - entity, entity), dim=1), found.binary) + divergence(wanted, found.types)
    if scores.twin is not None:
        other = parts(scores.twin.log_probabilities()).types
        agrees = other.argmax(dim=1) == found.types.argmax(dim=1)
        loss = loss + agrees * divergence(wanted, other)
    return (weights * loss).sum()


@dataclass(frozen=True, config=STRICT)
class SelfTraining:
    """Goes on from a trained model with its own sharpened predictions as labels; needs text, and no labels."""

    start: str | None = None
    """The model to start from: a folder, or a name on the Hugging Face hub. It decides head, encoder and types."""
    threshold: float = Field(default=0.8, ge=0.0, le=1.0)
    """How sure that a unit is an entity the model must be, if its type is to be learned from."""
    every: PositiveInt = 100
    """Steps between the passes that make new targets."""
    rate: PositiveFloat = 1 / 60
    """What the learning rates are multiplied by; in the paper 5e-7 follows 3e-5."""
    augmenter: str | None = None
    """A masked language model, folder or Hugging Face name, that rewrites sentences; without it there are no twins."""

    def __post_init__(self) -> None:
        if self.start is None:
            raise InputError("self-training starts from a model", remedy="name its folder: method.start=FOLDER")

    @property
    def reads(self) -> tuple[str, ...]:
        """What the run depends on beside settings and data."""
        return tuple(name for name in (self.start, self.augmenter) if name is not None)

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """One stage."""
        assert self.start is not None  # else it could not have been made
        start = Tagger.from_pretrained(self.start, device="cpu")
        if start.config.nothing:
            raise InputError(
                f"the model has classes that mean no entity: {', '.join(start.config.nothing)}",
                path=self.start,
                remedy="start from a model of another method, or of two-step with method.rate=0",
            )
        twin = None if self.augmenter is None else Augmenter.load(self.augmenter).twin(corpus)
        return train(stage(corpus, start, twin, threshold=self.threshold, every=self.every, rate=self.rate))


def stage(
    corpus: Corpus,
    start: Tagger,
    twin: Corpus | None,
    *,
    threshold: float,
    every: int,
    rate: float,
    epochs: int | None = None,
) -> Stage:
    """Self-training from a model."""
    return Stage(
        "self-training",
        corpus,
        start.config.head,
        loss=self_training,
        refresh=SoftTargets(threshold, every),
        twin=twin,
        start=start,
        epochs=epochs,
        rate=rate,
    )
