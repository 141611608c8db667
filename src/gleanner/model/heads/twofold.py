"""Two questions a word: whether it is part of an entity, and of which type if so (Meng et al. 2021, RoSTER)."""

from __future__ import annotations

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, HeadShape, chosen
from gleanner.model.units import Units


class Twofold(Head):
    """`log(1 - p)` for O and `log p + log softmax(types)` for the tags: log-probabilities, which softmax leaves as they are.

    So losses, decoding and ensembles need not know this head. The two layers are the rows of one matrix.
    """

    unit: ClassVar[Literal["spans", "tokens"]] = "tokens"

    def __init__(self, shape: HeadShape) -> None:
        super().__init__(shape)
        self.dropout = nn.Dropout(0.1 if shape.dropout is None else shape.dropout)
        self.scorer = nn.Linear(shape.size, len(shape.classes))  # row 0: entity or not; the others: tags

    def forward(self, words: WordVectors, units: Units, index: Tensor | None = None) -> Tensor:
        """(units, classes)."""
        raw = self.scorer(self.dropout(chosen(words.start, chosen(units.start, index))))
        raw = raw.float() if raw.dtype == torch.bfloat16 else raw  # what is near 1 has no neighbours in half precision
        entity, types = raw[:, :1], raw[:, 1:]
        return torch.cat((logsigmoid(-entity), logsigmoid(entity) + types.log_softmax(dim=1)), dim=1)
