"""A lexicon's words with a vector each: what the three lexicon-enhanced encoders share."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from gleanner.errors import InputError
from gleanner.model.choices import LexiconOptions
from gleanner.model.examples import Examples
from gleanner.model.lexicon import Lexicon, frequent
from gleanner.model.spelling import LONGEST, Spelling
from gleanner.model.vectors import read_words
from gleanner.model.vocabulary import Ints, Longs, ranges

BLOCK = 1 << 14
"""Words of a corpus that are matched together."""


class LexiconVectors(nn.Module):
    """An embedding of a lexicon's words; its first row is no word's."""

    def __init__(self, lexicon: Lexicon, size: int) -> None:
        super().__init__()
        self.lexicon, self.size = lexicon, size
        self.embedding = nn.Embedding(len(lexicon) + 1, size, padding_idx=0)
        scale_evenly(self.embedding)

    @classmethod
    def build(cls, examples: Examples, options: LexiconOptions) -> LexiconVectors:
        """For a training corpus.

        Of a file with vectors all words of 2 to `LONGEST` characters are kept: their vectors mean something in any text.
        Vectors that start at random only learn where the corpus has the word, so of a list the other words are left out.
        """
        spelling = Spelling.of(examples.vocabulary.words)
        if options.file is None:
            return cls(Lexicon(frequent(spelling, examples.words, examples.lengths)), options.size)
        path = Path(options.file)
        words, vectors = read_words(path)
        place: dict[str, int] = {}  # of the lines that a word has, the first
        for line, word in enumerate(words):
            if 2 <= len(word) <= LONGEST:
                place.setdefault(word, line)
        words = list(place)
        lexicon = Lexicon(words)
        used = matched(lexicon, spelling, examples.words, examples.lengths)
        if not len(used):
            raise InputError(
                f"none of its {len(words):,} words of 2 to {LONGEST} characters stands in the training data",
                path=path,
                remedy="give a lexicon of the data's language",
            )
        if vectors is None:
            return cls(Lexicon([words[k] for k in used.tolist()]), options.size)
        found = cls(lexicon, vectors.shape[1])
        with torch.no_grad():
            found.embedding.weight[1:] = vectors[list(place.values())]
        return found

    def rows(self, spelling: Spelling, words: Ints, lengths: Longs) -> Longs:
        """The rows of the embedding that a corpus needs."""
        return np.append(matched(self.lexicon, spelling, words, lengths) + 1, 0)

    def covering(self, spelling: Spelling, words: Ints, lengths: Longs, most: int) -> Tensor:
        """For each word of the rows the lexicon's words that cover it, the longest first, then 0: (words, up to `most`)."""
        found = self.lexicon.find(spelling, words, lengths)
        which = np.repeat(np.arange(len(found.entry)), found.width)
        word = ranges(found.first, found.width)
        order = np.lexsort((found.first[which], -found.width[which], word))
        word, entry = word[order], found.entry[which[order]] + 1
        rank = np.arange(len(word)) - np.searchsorted(word, word)
        kept = rank < most
        table = np.zeros((len(words), int(rank[kept].max(initial=0)) + 1), np.int64)
        table[word[kept], rank[kept]] = entry[kept]
        return torch.from_numpy(table)

    def forward(self, numbers: Tensor) -> Tensor:
        """The vectors of these rows."""
        vectors: Tensor = self.embedding(numbers)
        return vectors


def matched(lexicon: Lexicon, spelling: Spelling, words: Ints, lengths: Longs) -> Longs:
    """The numbers of the lexicon's words that stand anywhere in a corpus, sorted."""
    starts = np.concatenate(([0], np.cumsum(lengths)))  # rows + 1
    cuts = np.unique(np.append(np.searchsorted(starts, np.arange(0, starts[-1], BLOCK)), len(lengths)))
    found = [np.empty(0, np.int64)]
    for begin, end in pairwise(cuts.tolist()):
        block = words[starts[begin] : starts[end]]
        found.append(np.unique(lexicon.find(spelling, block, lengths[begin:end]).entry))
    return np.unique(np.concatenate(found))


def scale_evenly(embedding: nn.Embedding) -> None:
    """Values between plus and minus the square root of 3 / width, so that a vector's length is about 1."""
    bound = (3 / embedding.embedding_dim) ** 0.5
    with torch.no_grad():
        embedding.weight.uniform_(-bound, bound)
        if embedding.padding_idx is not None:
            embedding.weight[embedding.padding_idx] = 0.0
