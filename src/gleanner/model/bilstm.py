"""A BiLSTM over word and character embeddings: an `Encoder` without pre-training (Ma and Hovy 2016)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from gleanner.model.choices import BiLSTMOptions, Pooling
from gleanner.model.encoder import WordVectors
from gleanner.model.recurrence import bidirectional, states_of
from gleanner.model.vectors import read_vectors
from gleanner.model.vocabulary import Ints, Longs, Ragged

LONGEST_WORD = 64
"""Characters of a word that the character network reads."""


class BiLSTM(nn.Module):
    """Word embedding and a convolution over characters, read by an LSTM in both directions."""

    window = 4096
    rate = 1e-3
    fresh: ClassVar[tuple[str, ...]] = ()

    def __init__(self, words: Sequence[str], chars: Sequence[str], options: BiLSTMOptions) -> None:
        super().__init__()
        self.options = options
        self.words, self.chars = list(words), list(chars)
        self._word_number = {word: k for k, word in enumerate(self.words, start=1)}  # 0: unknown
        self._char_number = {char: k for k, char in enumerate(self.chars, start=2)}  # 0: padding, 1: unknown
        self.size = 2 * options.hidden
        self.word = nn.Embedding(len(self.words) + 1, options.word_size)
        self.char = nn.Embedding(len(self.chars) + 2, options.char_size, padding_idx=0)
        self.convolution = nn.Conv1d(options.char_size, options.char_size, kernel_size=3, padding=1)
        width = options.word_size + options.char_size
        self.lstm = bidirectional(width, options.hidden, options.layers, options.dropout)
        self.dropout = nn.Dropout(options.dropout)

    @classmethod
    def build(cls, words: Iterable[str], options: BiLSTMOptions) -> BiLSTM:
        """For the words of a training corpus, and for all words of the vectors file where there is one."""
        known = list(dict.fromkeys(words))
        chars = sorted({char for word in known for char in word})
        if options.vectors is None:
            return cls(known, chars, options)
        names, vectors = read_vectors(Path(options.vectors))
        place = {name: k for k, name in enumerate(names)}
        extra = [word for word in known if word not in place]
        shape = replace(options, word_size=vectors.shape[1])
        encoder = cls([*names, *extra], chars, shape)
        with torch.no_grad():
            encoder.word.weight[1 : len(names) + 1] = vectors
        return encoder

    @classmethod
    def restore(cls, folder: Path, pooling: Pooling = "first") -> BiLSTM:
        """From what `save` wrote. The weights are the tagger's. There are no pieces to be pooled."""
        state = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
        return cls(state["words"], state["chars"], BiLSTMOptions(**state["options"]))

    def save(self, folder: Path) -> None:
        """Writes words, characters and options, without weights."""
        folder.mkdir(parents=True, exist_ok=True)
        state = {"words": self.words, "chars": self.chars, "options": asdict(self.options)}
        (folder / "vocabulary.json").write_text(json.dumps(state), encoding="utf-8")

    def table(self, words: Sequence[str]) -> Ragged:
        """For each word its number, then those of its characters."""
        numbers, chars = self._word_number, self._char_number
        return Ragged.of(
            [
                [numbers.get(word) or numbers.get(word.lower(), 0), *(chars.get(c, 1) for c in word[:LONGEST_WORD])]
                for word in words
            ]
        )

    def costs(self, table: Ragged) -> Longs:
        """One a word."""
        return np.ones(len(table.starts) - 1, np.int64)

    def rows(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Longs]:
        """The words' numbers and that of the unknown word: a file of vectors holds many more."""
        return {"word": np.append(table.values[table.starts[:-1]], 0).astype(np.int64)}

    def collate(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Tensor]:
        """The characters of each distinct word once; for each word its number and which of the distinct it is."""
        distinct, which = np.unique(words, return_inverse=True)
        spelled = np.diff(table.starts)[distinct] - 1  # distinct: characters
        chars = np.zeros((len(distinct), int(spelled.max(initial=1))), np.int64)  # distinct, characters
        column = np.arange(chars.shape[1])
        inside = column < spelled[:, None]
        chars[inside] = table.values[(table.starts[distinct][:, None] + 1 + column)[inside]]
        return {
            "words": torch.from_numpy(table.values[table.starts[words]].astype(np.int64)),
            "chars": torch.from_numpy(chars),
            "which": torch.from_numpy(which.astype(np.int64)),
            "lengths": torch.from_numpy(lengths),
        }

    def forward(self, inputs: dict[str, Tensor]) -> WordVectors:
        """In single precision always, as a recurrence needs."""
        words, chars, lengths = inputs["words"], inputs["chars"], inputs["lengths"]
        if self.training and self.options.word_dropout:
            words = words * (torch.rand(words.shape, device=words.device) >= self.options.word_dropout)
        with torch.autocast(words.device.type, enabled=False):
            spelled = self.convolution(self.char(chars).transpose(1, 2))  # distinct, char size, characters
            blank = chars == 0  # else a word's spelling would depend on the longest word beside it
            blank[:, 0] = False  # a word without characters keeps one place
            spelling = spelled.masked_fill(blank[:, None], -torch.inf).amax(dim=2)[inputs["which"]]  # words, char size
            flat = self.dropout(torch.cat((self.word(words), spelling), dim=1))
        vectors = self.dropout(states_of(self.lstm, flat, lengths))
        return WordVectors(vectors, vectors)
