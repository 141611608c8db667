"""[first; last; difference; product] through one tanh layer: the span head of negative sampling (Li et al. 2021, 2022)."""

from __future__ import annotations

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint

from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, HeadShape, chosen
from gleanner.model.units import Units

HIDDEN = 256
BAND = 8192
"""Spans whose products exist at a time."""


class Interaction(Head):
    """`V tanh(W [h_i; h_j; h_i - h_j; h_i * h_j])`.

    The first three parts split into one projection for the first and one for the last word: `W1 h_i + W2 h_j +
    W3 (h_i - h_j) = (W1 + W3) h_i + (W2 - W3) h_j`, so two matrices say all that three can. The product does not split; it
    is formed a band of spans at a time and formed again for the gradient, so that it never exists whole.
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
        start, end = chosen(units.start, index), chosen(units.end, index)
        first, last = self.dropout(words.start), self.dropout(words.end)
        by_start, by_end = self.start(first), self.end(last)  # words, hidden
        bands = [
            self._band(first, last, by_start, by_end, start[k : k + BAND], end[k : k + BAND])
            for k in range(0, max(len(start), 1), BAND)
        ]
        return torch.cat(bands) if len(bands) > 1 else bands[0]

    def _band(
        self, first: Tensor, last: Tensor, by_start: Tensor, by_end: Tensor, start: Tensor, end: Tensor
    ) -> Tensor:
        if torch.is_grad_enabled():
            product: Tensor = checkpoint(
                self._products, first, last, start, end, use_reentrant=False, preserve_rng_state=False
            )
        else:
            product = self._products(first, last, start, end)
        hidden = chosen(by_start, start) + chosen(by_end, end) + product  # band, hidden
        scores: Tensor = self.scorer(hidden.tanh())
        return scores

    def _products(self, first: Tensor, last: Tensor, start: Tensor, end: Tensor) -> Tensor:
        out: Tensor = self.product(chosen(first, start) * chosen(last, end))
        return out
