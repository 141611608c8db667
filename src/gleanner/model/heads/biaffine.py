"""Start and end projections joined by a bilinear form (Yu et al. 2020, "Named entity recognition as dependency parsing")."""

from __future__ import annotations

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from gleanner.model.choices import Features
from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, HeadShape, Part, chosen
from gleanner.model.units import Units

HIDDEN = 150


class Biaffine(Head):
    """`s_i^T U_c e_j + w_c^T [s_i; e_j] + b_c` for each class c, with `s` and `e` from one ReLU layer each."""

    unit: ClassVar[Literal["spans", "tokens"]] = "spans"
    pooling: ClassVar[Literal["first", "last", "mean", "edges"]] = "edges"

    def __init__(self, shape: HeadShape) -> None:
        super().__init__(shape)
        dropout = 0.2 if shape.dropout is None else shape.dropout
        classes = len(shape.classes)
        self.start = nn.Sequential(nn.Linear(shape.size, HIDDEN), nn.ReLU(), nn.Dropout(dropout))
        self.end = nn.Sequential(nn.Linear(shape.size, HIDDEN), nn.ReLU(), nn.Dropout(dropout))
        self.bilinear = nn.Parameter(torch.empty(classes, HIDDEN, HIDDEN))
        nn.init.normal_(self.bilinear, std=HIDDEN**-1)
        self.by_start = nn.Linear(HIDDEN, classes)
        self.by_end = nn.Linear(HIDDEN, classes, bias=False)

    def forward(self, words: WordVectors, units: Units, index: Tensor | None = None) -> Tensor:
        """(units, classes)."""
        start, end = chosen(units.start, index), chosen(units.end, index)
        first, last = self.start(words.start), self.end(words.end)  # words, hidden
        last_of_units = chosen(last, end)  # units, hidden
        # One class at a time: (units, classes, hidden) never exists.
        joined = torch.stack(
            [(chosen(first @ matrix, start) * last_of_units).sum(dim=1) for matrix in self.bilinear.unbind()], dim=1
        )
        linear: Tensor = chosen(self.by_start(first), start) + chosen(self.by_end(last), end)
        return joined + linear

    def features(self, words: WordVectors, units: Units, which: Features) -> tuple[Part, ...]:
        """`hidden`: `[s_i; e_j]`, which the bilinear form reads."""
        if which == "hidden":
            words = WordVectors(self.start(words.start), self.end(words.end))
        return super().features(words, units, which)
