"""Folding: what is the same by the rules becomes equal, and every folded character knows where it comes from.

A text is folded in clusters, a character and the marks that belong to it (for Hangul letters, their syllable), as Unicode
normalises them. In order: hyphens and apostrophes; width; normalisation; accents off; case, by Unicode's full case folding
of each character (ß is ss, ſ is s, the final ς is σ, İ is i and a dot, and no language is special: I is i in Turkish too).
Every run of white space is one space. Characters that only say where a line may break count for nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any
from unicodedata import combining, decomposition, normalize

import numpy as np
from numpy.typing import NDArray

from gleanner.gazetteer.block import Block, Characters, Integers
from gleanner.gazetteer.rules import Rules

SPACE, SEPARATOR = 32, 10
"""Folded white space, and what stands between folded texts. No folded text has a line feed."""

HYPHENS = "-\u2010\u2011\u2012\u2013\u2043\u2212\ufe63\uff0d"
APOSTROPHES = "'\u2018\u2019\u201b\u02bc\u2032\uff07`\u00b4"
_INVISIBLE = "\u200b\u2060\ufeff"
_SOFT_HYPHEN = "\u00ad"

_ACCENT = 200
"""From this combining class on a mark stands above or below its letter. Lower ones are vowels, dots of kana and such."""

_JOINS, _PIECE = -1, -2
"""In place of a character: it belongs to the one before; it becomes none or several."""

_MOST_PIECES = 1 << 16


@dataclass(frozen=True)
class Folded:
    """Folded characters, texts separated by `SEPARATOR`, and for each the characters of the block that it stands for."""

    codes: NDArray[Any]
    low: Integers | None = None
    """The first of them. None: the n-th folded character is the n-th character."""
    high: Integers | None = None
    """The one after the last."""


class Folder:
    r"""Folds by rules, ignoring case or not.

    >>> Folder(Rules(), ignore_case=True).string("  Straße\n No. 5 ")
    ' strasse no. 5 '
    """

    def __init__(self, rules: Rules, *, ignore_case: bool) -> None:
        self._ignore_case = ignore_case
        self._accents = rules.accents
        self._width = rules.width and rules.form != "nfkc"
        self._form = "nfc" if rules.accents and rules.form == "none" else rules.form
        self._same: dict[int, str] = dict.fromkeys(map(ord, _INVISIBLE), "")
        if rules.hyphens != "exact":
            hyphen = "-" if rules.hyphens == "fold" else " "
            self._same |= dict.fromkeys(map(ord, HYPHENS), hyphen) | {ord(_SOFT_HYPHEN): ""}
        if rules.apostrophes:
            self._same |= dict.fromkeys(map(ord, APOSTROPHES), "'")
        self._characters = Characters(self._number)
        self._pieces: dict[str, str] = {}

    def string(self, text: str) -> str:
        """The folded text."""
        codes = self.fold(Block.of([text])).codes
        return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")

    def fold(self, block: Block) -> Folded:
        """All texts of the block, each as it would be folded alone."""
        codes = self._characters.of(block.codes, block.raw)
        if len(block.separators):
            codes = codes.copy() if block.raw is not None else codes
            codes[block.separators] = SEPARATOR
        blank = codes == SPACE
        repeated = blank[1:] & blank[:-1]
        special = block.raw is None and codes.size > 0 and int(codes.min()) < 0
        if not special and not repeated.any():
            return Folded(codes)
        return self._resized(block.text, codes, blank, special)

    def _resized(self, text: str, codes: NDArray[Any], blank: NDArray[np.bool_], special: bool) -> Folded:
        """The folded texts where some characters become none or several."""
        counts = np.ones(len(codes), np.int64)
        heads = ends = np.zeros(0, np.int64)
        pieces: list[str] = []
        if special:
            heads, ends, joined = _clusters(codes)
            counts[joined] = 0
            pieces = self._cut(text, heads, ends)
            counts[heads] = np.fromiter(map(len, pieces), np.int64, len(pieces))
        # A space stands for its whole run, with whatever vanished inside it.
        left = np.flatnonzero(counts)
        spaces = np.concatenate([[False], blank[left], [False]])
        counts[left[spaces[1:-1] & spaces[:-2]]] = 0
        first, last = left[spaces[1:-1] & ~spaces[:-2]], left[spaces[1:-1] & ~spaces[2:]]
        low = np.repeat(np.arange(len(codes)), counts)
        high = low + 1
        folded = codes[low]
        places = np.cumsum(counts) - counts
        high[places[first]] = last + 1
        if pieces:
            sizes = counts[heads]
            inside = np.repeat(places[heads] - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
            folded[inside] = np.frombuffer("".join(pieces).encode("utf-32-le", "surrogatepass"), "<u4")
            high[inside] = np.repeat(ends, sizes)
        return Folded(folded, low, high)

    def _cut(self, text: str, heads: Integers, ends: Integers) -> list[str]:
        """What the clusters become."""
        pieces, found = self._pieces, []
        if len(pieces) > _MOST_PIECES:
            pieces.clear()
        for start, end in zip(heads.tolist(), ends.tolist(), strict=True):
            cluster = text[start:end]
            piece = pieces.get(cluster)
            if piece is None:
                piece = pieces[cluster] = self._piece(cluster)
            found.append(piece)
        return found

    def _number(self, character: str) -> int:
        """What a character becomes when nothing joins it, `_PIECE` if that is not one character, `_JOINS` for a mark."""
        if (self._form != "none" or self._width) and _joins(self._normal(character)[:1]):
            return _JOINS
        piece = self._piece(character)
        return ord(piece) if len(piece) == 1 else _PIECE

    def _piece(self, cluster: str) -> str:
        piece = self._normal(cluster)
        if cluster.isspace() or piece == " ":
            return " "
        if self._accents:
            kept = (c for c in normalize("NFD", piece) if combining(c) < _ACCENT)
            piece = normalize("NFC", "".join(kept))
        if self._ignore_case:
            cases = [c.casefold() for c in piece]
            piece = "".join(cases if self._form == "none" else [normalize("NFC", c) for c in cases])
        # ´ and its like are a space and an accent to NFKC. A space that is none in the text would be no word's.
        return piece.translate(self._same).strip(" ")

    def _normal(self, cluster: str) -> str:
        text = cluster.translate(self._same)
        if self._width:
            text = "".join([_narrow(c) for c in text])
        return text if self._form == "none" else normalize("NFC" if self._form == "nfc" else "NFKC", text)


def _clusters(codes: NDArray[Any]) -> tuple[Integers, Integers, Integers]:
    """Where the clusters begin and end that are not one character for one, and which characters join one before them."""
    marks = np.flatnonzero(codes == _JOINS)
    # A mark after white space, or at the beginning, has nothing to join.
    before = codes[marks - 1]
    alone = (marks == 0) | (before == SPACE) | (before == SEPARATOR)
    joined = marks[~alone]
    opens = np.ones(len(joined), bool)
    opens[1:] = joined[1:] != joined[:-1] + 1
    runs = joined[opens]
    closes = np.ones(len(joined), bool)
    closes[:-1] = opens[1:]
    afters = joined[closes] + 1
    begins = codes == _PIECE
    begins[marks[alone]] = True
    begins[runs - 1] = True
    heads = np.flatnonzero(begins)
    ends = heads + 1
    has_marks = np.isin(ends, runs)
    ends[has_marks] = afters
    return heads, ends, joined


def _joins(character: str) -> bool:
    """Whether Unicode may compose a character with the one before it, or orders it among other marks."""
    return combining(character) != 0 or character in _seconds() if character else False


@cache
def _seconds() -> frozenset[str]:
    """The characters that stand second in a composed one, and the letters inside and at the end of Hangul syllables."""
    pairs = (decomposition(chr(code)).split() for code in range(0x20000))
    composed = {chr(int(pair[1], 16)) for pair in pairs if len(pair) == 2 and not pair[0].startswith("<")}
    return frozenset(composed | set(map(chr, [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)])))


@cache
def _narrow(character: str) -> str:
    """A character in its ordinary width."""
    kind, _, codes = decomposition(character).partition(" ")
    return "".join(chr(int(code, 16)) for code in codes.split()) if kind in ("<wide>", "<narrow>") else character
