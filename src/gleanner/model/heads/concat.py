"""[first word; last word; width] through two ReLU layers: the span head of Top-Neg and NRCES."""

from __future__ import annotations

from typing import ClassVar, Literal

from torch import Tensor, nn

from gleanner.model.choices import Features
from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, HeadShape, Part, chosen
from gleanner.model.units import Units

HIDDEN = 150
WIDTH_SIZE = 25


class Concat(Head):
    """`MLP([h_i; h_j; w])`, the first layer split: `W1 h_i + W2 h_j + W3 w` costs two products a word, not one a span.

    Dropout therefore falls on the words' vectors, not on each span's copy of them: the same in expectation.
    """

    unit: ClassVar[Literal["spans", "tokens"]] = "spans"
    pooling: ClassVar[Literal["first", "last", "mean", "edges"]] = "edges"

    def __init__(self, shape: HeadShape) -> None:
        super().__init__(shape)
        dropout = 0.2 if shape.dropout is None else shape.dropout
        self.start = nn.Linear(shape.size, HIDDEN)
        self.end = nn.Linear(shape.size, HIDDEN, bias=False)
        self.width = nn.Embedding(shape.max_width, WIDTH_SIZE)
        self.from_width = nn.Linear(WIDTH_SIZE, HIDDEN, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.scorer = nn.Sequential(
            nn.ReLU(), nn.Dropout(dropout), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, len(shape.classes))
        )

    def forward(self, words: WordVectors, units: Units, index: Tensor | None = None) -> Tensor:
        """(units, classes)."""
        scores: Tensor = self.scorer(self._first_layer(words, units, index))
        return scores

    def features(self, words: WordVectors, units: Units, which: Features) -> tuple[Part, ...]:
        """`hidden`: the second ReLU layer; `span`: `[h_i; h_j; w]`."""
        if which == "hidden":
            return (Part(self.scorer[:-1](self._first_layer(words, units)), None),)
        return (*super().features(words, units, which), Part(self.width.weight, units.end - units.start))

    def _first_layer(self, words: WordVectors, units: Units, index: Tensor | None = None) -> Tensor:
        """`W1 h_i + W2 h_j + W3 w`: (units, hidden)."""
        start, end = chosen(units.start, index), chosen(units.end, index)
        by_start = self.start(self.dropout(words.start))  # words, hidden
        by_end = self.end(self.dropout(words.end))  # words, hidden
        by_width = self.from_width(self.width.weight)  # widths, hidden
        return chosen(by_start, start) + chosen(by_end, end) + chosen(by_width, end - start)
