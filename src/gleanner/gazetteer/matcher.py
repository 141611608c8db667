"""Finding a lexicon's terms in passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.passage import Passage

Integers = NDArray[np.int64]


class Matches(NamedTuple):
    """Terms in passages, one a row, by passage, start, longest first, number of the term."""

    passage: Integers
    """Which of the passages, from 0."""
    start: Integers
    """Characters of the passage's own text."""
    end: Integers
    term: Integers
    """The term's number in the lexicon. Several terms of one spelling are several rows."""


class Matcher:
    """Finds terms whose ends are word boundaries."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def find(self, passages: Sequence[Passage]) -> Matches:
        """All matches, those that overlap too."""
        raise NotImplementedError


def longest(matches: Matches) -> Matches:
    """The matches that count: leftmost, then longest. A span keeps all its terms, in the order of the dictionaries."""
    raise NotImplementedError
