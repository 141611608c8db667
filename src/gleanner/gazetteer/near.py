"""Strings of an index that stand in a text almost: a few letters are wrong, missing or too many.

If k letters are wrong, and a string is cut into k + 1 parts, one part is right, and not more than k places from where it
would be. So parts are looked for by their hashes, at every place where a word may begin, and what is found is compared by
rapidfuzz. Only letters may be wrong: digits, hyphens and spaces tell names apart ("interleukin 2" is not "interleukin 3").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gleanner.errors import InputError
from gleanner.gazetteer.block import Integers
from gleanner.gazetteer.boundaries import Flags
from gleanner.gazetteer.index import Found, Hashes, Index, Pieces, hashes_of_rows, ranges

_SIZES = np.array([1, 2, 3, 4, 6, 8, 12, 16, 24, 32])
"""How long parts may be. One size for every length of strings would make as many searches."""

_BITS = 22
_AT_ONCE = 1 << 16


@dataclass(frozen=True)
class _Parts:
    """The same part of many strings: characters `place` to `place + size`."""

    place: int
    size: int
    hashes: Hashes
    """In order."""
    strings: Integers
    bits: Flags
    """Which first bits the hashes have: most of a text's have others."""


class Near:
    """A search for strings of which at most `distance` letters are wrong."""

    def __init__(self, index: Index, wanted: Flags, distance: int, shortest: int) -> None:
        """Looks for those strings that are wanted and not too short."""
        try:
            from rapidfuzz.distance import Levenshtein
            from rapidfuzz.process import cpdist
        except ImportError as error:
            raise InputError(
                f"a distance of {distance} needs rapidfuzz", remedy="pip install 'gleanner[near]'"
            ) from error
        self._compare, self._scorer = cpdist, Levenshtein.distance
        self._index, self._distance = index, distance
        self._parts = list(self._cut(np.flatnonzero(wanted & (np.diff(index.offsets) >= max(shortest, distance + 1)))))

    def _cut(self, strings: Integers) -> Iterator[_Parts]:
        starts, ends = self._index.offsets[strings], self._index.offsets[strings + 1]
        sizes = _SIZES[np.searchsorted(_SIZES, (ends - starts) // (self._distance + 1), "right") - 1]
        for size in np.unique(sizes).tolist():
            rows = np.flatnonzero(sizes == size)
            for place in range(0, size * (self._distance + 1), size):
                hashes = hashes_of_rows(self._index.letters, starts[rows] + place, size)
                order = np.argsort(hashes)
                bits = np.zeros(1 << _BITS, bool)
                bits[_first_bits(hashes)] = True
                yield _Parts(place, size, hashes[order], strings[rows[order]], bits)

    def search(self, pieces: Pieces, begins: Integers, ends: Flags) -> Found:
        """The strings that begin almost so at one of these places and end at a flagged one."""
        count = len(self._index.offsets)
        pairs = np.sort(np.concatenate([begins[:0], *self._candidates(pieces, begins)]))
        pairs = pairs[np.append(True, pairs[1:] != pairs[:-1])[: len(pairs)]]
        found = [Found(begins[:0], begins[:0], begins[:0])]
        for first in range(0, len(pairs), _AT_ONCE):
            start, string = np.divmod(pairs[first : first + _AT_ONCE], count)
            size = self._index.offsets[string + 1] - self._index.offsets[string]
            for longer in range(-self._distance, self._distance + 1):
                end = start + size + longer
                rows = np.flatnonzero((end > start) & (end < len(ends)))
                rows = rows[ends[end[rows]]]
                rows = rows[self._close(pieces.codes, start[rows], end[rows], string[rows])]
                found.append(Found(start[rows], end[rows], string[rows]))
        return Found(*(np.concatenate(columns) for columns in zip(*found, strict=True)))

    def _candidates(self, pieces: Pieces, begins: Integers) -> Iterator[Integers]:
        """Where a word begins, and what string has a part where its own would be: as one number, to sort them quickly."""
        for parts in self._parts:
            shifts = range(-self._distance, self._distance + 1) if parts.place else (0,)
            for shift in shifts:
                places = begins + (parts.place + shift)
                inside = (places >= 0) & (places + parts.size <= len(pieces.codes))
                starts, places = begins[inside], places[inside]
                hashes = pieces.hashes(places, places + parts.size)
                some = np.flatnonzero(parts.bits[_first_bits(hashes)])
                first = np.searchsorted(parts.hashes, hashes[some], "left")
                counts = np.searchsorted(parts.hashes, hashes[some], "right") - first
                strings = parts.strings[ranges(first, counts)]
                yield np.repeat(starts[some], counts) * len(self._index.offsets) + strings

    def _close(self, codes: NDArray[Any], start: Integers, end: Integers, string: Integers) -> Flags:
        """Whether stretches and strings differ by few letters, and by nothing else."""
        stretches = _texts(codes, start, end - start)
        first = self._index.offsets[string]
        strings = _texts(self._index.letters, first, self._index.offsets[string + 1] - first)
        limit = self._distance
        distances = self._compare(stretches, strings, scorer=self._scorer, score_cutoff=limit)
        close: Flags = distances <= limit
        for row in np.flatnonzero(close).tolist():
            close[row] = _without_letters(stretches[row]) == _without_letters(strings[row])
        return close


def _without_letters(text: str) -> str:
    return "".join([character for character in text if not character.isalpha()])


def _first_bits(hashes: Hashes) -> Integers:
    return (hashes >> np.uint64(64 - _BITS)).view(np.int64)


def _texts(letters: NDArray[Any], starts: Integers, sizes: Integers) -> list[str]:
    text = letters[ranges(starts, sizes)].astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    ends = np.cumsum(sizes)
    return [text[a:b] for a, b in zip((ends - sizes).tolist(), ends.tolist(), strict=True)]
