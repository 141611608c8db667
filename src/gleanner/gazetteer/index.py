"""An index of many strings, and the search of a text for all of them at once.

Strings and text are cut where two characters do not run together. Whether they do can be told from the two alone, so where
a string stands in a text, both are cut alike inside it. From every place where a word may begin, the text is followed
piece by piece for as long as what was read is the beginning of some string. Both questions, "a beginning?" and "a whole
string?", are put to hashes of the characters read, for all places at once:

    hash(i, j) = (P[j] - P[i]) * K * B^-i   mod 2^64,   P[j] = sum of character[k] * B^k over k < j

A small table of bits answers most of them with no. What it passes as a whole string is looked up and compared letter by
letter, so that no clash of hashes can make a match; the beginnings need no proof, since they only lead to further questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gleanner.gazetteer.block import Integers
from gleanner.gazetteer.boundaries import classes, cuts
from gleanner.gazetteer.fold import SPACE

Hashes = NDArray[np.uint64]

_BASE = 0x9E3779B97F4A7C15 | 1
_INVERSE = pow(_BASE, -1, 1 << 64)
_SPREAD = 0xD6E8FEB86659FD93
_AT_ONCE = 1 << 18

_BEGINNING, _WHOLE = np.uint8(1), np.uint8(16)


class Found(NamedTuple):
    """Where strings stand in a text."""

    start: Integers
    end: Integers
    string: Integers


class _Powers:
    """B^k and K * B^-k, as many as were ever needed."""

    def __init__(self) -> None:
        self.up = self.down = np.zeros(0, np.uint64)

    def need(self, count: int) -> None:
        """For texts of this length."""
        if count > len(self.up):
            size = max(_AT_ONCE, 1 << count.bit_length())
            self.up = _powers(1, _BASE, size)
            self.down = _powers(_SPREAD, _INVERSE, size)


def _powers(first: int, factor: int, count: int) -> Hashes:
    numbers = np.full(count, factor, np.uint64)
    numbers[0] = first
    return np.multiply.accumulate(numbers)


_POWERS = _Powers()


class Pieces:
    """A text's characters, where its pieces end, and the hashes of any stretch."""

    def __init__(self, codes: NDArray[Any]) -> None:
        count = len(codes)
        _POWERS.need(count + 1)
        self.codes = codes
        raw = codes.tobytes() if codes.dtype == np.uint8 else None
        self.cut = cuts(classes().of(codes, raw))
        ends = self.cut.copy()
        ends[0] = False
        ends[1:] &= codes != SPACE
        self.ends = np.flatnonzero(ends)
        self._counts = np.cumsum(ends, dtype=np.int32)
        self._sums = np.zeros(count + 1, np.uint64)
        np.cumsum(np.multiply(codes, _POWERS.up[:count], dtype=np.uint64, casting="unsafe"), out=self._sums[1:])

    def next_end(self, places: Integers) -> Integers:
        """The number, among `ends`, of the first after each place."""
        return self._counts.take(places).astype(np.int64)

    def hashes(self, starts: Integers, ends: Integers) -> Hashes:
        """Of the stretches from places to others."""
        hashes = self._sums.take(ends)
        hashes -= self._sums.take(starts)
        hashes *= _POWERS.down.take(starts)
        return hashes


@dataclass(frozen=True)
class Index:
    """Strings, the characters of all of them in one array."""

    letters: NDArray[Any]
    """uint8, uint16 or uint32, whichever they fit in."""
    offsets: Integers
    """Where each string starts in `letters`, and where the last one ends."""
    bits: NDArray[np.uint8]
    """By a hash's first bits. A bit of a byte's low half says that some string begins so, of its high half that one is so."""
    keys: Hashes
    """The hashes of whole strings, each once, in order."""
    firsts: NDArray[np.int32]
    """For each key the place in `strings` of its first string, and where the last one's end."""
    strings: NDArray[np.int32]
    """Strings by key."""

    @classmethod
    def build(cls, letters: NDArray[Any], offsets: Integers) -> Index:
        """Of strings that do not begin or end with a space, and none of which is empty."""
        count = len(offsets) - 1
        wholes = np.zeros(count, np.uint64)
        beginnings = [np.zeros(0, np.uint64)]
        start = 0
        while start < count:
            stop = max(start + 1, int(np.searchsorted(offsets, offsets[start] + _AT_ONCE, "right")) - 1)
            wholes[start:stop], partial = _hash_strings(letters, offsets[start : stop + 1])
            beginnings.append(partial)
            start = stop
        partial = np.concatenate(beginnings)
        del beginnings
        bits = np.zeros(1 << max(10, (2 * (len(partial) + count)).bit_length()), np.uint8)
        for hashes, half in ((partial, _BEGINNING), (wholes, _WHOLE)):
            for begin in range(0, len(hashes), _AT_ONCE):
                cell, bit = _slot(hashes[begin : begin + _AT_ONCE], len(bits))
                np.bitwise_or.at(bits, cell, np.left_shift(half, bit))
        order = np.argsort(wholes, kind="stable").astype(np.int32)
        wholes = wholes[order]
        new = np.ones(count, bool)
        new[1:] = wholes[1:] != wholes[:-1]
        firsts = np.append(np.flatnonzero(new), count).astype(np.int32)
        return cls(letters, offsets, bits, wholes[new], firsts, order)

    def search(self, pieces: Pieces, begins: Integers, extra_ends: Integers) -> Found:
        """The strings that begin at one of these places and end where a piece does or at one of the other places.

        Both are in order, and `extra_ends` has only places inside pieces.
        """
        asked = [(begins[:0], begins[:0], np.zeros(0, np.uint64))]
        places, since, piece = begins, begins, pieces.next_end(begins)
        while len(places):
            if piece[-1] >= len(pieces.ends):  # only the last places can have come to the end of the text
                inside = piece < len(pieces.ends)
                places, since, piece = places[inside], since[inside], piece[inside]
            ends = pieces.ends.take(piece)
            if len(extra_ends):
                asked.append(self._at_extra_ends(pieces, places, since, ends, extra_ends))
            hashes = pieces.hashes(places, ends)
            flags = self._flags(hashes)
            some = np.flatnonzero(flags)
            flags = flags.take(some)
            whole = some[flags >= _WHOLE]
            asked.append((places.take(whole), ends.take(whole), hashes.take(whole)))
            on = some[(flags & _BEGINNING) > 0]
            places, since, piece = places.take(on), ends.take(on), piece.take(on) + 1
        return self._verified(pieces.codes, *(np.concatenate(column) for column in zip(*asked, strict=True)))

    def _at_extra_ends(
        self, pieces: Pieces, places: Integers, since: Integers, ends: Integers, extra_ends: Integers
    ) -> tuple[Integers, Integers, Hashes]:
        """What may be strings, of the stretches that end inside the pieces from `since` to `ends`."""
        first = np.searchsorted(extra_ends, since, "right")
        counts = np.maximum(np.searchsorted(extra_ends, ends, "left") - first, 0)
        starts = np.repeat(places, counts)
        stops = extra_ends[ranges(first, counts)]
        hashes = pieces.hashes(starts, stops)
        whole = np.flatnonzero(self._flags(hashes) & _WHOLE)
        return starts[whole], stops[whole], hashes[whole]

    def _flags(self, hashes: Hashes) -> NDArray[np.uint8]:
        """Whether strings may begin so (`_BEGINNING`), and whether some may be so (`_WHOLE`)."""
        cell, bit = _slot(hashes, len(self.bits))
        flags: NDArray[np.uint8] = self.bits.take(cell)
        flags >>= bit
        flags &= _WHOLE | _BEGINNING
        return flags

    def _verified(self, codes: NDArray[Any], starts: Integers, ends: Integers, hashes: Hashes) -> Found:
        """Of stretches with their hashes, the strings that they are, letter by letter."""
        if not len(self.keys) or not len(starts):
            return Found(*(np.zeros(0, np.int64) for _ in range(3)))
        key = np.searchsorted(self.keys, hashes)
        known = np.flatnonzero(self.keys[np.minimum(key, len(self.keys) - 1)] == hashes)
        key = key[known]
        first = self.firsts[key].astype(np.int64)
        counts = self.firsts[key + 1] - first
        rows = np.repeat(known, counts)
        string = self.strings[ranges(first, counts)].astype(np.int64)
        sizes = self.offsets[string + 1] - self.offsets[string]
        same = np.flatnonzero(sizes == ends[rows] - starts[rows])
        rows, string, sizes = rows[same], string[same], sizes[same]
        if not len(rows):
            return Found(rows, rows, string)
        equal = codes[ranges(starts[rows], sizes)] == self.letters[ranges(self.offsets[string], sizes)]
        right = np.logical_and.reduceat(equal, np.cumsum(sizes) - sizes)
        return Found(starts[rows[right]], ends[rows[right]], string[right])


def hashes_of_rows(letters: NDArray[Any], starts: Integers, size: int) -> Hashes:
    """The hashes of stretches of one size."""
    _POWERS.need(size)
    hashes = np.zeros(len(starts), np.uint64)
    for place in range(size):
        hashes += letters[starts + place].astype(np.uint64) * _POWERS.up[place]
    return hashes * np.uint64(_SPREAD)


def _hash_strings(letters: NDArray[Any], offsets: Integers) -> tuple[Hashes, Hashes]:
    """The hashes of strings, and those of their beginnings up to every end of a piece but the last."""
    sizes = np.diff(offsets)
    # With a character between them that no word has, as the text has one between its sentences.
    places = offsets[:-1] - offsets[0] + np.arange(len(sizes))
    codes = np.zeros(int(places[-1] + sizes[-1]), letters.dtype)
    codes[ranges(places, sizes)] = letters[offsets[0] : offsets[-1]]
    pieces = Pieces(codes)
    string = np.searchsorted(places, pieces.ends, "left") - 1
    inside = pieces.ends < (places + sizes)[string]
    ends, string = pieces.ends[inside], string[inside]
    return pieces.hashes(places, places + sizes), pieces.hashes(places[string], ends)


def _slot(hashes: Hashes, size: int) -> tuple[Integers, NDArray[np.uint8]]:
    """The byte of a table of this size (a power of two) that a hash falls on, and which of its four bits."""
    slot = (hashes >> np.uint64(64 - (size.bit_length() + 1))).view(np.int64)
    return slot >> 2, (slot & 3).astype(np.uint8)


def ranges(firsts: Integers, counts: Integers) -> Integers:
    """The numbers from each first on, as many as are counted, one range after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    return np.repeat(firsts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
