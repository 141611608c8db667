"""A word's own pick among the lexicon's words that cover it (Liu et al. 2021, Eq. 4 to 7)."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class LexiconAttention(nn.Module):
    """`z = sum_j a_j v_j` with `v_j = W_2 tanh(W_1 x_j + b_1) + b_2` and `a = softmax(h W v_j)`.

    What no word covers gets 0. (The released code lets it attend to the vector of the padding.)
    """

    def __init__(self, size: int, word_size: int, dropout: float) -> None:
        super().__init__()
        self.inner = nn.Linear(word_size, size)
        self.outer = nn.Linear(size, size)
        self.bilinear = nn.Linear(size, size, bias=False)
        self.dropout = nn.Dropout(dropout)
        nn.init.normal_(self.bilinear.weight, std=0.02)  # as BERT's own: at first all words of a character count alike

    def forward(self, states: Tensor, vectors: Tensor, present: Tensor) -> Tensor:
        """From (n, size), (n, slots, word size) and whether each slot holds a word, (n, slots), to (n, size)."""
        values = self.dropout(self.outer(torch.tanh(self.inner(vectors))))  # n, slots, size
        scores = (values @ self.bilinear(states)[:, :, None]).squeeze(2)  # n, slots
        weights = scores.masked_fill(~present, torch.finfo(scores.dtype).min).softmax(dim=1) * present
        found: Tensor = (weights[:, :, None].to(values.dtype) * values).sum(dim=1)
        return found
