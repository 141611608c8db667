"""A list of words, found wherever they stand in rows of words: all places of a batch at once, and never a false one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gleanner.model.spelling import LONGEST, Hashes, Spelling, stretches, written
from gleanner.model.vocabulary import Ints, Longs, ranges

BASE = 0x9E3779B97F4A7C15
"""Of the hashes: any large odd number."""

OFTEN, WIDEST = 3, 4
"""A sequence of at most `WIDEST` words that stands `OFTEN` times in a text is taken for one of its own words."""


class Matches(NamedTuple):
    """Where words of the lexicon stand, ordered by their first word and then by their width."""

    first: Longs  # matches: the first word, counted through all rows
    width: Longs  # matches: how many words of the row it covers
    entry: Longs  # matches: number of the lexicon's word


class Lexicon:
    """Words of 2 to `LONGEST` characters, each once. The characters lie in one array, the hashes sorted in another.

    An entry matches words of a row if they spell it when written one after the other: `北京` the words 北 and 京, `New York`
    the words New and York, `London` one word alone. It never begins or ends inside a word.

    >>> lexicon = Lexicon(["北京", "京城", "New York"])
    >>> words = ["北", "京", "城", "New", "York"]
    >>> found = lexicon.find(Spelling.of(words), np.arange(5, dtype=np.int32), np.array([5]))
    >>> [(words[a : a + n], lexicon.words[k]) for a, n, k in zip(*found)]
    [(['北', '京'], '北京'), (['京', '城'], '京城'), (['New', 'York'], 'New York')]
    """

    def __init__(self, words: Sequence[str]) -> None:
        if len(set(words)) < len(words):
            raise ValueError("a word of the lexicon stands in it twice")
        self._chars = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), np.uint32)
        sizes = np.fromiter(map(len, words), np.int64, len(words))
        self._starts = np.concatenate(([0], np.cumsum(sizes)))  # words + 1
        self._has_size = np.zeros(LONGEST + 1, bool)
        self._has_size[sizes] = True
        for base in count(BASE, 2):  # that two words have the same hash has never been seen
            hashes = Hashes(self._chars, base)(self._starts[:-1], self._starts[1:])
            self._order = np.argsort(hashes, kind="stable")
            self._hashes = hashes[self._order]
            if not (self._hashes[1:] == self._hashes[:-1]).any():
                break
        self._base = base
        # By their first bits most stretches are dismissed with one look instead of a search among all words.
        self._shift = np.uint64(64 - max(8, len(words).bit_length() + 4))
        self._present = np.zeros(1 << int(64 - self._shift), bool)
        self._present[self._hashes >> self._shift] = True

    def __len__(self) -> int:
        return len(self._starts) - 1

    @property
    def state_bytes(self) -> int:
        """Bytes held by the arrays."""
        return sum(a.nbytes for a in (self._chars, self._starts, self._order, self._hashes, self._present))

    @property
    def words(self) -> list[str]:
        """All words, by number."""
        text = self._chars.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        starts = self._starts.tolist()
        return [text[a:b] for a, b in pairwise(starts)]

    def find(self, spelling: Spelling, words: Ints, lengths: Longs) -> Matches:
        """In rows that stand one after the other in `words`, as numbers of the spelled words."""
        text = written(spelling, words)
        some = stretches(text, lengths, LONGEST)
        hashes = Hashes(text.chars, self._base)(some.begin, some.end)
        maybe = np.flatnonzero(self._present[hashes >> self._shift] & self._has_size[some.end - some.begin])
        at = np.searchsorted(self._hashes, hashes[maybe])
        at[at == len(self)] = 0
        entry = self._order[at] if len(self) else at
        same = self._equal(text.chars, some.begin[maybe], some.end[maybe], entry)
        return Matches(some.first[maybe][same], some.width[maybe][same], entry[same])

    def _equal(self, chars: NDArray[np.uint32], begin: Longs, end: Longs, entry: Longs) -> NDArray[np.bool_]:
        """Whether the stretches really are these entries."""
        sizes = self._starts[entry + 1] - self._starts[entry]
        equal: NDArray[np.bool_] = sizes == end - begin
        some = np.flatnonzero(equal)
        own = self._chars[ranges(self._starts[entry[some]], sizes[some])]
        differs = own != chars[ranges(begin[some], sizes[some])]
        equal[np.repeat(some, sizes[some])[differs]] = False
        return equal


def frequent(spelling: Spelling, words: Ints, lengths: Longs) -> list[str]:
    """The sequences of 2 to `WIDEST` words, all of letters or digits, that a text repeats; in the order of their beginnings.

    Nothing but the text is looked at. Its annotated entities would be a worse lexicon: in training every one of them would
    be found, and later only those that training knew.
    """
    text = written(spelling, words)
    some = stretches(text, lengths, WIDEST)
    distinct, which = np.unique(text.chars, return_inverse=True)
    marks = np.array([not chr(char).isalnum() and char != ord(" ") for char in distinct.tolist()], bool)
    before = np.concatenate(([0], np.cumsum(marks[which])))  # characters + 1: marks before
    plain = np.flatnonzero((some.width > 1) & (before[some.end] == before[some.begin]))
    begin, end = some.begin[plain], some.end[plain]
    _, first, times = np.unique(Hashes(text.chars, BASE)(begin, end), return_index=True, return_counts=True)
    kept = np.sort(first[times >= OFTEN])
    joined = text.chars.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return [joined[a:b] for a, b in zip(begin[kept].tolist(), end[kept].tolist(), strict=True)]
