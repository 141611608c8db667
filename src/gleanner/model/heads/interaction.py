"""[first; last; difference; product] through one tanh layer: the span head of negative sampling (Li et al. 2021, 2022)."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import layer_norm, linear
from torch.utils.checkpoint import checkpoint

from gleanner.model.choices import Features
from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, HeadShape, Part, chosen
from gleanner.model.units import Units

HIDDEN = 256
BAND = 4096
"""Spans whose products exist at a time."""


class Interaction(Head):
    """`V tanh(W [h_i; h_j; h_i - h_j; h_i * h_j])`.

    The first three parts split into one projection for the first and one for the last word: `W1 h_i + W2 h_j +
    W3 (h_i - h_j) = (W1 + W3) h_i + (W2 - W3) h_j`, so two matrices say all that three can. The product does not split; it
    is formed a band of spans at a time and formed again for the gradient, so that it never exists whole.

    The vectors are brought to mean 0 and variance 1 first. Products square an encoder's scale: where its vectors are long (a
    sentence encoder's may be ten times BERT's), every tanh is saturated from the first step on and learning takes many epochs.
    """

    unit: ClassVar[Literal["spans", "tokens"]] = "spans"

    def __init__(self, shape: HeadShape) -> None:
        super().__init__(shape)
        self.dropout = nn.Dropout(0.1 if shape.dropout is None else shape.dropout)  # the paper says 0.4, the code 0.1
        self.start = nn.Linear(shape.size, HIDDEN)
        self.end = nn.Linear(shape.size, HIDDEN, bias=False)
        self.product = nn.Linear(shape.size, HIDDEN, bias=False)
        self.scorer = nn.Linear(HIDDEN, len(shape.classes))

    def forward(self, words: WordVectors, units: Units, index: Tensor | None = None) -> Tensor:
        """(units, classes)."""
        return self._bands(words, chosen(units.start, index), chosen(units.end, index), self._scores)

    def features(self, words: WordVectors, units: Units, which: Features) -> tuple[Part, ...]:
        """`hidden`: the tanh layer; `span`: `[h_i; h_j]`, of which the rest of its input is made."""
        if which == "hidden":
            hidden = self._bands(words, units.start, units.end, lambda doubled: 2 * doubled.float().sigmoid() - 1)
            return (Part(hidden, None),)
        return super().features(words, units, which)

    def _projected(self, words: WordVectors) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The vectors as first and last word: (words, size), and through their layers: (words, hidden)."""
        first = normal(words.start)
        last = first if words.end is words.start else normal(words.end)
        first, last = self.dropout(first), self.dropout(last)
        return first, last, self.start(first), self.end(last)

    def _bands(self, words: WordVectors, start: Tensor, end: Tensor, read: Callable[[Tensor], Tensor]) -> Tensor:
        """What is read of twice the tanh layer's input, a band of spans at a time: (spans, what is read)."""
        projected = self._projected(words)
        bands = []
        for k in range(0, max(len(start), 1), BAND):
            factors = (*projected, start[k : k + BAND], end[k : k + BAND])
            if torch.is_grad_enabled():
                doubled = checkpoint(self._doubled, *factors, use_reentrant=False, preserve_rng_state=False)
            else:
                doubled = self._doubled(*factors)
            bands.append(read(doubled))
        return torch.cat(bands) if len(bands) > 1 else bands[0]

    def _scores(self, doubled: Tensor) -> Tensor:
        """The classes' scores of a band: (band, classes).

        tanh(x) is 2 sigmoid(2x) - 1, and a CPU's sigmoid is several times faster: the first 2 is in what is given, the rest is
        taken into the scorer. In single precision, for sums of sigmoids nearly cancel.
        """
        with torch.autocast(doubled.device.type, enabled=False):
            whole = doubled.float() if doubled.dtype == torch.bfloat16 else doubled
            sigmoid = whole.sigmoid() if whole.requires_grad else whole.sigmoid_()  # in place: no fresh memory
            weight = self.scorer.weight
            return linear(sigmoid, 2 * weight, self.scorer.bias - weight.sum(dim=1))

    def _doubled(self, first: Tensor, last: Tensor, by_start: Tensor, by_end: Tensor, i: Tensor, j: Tensor) -> Tensor:
        """(band, hidden)."""
        product = chosen(first, i) * chosen(last, j)
        return torch.addmm(chosen(by_start, i) + chosen(by_end, j), product, self.product.weight.T, beta=2, alpha=2)


def normal(vectors: Tensor) -> Tensor:
    """Each vector with mean 0 and variance 1, in the precision of the products: to cast it once a word is cheap."""
    whole = layer_norm(vectors, vectors.shape[-1:])
    kind = vectors.device.type
    return whole.to(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else whole
