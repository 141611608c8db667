"""What turns words into vectors: the interface, and the names by which encoders are found."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple, Protocol, Self, cast

import torch
from torch import Tensor

from gleanner.model.choices import EncoderKind, Pooling
from gleanner.model.vocabulary import Ints, Longs, Ragged


class WordVectors(NamedTuple):
    """Two vectors a word: as the first word of a span, and as the last. With most poolings they are the same tensor."""

    start: Tensor  # words of the batch, size
    end: Tensor  # words of the batch, size


class Encoder(Protocol):
    """A torch module. Words in, vectors out: a table of the vocabulary's pieces is made once; batches are cut from it."""

    size: int
    """The width of a word's vector."""
    window: int
    """How many pieces can be read at once."""
    fresh: ClassVar[tuple[str, ...]]
    """Its parts that were added to a pre-trained model: they learn as fast as a head."""

    @property
    def rate(self) -> float:
        """The learning rate of the other parts, unless the user has one."""
        ...

    @classmethod
    def restore(cls, folder: Path, pooling: Pooling) -> Self:
        """From what `save` wrote. The weights are not read here: they are the tagger's."""
        ...

    def save(self, folder: Path) -> None:
        """Writes all but the weights."""
        ...

    def table(self, words: Sequence[str]) -> Ragged:
        """What the encoder must know of each distinct word: its pieces, say."""
        ...

    def costs(self, table: Ragged) -> Longs:
        """How much of the window each word takes."""
        ...

    def rows(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Longs]:
        """Of its large embeddings, by their modules' names: the rows that batches of this corpus may need."""
        ...

    def collate(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Tensor]:
        """One batch. `words` are vocabulary numbers of all rows, one row after the other; `lengths` the words of each row."""
        ...

    def __call__(self, inputs: dict[str, Tensor]) -> WordVectors:
        """The vectors of all words of the batch, flat: no padding between rows."""
        ...


def encoder_class(kind: EncoderKind) -> type[Encoder]:
    """The class in the module of that name.

    >>> encoder_class("bilstm").__name__
    'BiLSTM'
    """
    module = importlib.import_module(f"gleanner.model.{kind}")
    own = (v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__)
    return cast("type[Encoder]", next(v for v in own if hasattr(v, "restore")))


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
