"""RoSTER (Meng et al. 2021, "Distantly-supervised named entity recognition with noise-robust learning and language model
augmented self-training").

Distant labels are wrong as well as missing. A loss that forgives, and labels that are left out once the model disbelieves them,
keep a model from learning the errors; several such models together are steadier than one, and what they are sure of teaches
the rest.
"""

from __future__ import annotations

from dataclasses import dataclass as plain_dataclass

import torch
from pydantic import Field, PositiveFloat, PositiveInt
from pydantic.dataclasses import dataclass
from torch import Tensor

from gleanner.errors import InputError
from gleanner.methods import self_training
from gleanner.model.feed import Feed
from gleanner.model.tagger import Tagger
from gleanner.model.units import Targets
from gleanner.training.augment import Augmenter
from gleanner.training.scores import Scores
from gleanner.training.settings import STRICT
from gleanner.training.soft import divergence, parts
from gleanner.training.stage import Progress, Stage, Train
from gleanner.types import Corpus

KEPT_CLASS = 0.9
"""A class of whose words a larger share would go keeps all of them."""


@plain_dataclass(frozen=True)
class Trust:
    """The table: what of each word's label is believed. Columns: whether as silence, as "entity or not", and as a type."""

    drop: float
    tau: float
    every: int

    def __call__(self, tagger: Tagger, feed: Feed, progress: Progress, table: Tensor | None) -> Tensor:
        """(places, 3), of 0 and 1."""
        if table is None:
            silence = feed.targets()
            silent = (silence.label == 0) & ~silence.known
            dropped = silent & (torch.rand(len(silent)) < self.drop)
            table = torch.ones(len(silent), 3)
            table[:, 0] = (~dropped).float()
        elif self.tau and progress.step and progress.step % self.every == 0:
            targets = feed.targets()
            believed = believed_labels(tagger.log_probabilities(feed), targets, self.tau)
            table = torch.cat((table[:, :1].cpu(), believed), dim=1)
        return table


def believed_labels(log_probabilities: Tensor, targets: Targets, tau: float) -> Tensor:
    """Of each unit whether its "entity or not" and its type stay, 0 or 1: (units, 2). What stays has `p_y > tau`.

    An entity's word always stays one, and silence that means something stays too. A class that would lose more than nine
    tenths of its words loses none: the model has not seen enough of it to be sure of any (appendix C).
    """
    found, label = parts(log_probabilities), targets.label
    entity = label > 0
    binary = entity | targets.known | (found.binary[:, 0].exp() > tau)
    types = torch.ones_like(entity)
    tag = label[entity] - 1
    sure = found.types[entity].gather(1, tag[:, None]).squeeze(1).exp() > tau
    usable = targets.weight[entity] > 0
    classes = found.types.shape[1]
    total = torch.bincount(tag[usable], minlength=classes)
    gone = torch.bincount(tag[usable & ~sure], minlength=classes)
    types[entity] = sure | (gone > KEPT_CLASS * total)[tag]
    return torch.stack((binary, types), dim=1).float()


def trusted(scores: Scores, targets: Targets, progress: Progress) -> Tensor:
    """The sampler: everything but the silence that this model was not given."""
    assert targets.table is not None  # Trust always makes one
    return targets.weight * targets.table[:, 0]


def generalised_cross_entropy(log_p: Tensor, q: float) -> Tensor:
    """`(1 - p^q) / q`, from cross entropy (q = 0) to mean absolute error (q = 1) (Zhang and Sabuncu 2018).

    >>> p = torch.tensor([0.25, 1.0])
    >>> [generalised_cross_entropy(p.log(), q).tolist() for q in (0.5, 1)]
    [[1.0, -0.0], [0.75, -0.0]]
    """
    return -log_p if q == 0 else -torch.expm1(q * log_p) / q


@plain_dataclass(frozen=True)
class Robust:
    """Eq. 5 of both questions, summed over the words: "entity or not" of all, the type of those that are labelled with one."""

    q: float

    def __call__(self, scores: Scores, targets: Targets, weights: Tensor, progress: Progress) -> Tensor:
        """The loss."""
        assert targets.table is not None  # Trust always makes one
        found, label = parts(scores.log_probabilities()), targets.label
        is_entity = (label > 0).long()[:, None]
        binary = generalised_cross_entropy(found.binary.gather(1, is_entity).squeeze(1), self.q)
        some = (label > 0).nonzero().squeeze(1)
        types = generalised_cross_entropy(found.types[some].gather(1, label[some][:, None] - 1).squeeze(1), self.q)
        believed = weights[:, None] * targets.table[:, 1:]  # units, 2
        return (believed[:, 0] * binary).sum() + (believed[some, 1] * types).sum()


class Mean:
    """The table: the members' mean probabilities."""

    def __init__(self, members: list[Tagger]) -> None:
        self.members = members

    def __call__(self, tagger: Tagger, feed: Feed, progress: Progress, table: Tensor | None) -> Tensor:
        """(places, classes)."""
        if table is None:
            table = torch.zeros(())
            for member in self.members:
                table = table + member.log_probabilities(feed).exp() / len(self.members)
                member.cpu()  # nobody asks it again, and there may be many
        return table


def distillation(scores: Scores, targets: Targets, weights: Tensor, progress: Progress) -> Tensor:
    """Eq. 6: `KL(mean of the members || p)`, summed over the words."""
    assert targets.table is not None  # Mean always makes one
    return (weights * divergence(targets.table, scores.log_probabilities())).sum()


@dataclass(frozen=True, config=STRICT)
class Roster:
    """Models that forgive wrong labels and drop those they disbelieve, distilled into one, which then trains itself."""

    q: float = Field(default=0.7, ge=0.0, le=1.0)
    """Of the generalised cross entropy. 0: cross entropy, 1: mean absolute error."""
    tau: float = Field(default=0.7, ge=0.0, lt=1.0)
    """A label whose probability is not above it is left out. 0: none is."""
    every: PositiveInt = 200
    """Steps between the passes that decide this."""
    drop: float = Field(default=0.5, ge=0.0, lt=1.0)
    """Share of the unlabelled words that a model never sees as negatives, drawn for each model."""
    models: PositiveInt = 5
    """Models whose mean is distilled into one. 1: that one, not distilled."""
    ensemble_rate: PositiveFloat = 1 / 3
    """What the learning rates are multiplied by in distilling; in the paper 1e-5 follows 3e-5."""
    ensemble_epochs: PositiveInt | None = None
    """Epochs of distilling; when not given, `training.epochs`."""
    self_training: bool = True
    """Whether the model goes on with its own predictions."""
    self_training_rate: PositiveFloat = 1 / 60
    """What the learning rates are multiplied by in that; in the paper 5e-7 follows 3e-5."""
    self_training_epochs: PositiveInt | None = None
    """Epochs of self-training; when not given, `training.epochs`."""
    threshold: float = Field(default=0.8, ge=0.0, le=1.0)
    """How sure that a word is an entity's the model must be, if its type is to be learned from in self-training."""
    targets_every: PositiveInt = 100
    """Steps between the passes that make new targets in self-training."""
    augment: bool = True
    """Whether self-training also reads each sentence in other words."""
    augmenter: str | None = None
    """The masked language model that finds these words: a folder or Hugging Face name, not necessarily the encoder."""
    head: str = "twofold"
    """Span heads `concat`, `interaction`, `biaffine`; token heads `linear`, `angle`, `crf`, `angle-crf`, `twofold`."""

    def __post_init__(self) -> None:
        if self._rewrites and self.augmenter is None:
            raise InputError(
                "roster rewrites sentences with a masked language model, and none is named",
                remedy="name one with method.augmenter, or train without the rewritten sentences: method.augment=false",
            )

    @property
    def _rewrites(self) -> bool:
        return self.self_training and self.augment

    @property
    def reads(self) -> tuple[str, ...]:
        """What the run depends on beside settings and data."""
        return () if self.augmenter is None else (self.augmenter,)

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """The members, their mean in one model, self-training."""
        twin = self._twin(corpus)
        members = train.together([self._member(corpus, number) for number in range(self.models)])
        model = members[0] if len(members) == 1 else train(self._distilled(corpus, members))
        if not self.self_training:
            return model
        return train(
            self_training.stage(
                corpus,
                model,
                twin,
                threshold=self.threshold,
                every=self.targets_every,
                rate=self.self_training_rate,
                epochs=self.self_training_epochs,
            )
        )

    def _twin(self, corpus: Corpus) -> Corpus | None:
        """Before anything is trained: a run should not end after hours for want of an augmenter."""
        if self.augmenter is None or not self._rewrites:
            return None
        return Augmenter.load(self.augmenter).twin(corpus)

    def _member(self, corpus: Corpus, number: int) -> Stage:
        return Stage(
            f"member-{number + 1}",
            corpus,
            self.head,
            sampler=trusted,
            loss=Robust(self.q),
            refresh=Trust(self.drop, self.tau, self.every),
            scheme="IO",
            seed=number,
        )

    def _distilled(self, corpus: Corpus, members: list[Tagger]) -> Stage:
        return Stage(
            "ensemble",
            corpus,
            self.head,
            loss=distillation,
            refresh=Mean(members),
            scheme="IO",
            epochs=self.ensemble_epochs,
            rate=self.ensemble_rate,
            seed=self.models,
        )
