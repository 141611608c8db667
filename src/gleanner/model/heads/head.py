"""The interface of a head, and how a head is found by its name."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any, ClassVar, Literal, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

import gleanner.model.heads as package
from gleanner.errors import InputError
from gleanner.model.encoder import WordVectors
from gleanner.model.units import Units


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


class Head(nn.Module):
    """Scores units. A head is a subclass in a module of its own, with `unit`, `pooling` and `forward`."""

    unit: ClassVar[Literal["spans", "tokens"]]
    pooling: ClassVar[Literal["first", "last", "mean", "edges"]] = "first"
    """Which pieces stand for a word, unless the user says otherwise."""

    def __init__(self, shape: HeadShape) -> None:
        super().__init__()
        self.shape = shape

    def forward(self, words: WordVectors, units: Units, index: Tensor | None = None) -> Tensor:
        """Scores of all units, or of those at `index`: (units, classes)."""
        raise TypeError(f"{type(self).__name__} does not define forward")

    def negative_log_likelihood(self, words: WordVectors, units: Units, labels: Tensor, weights: Tensor) -> Tensor:
        """The weighted sum over the units with a weight; only these are scored."""
        index = weights.nonzero().squeeze(1)
        weight = weights[index]
        losses = cross_entropy(self(words, units, index).float(), labels[index], reduction="none")
        return (weight * losses).sum()

    def log_probabilities(self, logits: Tensor, units: Units) -> Tensor:
        """Of all units' classes, given the scores of all units: (units, classes)."""
        return logits.float().log_softmax(dim=1)

    def best(self, logits: Tensor, units: Units) -> tuple[Tensor, Tensor]:
        """For each unit its class and how probable that is."""
        probability, label = logits.float().softmax(dim=1).max(dim=1)
        return label, probability


def head_class(name: str) -> type[Head]:
    """The class in the module of that name.

    >>> head_class("concat").unit
    'spans'
    """
    known = sorted(m.name for m in pkgutil.iter_modules(package.__path__) if m.name != "head")
    if name not in known:
        raise InputError(f"no head is called {name!r}", remedy=f"choose one of: {', '.join(known)}")
    module: Any = importlib.import_module(f"{package.__name__}.{name}")
    found = [v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__]
    return next(v for v in found if issubclass(v, Head))


def chosen(values: Tensor, index: Tensor | None) -> Tensor:
    """`values`, or those at `index`."""
    return values if index is None else torch.index_select(values, 0, index)
