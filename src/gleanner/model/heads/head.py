"""The interface of a head, and how a head is found by its name."""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

import gleanner.model.heads as package
from gleanner.model.choices import Features
from gleanner.model.encoder import WordVectors
from gleanner.model.units import Units
from gleanner.named import Named


class HeadShape(NamedTuple):
    """What a head must know to build itself."""

    size: int
    """The width of a word's vector."""
    classes: tuple[str, ...]
    """The names of what is scored; the first is `O`."""
    max_width: int
    """The longest span, in words. Token heads do not use it."""
    dropout: float | None
    """Instead of the head's own."""


class Part(NamedTuple):
    """One part of the vectors of all units: rows of a table. Units share rows, so their vectors are never put together."""

    table: Tensor  # rows, size
    row: Tensor | None  # units: the row of each; None where unit k has row k


class Head(nn.Module):
    """Scores units. A head is a subclass in a module of its own, with `unit`, `pooling` and `forward`."""

    unit: ClassVar[Literal["spans", "tokens"]]
    pooling: ClassVar[Literal["first", "last", "mean", "edges"]] = "first"
    """Which pieces stand for a word, unless the user says otherwise."""
    unitwise: ClassVar[bool] = True
    """Whether each unit is scored by itself; a CRF scores sequences."""

    def __init__(self, shape: HeadShape) -> None:
        super().__init__()
        self.shape = shape

    def forward(self, words: WordVectors, units: Units, index: Tensor | None = None) -> Tensor:
        """Scores of all units, or of those at `index`: (units, classes)."""
        raise TypeError(f"{type(self).__name__} does not define forward")

    def features(self, words: WordVectors, units: Units, which: Features) -> tuple[Part, ...]:
        """What all units are like, for samplers that compare them: the vectors of a span's ends, or of a word.

        A head with more of its own, a last hidden layer or a width, gives that.
        """
        first = Part(words.start, units.start)
        return (first,) if self.unit == "tokens" else (first, Part(words.end, units.end))

    def negative_log_likelihood(
        self, words: WordVectors, units: Units, labels: Tensor, weights: Tensor, removed: Tensor | None = None
    ) -> Tensor:
        """The weighted sum over the units with a weight; only these are scored.

        What is `removed` (units, bool) is not scored either. A head whose units hang together, as a CRF's do, tells the two
        apart: of a unit without a weight the label is not known, of one that is removed the scores do not count.
        """
        if removed is not None:
            weights = weights * ~removed
        index = weights.nonzero().squeeze(1)
        weight = weights[index]
        losses = cross_entropy(self(words, units, index).float(), labels[index], reduction="none")
        return (weight * losses).sum()

    def log_probabilities(self, logits: Tensor, units: Units) -> Tensor:
        """Of all units' classes, given the scores of all units: (units, classes)."""
        return logits.float().log_softmax(dim=1)

    def probabilities(self, logits: Tensor, units: Units) -> Tensor:
        """Likewise: (units, classes)."""
        return logits.float().softmax(dim=1)

    def best(self, logits: Tensor, units: Units) -> tuple[Tensor, Tensor]:
        """For each unit its class and how probable that is."""
        probability, label = self.probabilities(logits, units).max(dim=1)
        return label, probability


HEADS = Named[Head](package, "head", "negative_log_likelihood", beside=("head",))


def head_class(name: str) -> type[Head]:
    """The class in the module of that name.

    >>> head_class("concat").unit
    'spans'
    """
    return HEADS.load(name)


def chosen(values: Tensor, index: Tensor | None) -> Tensor:
    """`values`, or those at `index`."""
    return values if index is None else torch.index_select(values, 0, index)
