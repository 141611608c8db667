"""What methods are made of: which units enter the loss, how they count, and one model trained once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from torch import Tensor

from gleanner.errors import InputError
from gleanner.model.choices import Scheme
from gleanner.model.feed import Feed
from gleanner.model.heads.head import head_class
from gleanner.model.tagger import Tagger
from gleanner.model.units import Targets
from gleanner.named import name_of
from gleanner.training.losses.cross_entropy import CrossEntropy
from gleanner.training.samplers.everything import Everything
from gleanner.training.scores import Scores
from gleanner.types import Corpus


@dataclass(frozen=True)
class Progress:
    """How far a stage is."""

    step: int
    """Optimiser steps done."""
    steps_per_epoch: int
    epochs: int

    @property
    def epoch(self) -> int:
        """Whole epochs done; the current epoch counted from 0."""
        return min(self.step // self.steps_per_epoch, self.epochs - 1)


class Sampler(Protocol):
    """Which units enter the loss."""

    def __call__(self, scores: Scores, targets: Targets, progress: Progress) -> Tensor:
        """A weight for each unit; 0 means unknown."""
        ...


class Loss(Protocol):
    """How they count. One with an attribute `unitwise = True` is refused to heads that score whole sequences."""

    def __call__(self, scores: Scores, targets: Targets, weights: Tensor, progress: Progress) -> Tensor:
        """One number to be minimised."""
        ...


class Refresh(Protocol):
    """What is found out about all units of the corpus between steps: weights, soft targets, drawn labels."""

    def __call__(self, tagger: Tagger, feed: Feed, progress: Progress, table: Tensor | None) -> Tensor | None:
        """A table, (places, columns), whose rows samplers and losses see as `targets.table`; or None as long as there is none.

        Called before each step and given the table of the last call, which it may return as it is. Checkpoints keep the
        table. Randomness comes from torch's global generator, which the loop seeds before each call.
        """
        ...


# Ordinary training
everything = Everything()
cross_entropy = CrossEntropy()


@dataclass(frozen=True)
class Stage:
    """One model trained once."""

    name: str
    """Unique within a method: with the run's fingerprint, the key for resuming."""
    corpus: Corpus
    head: str
    """A module of `gleanner.model.heads`."""
    sampler: Sampler = everything
    loss: Loss = cross_entropy
    refresh: Refresh | None = None
    twin: Corpus | None = None
    """The same sentences in other words, as many words each: losses see them as `scores.twin`. Read once a run, after torch's
    global generator was seeded, and kept, so that it may be made while it is read."""
    start: Tagger | None = None
    """A model whose weights, head and labels this one begins with, instead of the encoder that the user named."""
    nothing: tuple[str, ...] = ()
    """Labels beside `O` and the entity types, which mean no entity when they are found."""
    scheme: Scheme = "BIO"
    """The tags of a token head, unless the user names others."""
    epochs: int | None = None
    """Instead of the user's."""
    rate: float = 1.0
    """What the user's learning rates are multiplied by."""
    select: bool = True
    """Whether development data choose the weights. Otherwise they are those of the last step, and nothing is evaluated."""
    seed: int = 0
    """Added to the run's seed."""

    def __post_init__(self) -> None:
        check_loss(self.loss, self.head)


def check_loss(loss: Loss, head: str) -> None:
    """That the loss can count what the head scores. A method whose loss may not asks it early, before anything is trained."""
    if getattr(loss, "unitwise", False) and not head_class(head).unitwise:
        raise InputError(
            f"the loss {name_of(loss)} counts each unit by itself, and the head {head!r} scores sequences",
            remedy="choose another head, such as linear or concat",
        )


class Train(Protocol):
    """Trains a stage. It knows the device, the checkpoints and the progress bar; methods know none of them."""

    def __call__(self, stage: Stage) -> Tagger:
        """The trained model, the best one on development data where there is any."""
        ...

    def together(self, stages: Sequence[Stage]) -> list[Tagger]:
        """As one after the other, but side by side where there is more than one device. None may need another's model."""
        ...


class Method(Protocol):
    """A frozen dataclass of hyperparameters with one verb.

    One that reads models beside may have a property `reads`, their names: the run's fingerprint then depends on the weights.
    """

    __dataclass_fields__: dict[str, Any]

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """A model from incomplete annotations."""
        ...
