"""Where words begin and end in a block of texts, by given words or as `gleanner.data.text.words` would cut.

Cutting all text into words takes longer than searching it. So at first boundaries are only guessed, from pairs of
characters and never too few, and settled where something was found: by the characters around where they decide, else by
`words` itself on the piece of text around.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import chain
from typing import Any
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from gleanner.data.text import CJK, words
from gleanner.gazetteer.block import Block, Characters, Integers

BLANK, LETTER, MARK, INNER, SYMBOL = range(5)
"""Classes of characters: white space; letters and digits that run together; their marks; what may be part of a word
beside these (points, commas, apostrophes); what is a word of its own, as Han and kana are."""

Flags = NDArray[np.bool_]

_INNERS = ".,'’"
_AHEAD = re.compile(r"\s*\w*.?", re.DOTALL)
_MOST_WINDOWS = 1 << 16
_LONG_WINDOW = 100


@cache
def classes() -> Characters:
    """The class of each character."""
    cjk = re.compile(f"[{CJK}]")

    def number(character: str) -> int:
        if character.isspace():
            return BLANK
        kind = category(character)[0]
        if kind in "LN" and not cjk.match(character):
            return LETTER
        if kind == "M":
            return MARK
        return INNER if character in _INNERS else SYMBOL

    return Characters(number)


def cuts(kinds: NDArray[Any]) -> Flags:
    """For n characters of these classes n + 1 places: whether two stand there that do not run together."""
    runs = (kinds == LETTER) | (kinds == MARK)
    found = np.ones(len(kinds) + 1, bool)
    np.logical_and(runs[1:], runs[:-1], out=found[1:-1])
    np.logical_not(found[1:-1], out=found[1:-1])
    return found


class Boundaries:
    """Those of one block."""

    _windows: dict[str, frozenset[int]] = {}  # noqa: RUF012 a cache for all blocks

    def __init__(self, block: Block, given: Sequence[tuple[tuple[int, int], ...] | None]) -> None:
        """`given` has the words of each text, or None."""
        self.block = block
        self.kinds = classes().of(block.codes, block.raw)
        self.given = np.array([words is not None for words in given])
        self._meetings: dict[int, frozenset[int]] = {}
        if self.given.any():
            counts = np.array([0 if words is None else len(words) for words in given])
            flat = np.fromiter(chain.from_iterable(chain.from_iterable(w for w in given if w)), np.int64)
            places = flat.reshape(-1, 2) + np.repeat(block.starts[:-1], counts)[:, None]
            self._begins, self._ends = (np.zeros(len(self.kinds) + 1, bool) for _ in range(2))
            self._begins[places[:, 0]] = True
            self._ends[places[:, 1]] = True

    def likely(self) -> tuple[Flags, Flags]:
        """For each place whether a word may begin there, and end: all where one does, and some more."""
        places = cuts(self.kinds)
        extra = self._inside()
        places[extra] = True
        if not self.given.any():
            return places, places
        free = ~np.repeat(self.given, np.diff(self.block.starts))
        return places & free | self._begins, places & free | self._ends

    def _inside(self) -> Integers:
        """Places between letters or marks where words meet all the same: before n't, after the marks of a symbol."""
        codes, kinds = self.block.codes, self.kinds
        found = []
        apostrophes = np.flatnonzero((codes[1:-1] == 39) | (codes[1:-1] == 0x2019)) + 1
        if apostrophes.size:
            negated = np.isin(codes[apostrophes - 1], (78, 110)) & np.isin(codes[apostrophes + 1], (84, 116))
            found.append(apostrophes[negated] - 1)
        if self.block.raw is None:
            marks = kinds == MARK
            ends = np.flatnonzero(marks[:-1] & (kinds[1:] == LETTER))
            if ends.size:
                bare = np.flatnonzero(~marks)
                base = np.searchsorted(bare, ends) - 1
                found.append(ends[(base >= 0) & (kinds[bare[base]] >= INNER)] + 1)
        return np.concatenate(found) if found else np.zeros(0, np.int64)

    def begin(self, places: Integers) -> Flags:
        """Whether a word begins at these places, before which and after which there is text."""
        return self._settled(places, begins=True)

    def end(self, places: Integers) -> Flags:
        """Whether a word ends there."""
        return self._settled(places, begins=False)

    def _settled(self, places: Integers, *, begins: bool) -> Flags:
        kinds, size = self.kinds, len(self.kinds)
        before = np.where(places > 0, kinds[places - 1], BLANK)
        after = np.where(places < size, kinds[np.minimum(places, size - 1)], BLANK)
        sure: Flags = (before == BLANK) | (after == BLANK) | (after == SYMBOL) | ((before == SYMBOL) & (after != MARK))
        # A comma or a point after a letter and not before one ends the word, unless the word is an abbreviation, of parts
        # of at most two letters.
        rest = np.flatnonzero(~sure)
        at = places[rest]
        follow = np.where(at + 1 < size, kinds[np.minimum(at + 1, size - 1)], BLANK)
        code = self.block.codes[at]
        plain = (before[rest] == LETTER) & (follow != LETTER) & (follow != MARK)
        long = (at > 2) & (kinds[at - 2] == LETTER) & (kinds[at - 3] == LETTER)
        sure[rest[plain & ((code == 44) | ((code == 46) & long))]] = True
        if self.given.any():
            stated = self.given[np.searchsorted(self.block.starts, places, "right") - 1]
            sure[stated] = (self._begins if begins else self._ends)[places[stated]]
            rest = np.flatnonzero(~sure & ~stated)
        else:
            rest = np.flatnonzero(~sure)
        if rest.size:
            sure[rest] = self._looked_up(places[rest])
        return sure

    @cached_property
    def _stops(self) -> Integers:
        """Where white space and symbols are: no word goes over them."""
        inside = np.flatnonzero((self.kinds == BLANK) | (self.kinds == SYMBOL))
        return np.concatenate([[0], inside, [len(self.kinds)]])

    def _looked_up(self, places: Integers) -> list[bool]:
        """Whether words meet at places between two visible characters, by `words` on the text from stop to stop."""
        next_stop = np.searchsorted(self._stops[1:], places) + 1
        starts, ends = self._stops[next_stop - 1].tolist(), self._stops[next_stop].tolist()
        found = []
        for place, start, end in zip(places.tolist(), starts, ends, strict=True):
            if start not in self._meetings:
                self._meetings[start] = self._cut(start, end)
            found.append(place - start in self._meetings[start])
        return found

    def _cut(self, start: int, end: int) -> frozenset[int]:
        text = self.block.text
        # Whether a point belongs to a capital depends on what follows it.
        ahead = _AHEAD.match(text, end) if text[end - 1] == "." else None
        window = text[start : ahead.end() if ahead else end + 1]
        found = self._windows.get(window)
        if found is None:
            found = frozenset([end for _, _, end in words(window)])
            if len(window) < _LONG_WINDOW:
                if len(self._windows) > _MOST_WINDOWS:
                    self._windows.clear()
                self._windows[window] = found
        return found
