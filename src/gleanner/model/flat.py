"""FLAT (Li et al. 2020): characters and the lexicon's words in one sequence, read by a transformer; no pre-training."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from gleanner.model.choices import FlatOptions, LexiconOptions, Pooling
from gleanner.model.encoder import WordVectors, padded, positions
from gleanner.model.examples import Examples
from gleanner.model.flat_attention import Lattice, LatticeLayer, Relations, codes
from gleanner.model.lexicon import Lexicon
from gleanner.model.lexicon_vectors import LexiconVectors, scale_evenly
from gleanner.model.spelling import SpelledTable, Spelling, spelling_of
from gleanner.model.vectors import read_vectors
from gleanner.model.vocabulary import Ints, Longs, Ragged


class Flat(nn.Module):
    """Its characters are the words of the sentences: in English text it sees words as wholes."""

    window = 256
    rate = 1e-3
    fresh: ClassVar[tuple[str, ...]] = ()

    def __init__(self, chars: Sequence[str], words: LexiconVectors, options: FlatOptions) -> None:
        super().__init__()
        self.options, self.chars, self.words = options, list(chars), words
        self._number = {char: k for k, char in enumerate(self.chars, start=1)}  # 0: unknown
        self.size = options.heads * options.head_size
        self.char = nn.Embedding(len(self.chars) + 1, options.char_size)
        scale_evenly(self.char)
        self.from_char = nn.Linear(options.char_size, self.size)
        self.from_word = nn.Linear(words.size, self.size)
        self.relations = Relations(self.size)
        self.layers = nn.ModuleList(
            LatticeLayer(options.heads, options.head_size, options.feed_forward, options.dropout)
            for _ in range(options.layers)
        )
        self.embedding_dropout = nn.Dropout(options.embedding_dropout)
        self.dropout = nn.Dropout(options.dropout)

    @classmethod
    def build(cls, examples: Examples, options: FlatOptions, lexicon: LexiconOptions) -> Flat:
        """For a training corpus; the characters of the vectors file come first where there is one."""
        words = LexiconVectors.build(examples, lexicon)
        if options.vectors is None:
            return cls(examples.vocabulary.words, words, options)
        names, vectors = read_vectors(Path(options.vectors))
        place = {name: k for k, name in reversed(list(enumerate(names)))}
        chars = list(dict.fromkeys([*names, *examples.vocabulary.words]))
        encoder = cls(chars, words, replace(options, char_size=vectors.shape[1]))
        with torch.no_grad():
            encoder.char.weight[1 : len(place) + 1] = vectors[[place[char] for char in chars[: len(place)]]]
        return encoder

    @classmethod
    def restore(cls, folder: Path, pooling: Pooling = "first") -> Flat:
        """From what `save` wrote. The weights are the tagger's. There are no pieces to be pooled."""
        state = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
        words = LexiconVectors(Lexicon(state["words"]), state["word_size"])
        return cls(state["chars"], words, FlatOptions(**state["options"]))

    def save(self, folder: Path) -> None:
        """Writes characters, lexicon and options, without weights."""
        folder.mkdir(parents=True, exist_ok=True)
        state = {"chars": self.chars, "words": self.words.lexicon.words, "word_size": self.words.size}
        text = json.dumps(state | {"options": asdict(self.options)})
        (folder / "vocabulary.json").write_text(text, encoding="utf-8")

    def table(self, words: Sequence[str]) -> SpelledTable:
        """Each word's number and its characters."""
        numbers = Ragged.of([[self._number.get(word) or self._number.get(word.lower(), 0)] for word in words])
        return SpelledTable(numbers.starts, numbers.values, Spelling.of(words))

    def costs(self, table: Ragged) -> Longs:
        """One a word."""
        return table.lengths

    def rows(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Longs]:
        """The corpus's characters, and the words of the lexicon that stand in it."""
        return {
            "char": np.append(table.values, 0).astype(np.int64),
            "words.embedding": self.words.rows(spelling_of(table), words, lengths),
        }

    def collate(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Tensor]:
        """The rows' characters, and the lexicon's words in them: number, first character and width of each."""
        found = self.words.lexicon.find(spelling_of(table), words, lengths)
        starts = np.cumsum(lengths) - lengths
        row = np.searchsorted(starts, found.first, side="right") - 1  # matches; no row is without words
        widths, kind = np.unique(np.append(found.width - 1, 0), return_inverse=True)
        arrays = {
            "chars": table.values[words].astype(np.int64),
            "lengths": lengths,
            "words": found.entry + 1,
            "counts": np.bincount(row, minlength=len(lengths)),
            "head": found.first - starts[row],
            "kind": kind[:-1],
            "widths": widths,
        }
        return {name: torch.from_numpy(array.astype(np.int64)) for name, array in arrays.items()}

    def forward(self, inputs: dict[str, Tensor]) -> WordVectors:
        """The states of the characters after the last layer, which is asked for no others."""
        chars, lengths, counts = inputs["chars"], inputs["lengths"], inputs["counts"]
        if self.training and self.options.word_dropout:
            chars = chars * (torch.rand(chars.shape, device=chars.device) >= self.options.word_dropout)
        own = padded(self.from_char(self.embedding_dropout(self.char(chars))), lengths)  # rows, chars, size
        words = padded(self.from_word(self.embedding_dropout(self.words(inputs["words"]))), counts)  # rows, words, size
        states = torch.cat((own, words), dim=1)
        lattice = _lattice(inputs, own.shape[1], words.shape[1])
        deep = len(self.layers) > 1
        relations = self.relations(lattice, len(lattice.widths) if deep else 1)
        code = codes(lattice, states.shape[1] if deep else lattice.chars)
        for layer in self.layers[:-1]:
            states = layer(states, relations, code, lattice)
        states = self.layers[-1](states, relations[:1], code[:, : lattice.chars], lattice)
        vectors = self.dropout(states[positions(lengths)])
        return WordVectors(vectors, vectors)


def _lattice(inputs: dict[str, Tensor], chars: int, words: int) -> Lattice:
    lengths, counts = inputs["lengths"], inputs["counts"]
    column = torch.arange(max(chars, words), device=lengths.device)
    own = column[:chars].expand(len(lengths), -1)
    head = torch.cat((own, padded(inputs["head"], counts)), dim=1)
    kind = torch.cat((torch.zeros_like(own), padded(inputs["kind"], counts)), dim=1)
    mask = torch.cat((own < lengths[:, None], column[:words] < counts[:, None]), dim=1)
    return Lattice(head, kind, mask, inputs["widths"], chars)
