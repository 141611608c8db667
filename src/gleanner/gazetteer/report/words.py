"""How many words a text has, counted without cutting it: many times as fast as `gleanner.data.text.words`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from gleanner.data.text import CJK
from gleanner.gazetteer.passage import Passage

_SPACE, _SIGN, _LETTER, _DIGIT, _MARK, _APOSTROPHE, _POINT = range(7)
_PLANES = 0x20000  # beyond them only Han, which are words one by one as signs are


def words_of(passages: Iterable[Passage]) -> int:
    """The words of passages: those that are given, and else as `count_words` counts them."""
    known, bare = 0, []
    for passage in passages:
        if passage.words is None:
            bare.append(passage.text)
        else:
            known += len(passage.words)
    return known + count_words(bare)


def count_words(texts: Iterable[str]) -> int:
    """Words as `words` counts them, but that abbreviations with points ("U.S.") count in their parts.

    >>> count_words(["Newton's prism didn't cost $1,000.5.", "東京"])
    11
    """
    joined = "\n".join(texts)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds = np.zeros(len(codes) + 2, np.uint8)  # white space at both ends
    kinds[1:-1] = _table()[np.minimum(codes, _PLANES)]
    before, here, after = kinds[:-2], kinds[1:-1], kinds[2:]
    runs = (here == _LETTER) | (here == _DIGIT)
    follows = (before == _LETTER) | (before == _DIGIT) | (before == _MARK)
    starts = np.count_nonzero(runs & ~follows)
    signs = np.count_nonzero(here == _SIGN)
    # The ending "'s" is one word with its apostrophe, and the points of "1,000.5" are inside one.
    endings = (here == _APOSTROPHE) & follows & ((after == _LETTER) | (after == _DIGIT))
    inner = (here == _POINT) & (before == _DIGIT) & (after == _DIGIT)
    others = np.count_nonzero((here == _APOSTROPHE) | (here == _POINT))
    return int(starts + signs + others - np.count_nonzero(endings) - 2 * np.count_nonzero(inner))


@cache
def _table() -> NDArray[np.uint8]:
    """The kind of each character of the first planes, and of all others."""
    table = np.full(_PLANES + 1, _SIGN, np.uint8)
    single = re.compile(f"[{CJK}]")
    for code in range(_PLANES):
        character = chr(code)
        if character.isspace():
            table[code] = _SPACE
        elif (kind := category(character)[0]) in "LNM" and not single.match(character):
            table[code] = {"L": _LETTER, "N": _LETTER, "M": _MARK}[kind]
    for character in "0123456789":
        table[ord(character)] = _DIGIT
    for character in "'’":
        table[ord(character)] = _APOSTROPHE
    for character in ".,":
        table[ord(character)] = _POINT
    return table
