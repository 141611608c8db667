"""A Hugging Face encoder with a lexicon beside it: what LEBERT and BERT+Word have in common."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from torch import Tensor, nn

from gleanner.model.choices import Pooling
from gleanner.model.lexicon import Lexicon
from gleanner.model.lexicon_vectors import LexiconVectors
from gleanner.model.spelling import SpelledTable, Spelling, spelling_of
from gleanner.model.transformer import Transformer
from gleanner.model.vocabulary import Ints, Longs, Ragged


class LexiconTransformer(nn.Module):
    """Batches have, beside the pieces, the lexicon's words that cover each word."""

    def __init__(self, transformer: Transformer, words: LexiconVectors, **shape: Any) -> None:
        super().__init__()
        self.transformer, self.words, self.shape = transformer, words, shape
        self.most: int = shape["most"]
        self.size, self.window = transformer.size, transformer.window

    @property
    def rate(self) -> float:
        """That of the pre-trained encoder."""
        return self.transformer.rate

    @classmethod
    def restore(cls, folder: Path, pooling: Pooling) -> Self:
        """From what `save` wrote. The weights are the tagger's."""
        state = json.loads((folder / "lexicon.json").read_text(encoding="utf-8"))
        words = LexiconVectors(Lexicon(state["words"]), state["size"])
        return cls(Transformer.restore(folder, pooling), words, **state["shape"])

    def save(self, folder: Path) -> None:
        """What the encoder alone would write, and the lexicon's words, without weights."""
        self.transformer.save(folder)
        state = {"words": self.words.lexicon.words, "size": self.words.size, "shape": self.shape}
        (folder / "lexicon.json").write_text(json.dumps(state), encoding="utf-8")

    def table(self, words: Sequence[str]) -> SpelledTable:
        """The pieces of each word and its characters."""
        pieces = self.transformer.table(words)
        return SpelledTable(pieces.starts, pieces.values, Spelling.of(words))

    def costs(self, table: Ragged) -> Longs:
        """Pieces of each word."""
        return self.transformer.costs(table)

    def rows(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Longs]:
        """The pieces, and the words of the lexicon that stand in the corpus."""
        pieces = self.transformer.rows(table, words, lengths)
        needed = {f"transformer.{name}": numbers for name, numbers in pieces.items()}
        return needed | {"words.embedding": self.words.rows(spelling_of(table), words, lengths)}

    def collate(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Tensor]:
        """The encoder's batch, and for each word the lexicon's words that cover it."""
        covering = self.words.covering(spelling_of(table), words, lengths, self.most)
        return self.transformer.collate(table, words, lengths) | {"covering": covering}
