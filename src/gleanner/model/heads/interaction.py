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
        if index is None:
            scores, place = self._all(words, units, self._scores)
            return chosen(scores, place)
        first, last, by_start, by_end = self._projected(words)
        start, end = chosen(units.start, index), chosen(units.end, index)
        bands = []
        for k in range(0, max(len(start), 1), BAND):
            i, j = start[k : k + BAND], end[k : k + BAND]
            bands.append(self._scores(self._band(chosen(by_start, i) + chosen(by_end, j), first, last, i, j)))
        return torch.cat(bands) if len(bands) > 1 else bands[0]

    def features(self, words: WordVectors, units: Units, which: Features) -> tuple[Part, ...]:
        """`hidden`: the tanh layer; `span`: `[h_i; h_j]`, of which the rest of its input is made."""
        if which == "hidden":
            return (self._all(words, units, lambda doubled: 2 * doubled.float().sigmoid() - 1),)
        return super().features(words, units, which)

    def _projected(self, words: WordVectors) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The vectors as first and last word: (words, size), and through their layers: (words, hidden)."""
        first = normal(words.start)
        last = first if words.end is words.start else normal(words.end)
        first, last = self.dropout(first), self.dropout(last)
        return first, last, self.start(first), self.end(last)

    def _all(self, words: WordVectors, units: Units, read: Callable[[Tensor], Tensor]) -> Part:
        """What is read of all spans, a width at a time over all words of the batch: slices where single spans would have to
        be gathered.

        Pairs across sentences are read, too, and not used.
        """
        first, last, by_start, by_end = self._projected(words)
        count, widest = len(first), min(self.shape.max_width, len(first))
        bands = [
            read(self._band(by_start[: count - w] + by_end[w:], first[: count - w], last[w:], None, None))
            for w in range(widest)
        ]
        before = torch.tensor([w * count - w * (w - 1) // 2 for w in range(widest)], device=units.start.device)
        return Part(torch.cat(bands), before[units.end - units.start] + units.start)

    def _band(self, ends: Tensor, first: Tensor, last: Tensor, start: Tensor | None, end: Tensor | None) -> Tensor:
        """Twice what tanh is applied to: (band, hidden)."""
        factors = (ends, first, last, start, end)
        if not torch.is_grad_enabled():
            return self._hidden(*factors)
        doubled: Tensor = checkpoint(self._hidden, *factors, use_reentrant=False, preserve_rng_state=False)
        return doubled

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

    def _hidden(self, ends: Tensor, first: Tensor, last: Tensor, start: Tensor | None, end: Tensor | None) -> Tensor:
        return torch.addmm(ends, chosen(first, start) * chosen(last, end), self.product.weight.T, beta=2, alpha=2)


def normal(vectors: Tensor) -> Tensor:
    """Each vector with mean 0 and variance 1, in the precision of the products: to cast it once a word is cheap."""
    whole = layer_norm(vectors, vectors.shape[-1:])
    kind = vectors.device.type
    return whole.to(torch.get_autocast_dtype(kind)) if torch.is_autocast_enabled(kind) else whole
