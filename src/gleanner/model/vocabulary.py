"""Distinct words, numbered: the corpus is kept as these numbers, and each word is cut into pieces only once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


class Vocabulary:
    """Numbers words in the order of their first appearance.

    >>> v = Vocabulary()
    >>> v.add(["to", "be", "or", "not", "to", "be"])
    [0, 1, 2, 3, 0, 1]
    >>> v.words
    ['to', 'be', 'or', 'not']
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def add(self, words: Iterable[str]) -> list[int]:
        """The words' numbers; a word that is new gets the next one."""
        numbers = self._numbers
        return [numbers.setdefault(word, len(numbers)) for word in words]

    @property
    def words(self) -> list[str]:
        """All words, by number."""
        return list(self._numbers)


@dataclass(frozen=True)
class Ragged:
    """Rows of different lengths in two flat arrays: row k is `values[starts[k]:starts[k + 1]]`."""

    starts: Longs  # rows + 1
    values: Ints

    @classmethod
    def of(cls, rows: list[list[int]]) -> Ragged:
        """From lists.

        >>> Ragged.of([[7, 8], [], [9]]).starts.tolist()
        [0, 2, 2, 3]
        """
        lengths = np.fromiter((len(row) for row in rows), np.int64, len(rows))
        starts = np.concatenate(([0], np.cumsum(lengths)))
        values = np.fromiter((value for row in rows for value in row), np.int32, int(starts[-1]))
        return cls(starts, values)

    @property
    def lengths(self) -> Longs:
        """The length of each row."""
        return np.diff(self.starts)

    def take(self, rows: Ints | Longs) -> tuple[Ints, Longs]:
        """The values of these rows one after the other, and the length of each.

        >>> Ragged.of([[7, 8], [], [9]]).take(np.array([2, 0]))[0].tolist()
        [9, 7, 8]
        """
        begins = self.starts[rows]
        lengths = self.starts[rows + 1] - begins
        return self.values[ranges(begins, lengths)], lengths


def ranges(begins: Longs, lengths: Longs) -> Longs:
    """`begin, begin + 1, ... begin + length - 1` for every pair, one after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    total = int(lengths.sum())
    before = np.cumsum(lengths) - lengths  # how many numbers stand before each range
    numbers: Longs = np.arange(total, dtype=np.int64) + np.repeat(begins - before, lengths)
    return numbers
