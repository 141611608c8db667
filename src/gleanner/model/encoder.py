"""What turns words into vectors: the interface, and the names by which encoders are found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

from gleanner.model.vocabulary import Ints, Longs, Ragged


class WordVectors(NamedTuple):
    """Two vectors a word: as the first word of a span, and as the last. With most poolings they are the same tensor."""

    start: Tensor  # words of the batch, size
    end: Tensor  # words of the batch, size


class Encoder(Protocol):
    """Words in, vectors out. A table of the vocabulary's pieces is made once; batches are cut from it."""

    size: int
    """The width of a word's vector."""
    window: int
    """How many pieces can be read at once."""

    def table(self, words: Sequence[str]) -> Ragged:
        """What the encoder must know of each distinct word: its pieces, say."""
        ...

    def costs(self, table: Ragged) -> Longs:
        """How much of the window each word takes."""
        ...

    def collate(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Tensor]:
        """One batch. `words` are vocabulary numbers of all rows, one row after the other; `lengths` the words of each row."""
        ...

    def __call__(self, inputs: dict[str, Tensor]) -> WordVectors:
        """The vectors of all words of the batch, flat: no padding between rows."""
        ...


def padded(flat: Tensor, lengths: Tensor, fill: float = 0.0) -> Tensor:
    """Flat words to rows: (words, *) -> (rows, longest, *).

    >>> padded(torch.tensor([1., 2., 3.]), torch.tensor([1, 2])).tolist()
    [[1.0, 0.0], [2.0, 3.0]]
    """
    row, column = positions(lengths)
    out = flat.new_full((len(lengths), int(lengths.max()), *flat.shape[1:]), fill)
    out[row, column] = flat
    return out


def positions(lengths: Tensor) -> tuple[Tensor, Tensor]:
    """For each flat word its row and its place in the row.

    >>> positions(torch.tensor([1, 2]))
    (tensor([0, 1, 1]), tensor([0, 0, 1]))
    """
    row = torch.repeat_interleave(torch.arange(len(lengths), device=lengths.device), lengths)
    first = torch.cumsum(lengths, 0) - lengths
    return row, torch.arange(len(row), device=lengths.device) - first[row]
