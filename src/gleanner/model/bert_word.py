"""BERT+Word (Liu et al. 2021): lexicon words joined to the vectors of a pre-trained encoder, then a BiLSTM."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from gleanner.model.encoder import WordVectors
from gleanner.model.lexicon_attention import LexiconAttention
from gleanner.model.lexicon_transformer import LexiconTransformer
from gleanner.model.lexicon_vectors import LexiconVectors
from gleanner.model.recurrence import bidirectional, states_of
from gleanner.model.transformer import Transformer
from gleanner.model.vocabulary import Ints, Longs, Ragged


class BertWord(LexiconTransformer):
    """`BiLSTM([h; z])`: h the encoder's vector of a word, z attention over the lexicon's words that cover it.

    The BiLSTM gives one vector a word; with `pooling: edges`, h is that of the first piece.
    """

    fresh: ClassVar[tuple[str, ...]] = ("words", "attention", "lstm")

    def __init__(
        self, transformer: Transformer, words: LexiconVectors, *, most: int, hidden: int, layers: int, dropout: float
    ) -> None:
        super().__init__(transformer, words, most=most, hidden=hidden, layers=layers, dropout=dropout)
        self.attention = LexiconAttention(self.size, words.size, dropout)
        self.lstm = bidirectional(2 * self.size, hidden, layers, dropout)
        self.dropout = nn.Dropout(dropout)
        self.size = 2 * hidden

    def collate(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Tensor]:
        """With the length of each row."""
        return super().collate(table, words, lengths) | {"lengths": torch.from_numpy(lengths)}

    def forward(self, inputs: dict[str, Tensor]) -> WordVectors:
        """One vector a word."""
        covering = inputs["covering"]  # words, slots
        own = self.transformer(inputs).start  # words, size of the encoder
        found = self.attention(own, self.words(covering), covering > 0)
        joined = self.dropout(torch.cat((own, found.to(own.dtype)), dim=1))
        vectors = self.dropout(states_of(self.lstm, joined, inputs["lengths"]))
        return WordVectors(vectors, vectors)
