"""The characters of words, and of rows of words as one would write them: Chinese without spaces, English with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gleanner.data.text import CJK
from gleanner.model.vocabulary import Ints, Longs, Ragged, ranges

LONGEST = 20
"""Characters of the longest stretch that is compared with anything."""

_SPACED = re.compile(rf"[^\W{CJK}]")
"""A letter or digit of a script that puts spaces between words."""


@dataclass(frozen=True)
class Spelling:
    """The characters of distinct words. Of a word that is longer than any stretch the rest is left out."""

    chars: Ragged  # words: code points
    opens: NDArray[np.bool_]  # words: whether a space may have to stand before it
    closes: NDArray[np.bool_]  # words: likewise behind it

    @classmethod
    def of(cls, words: Sequence[str]) -> Spelling:
        """Of each word."""
        return cls(
            Ragged.of([[ord(char) for char in word[: LONGEST + 1]] for word in words]),
            np.array([_SPACED.match(word[:1]) is not None for word in words], bool),
            np.array([_SPACED.match(word[-1:]) is not None for word in words], bool),
        )


@dataclass(frozen=True)
class SpelledTable(Ragged):
    """An encoder's table of words, and how they are spelled."""

    spelling: Spelling


def spelling_of(table: Ragged) -> Spelling:
    """That of a table which was made with one."""
    return cast("SpelledTable", table).spelling


class Text(NamedTuple):
    """Words written one after the other. Where a row ends does not show."""

    chars: NDArray[np.uint32]  # code points
    begin: Longs  # words: the first character
    end: Longs  # words: one past the last


def written(spelling: Spelling, words: Ints) -> Text:
    """These words with a space between two that would otherwise run together.

    >>> spelling = Spelling.of(["New", "York", "北", "京"])
    >>> "".join(map(chr, written(spelling, np.array([0, 1, 2, 3], np.int32)).chars))
    'New York北京'
    """
    values, sizes = spelling.chars.take(words)
    space = np.zeros(len(words), np.int64)
    space[1:] = spelling.closes[words[:-1]] & spelling.opens[words[1:]]
    end = np.cumsum(sizes + space)
    begin = end - sizes
    chars = np.full(int(end[-1]) if len(end) else 0, ord(" "), np.uint32)
    chars[ranges(begin, sizes)] = values
    return Text(chars, begin, end)


class Stretch(NamedTuple):
    """Stretches of words that stand in one row."""

    first: Longs  # stretches: the first word, counted through all rows
    width: Longs  # stretches: words
    begin: Longs  # stretches: the first character of the text
    end: Longs  # stretches: one past the last


def stretches(text: Text, lengths: Longs, widest: int) -> Stretch:
    """All stretches of at most `widest` words and 2 to `LONGEST` characters that begin and end with a character."""
    last = np.repeat(np.cumsum(lengths), lengths)  # words: one past the row's last word
    word = np.arange(len(last))[:, None]
    until = word + np.arange(widest)  # words, widest: the stretch's last word
    inside = until < last[:, None]
    begin = np.broadcast_to(text.begin[:, None], inside.shape)
    end = text.end[np.minimum(until, len(last) - 1)]
    inside &= (end - begin >= 2) & (end - begin <= LONGEST)
    empty = text.begin == text.end
    if empty.any():  # a word without characters, at an end of a stretch, would give the same stretch twice
        inside &= ~empty[:, None] & ~empty[np.minimum(until, len(last) - 1)]
    first, column = inside.nonzero()
    return Stretch(first, column + 1, begin[inside], end[inside])


class Hashes:
    """A polynomial of the characters of any stretch of a text, modulo 2^64, from sums that are made once.

    The base is odd and so has an inverse: sums of `c_k * base^k` are taken from the text's beginning, and a stretch's
    difference is brought back to its own beginning.
    """

    def __init__(self, chars: NDArray[np.uint32], base: int) -> None:
        size = len(chars) + 1
        powers = np.full(size, base, np.uint64)
        powers[0] = 1
        self._back = np.full(size, pow(base, -1, 1 << 64), np.uint64)
        self._back[0] = 1
        np.multiply.accumulate(powers, out=powers)
        np.multiply.accumulate(self._back, out=self._back)
        self._sums = np.zeros(size, np.uint64)
        np.cumsum(powers[:-1] * chars, out=self._sums[1:])

    def __call__(self, begin: Longs, end: Longs) -> NDArray[np.uint64]:
        """Of each stretch from `begin` to before `end`."""
        return (self._sums[end] - self._sums[begin]) * self._back[begin]
