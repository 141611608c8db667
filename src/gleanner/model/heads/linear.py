"""One linear layer over each word: the plain token classifier."""

from __future__ import annotations

from typing import ClassVar, Literal

from torch import Tensor, nn

from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, HeadShape, chosen
from gleanner.model.units import Units


class Linear(Head):
    """`W h + b`, a class a tag."""

    unit: ClassVar[Literal["spans", "tokens"]] = "tokens"
    layer: ClassVar[type[nn.Module]] = nn.Linear
    """Made of the width of a word's vector and the number of classes."""

    def __init__(self, shape: HeadShape) -> None:
        super().__init__(shape)
        self.dropout = nn.Dropout(0.1 if shape.dropout is None else shape.dropout)
        self.scorer = self.layer(shape.size, len(shape.classes))

    def forward(self, words: WordVectors, units: Units, index: Tensor | None = None) -> Tensor:
        """(units, classes)."""
        scores: Tensor = self.scorer(self.dropout(chosen(words.start, chosen(units.start, index))))
        return scores
