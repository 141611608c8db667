"""The terms of a lexicon as a report sees them: by the place where they stand, and with what others say of the same words."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

import numpy as np

from gleanner.evaluation.spans import Ints
from gleanner.gazetteer.origin import Origin
from gleanner.gazetteer.term import Term


class Lexicon(Protocol):
    """Terms by number."""

    def __len__(self) -> int: ...

    def term(self, number: int) -> tuple[Term, str]:
        """The term and the name of its dictionary."""
        ...


class Terms:
    """An index of a lexicon's terms; the terms themselves stay where they are.

    Terms are the same words here if they differ in case alone.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        size = len(lexicon)
        self._files: dict[str, int] = {}
        kinds: dict[tuple[str, ...], int] = {}
        places, self._kind, words = np.empty(size, np.int64), np.empty(size, np.int32), np.empty(size, np.int64)
        for number in range(size):
            term, file = lexicon.term(number)
            places[number] = _place(self._files.setdefault(file, len(self._files)), term.line)
            self._kind[number] = kinds.setdefault(term.types, len(kinds))
            words[number] = hash(term.text.casefold())
        self._kinds = tuple(kinds)
        self._by_place = np.argsort(places, kind="stable")
        self._places = places[self._by_place]
        self._by_words = np.argsort(words, kind="stable")
        self._words, self._place_of_words = words, words[self._by_words]

    def __len__(self) -> int:
        return len(self._lexicon)

    def term(self, number: int) -> tuple[Term, str]:
        """The term and the name of its dictionary."""
        return self._lexicon.term(number)

    def number(self, origin: Origin) -> int | None:
        """The number of the term at a place; of several names there, of that which the origin has."""
        file = self._files.get(origin.name)
        if file is None or origin.line is None:
            return None
        place = _place(file, origin.line)
        first, last = np.searchsorted(self._places, [place, place + 1])
        there: list[int] = self._by_place[first:last].tolist()
        same = (number for number in there if len(there) == 1 or self.term(number)[0].text == origin.term)
        return next(same, None)

    def types(self, number: int) -> tuple[str, ...]:
        """All that the dictionaries say a term may be."""
        words = self._words[number]
        first, last = np.searchsorted(self._place_of_words, [words, words + 1])
        kinds = self._kind[self._by_words[first:last]].tolist()
        return tuple(dict.fromkeys(type_ for kind in kinds for type_ in self._kinds[kind]))

    def ambiguous(self, numbers: Ints) -> Ints:
        """Those of the terms that may be more than one type, in the same order."""
        kinds = self._kind[self._by_words]
        groups = np.cumsum(np.diff(self._place_of_words, prepend=self._place_of_words[:1]) != 0)
        firsts = np.flatnonzero(np.diff(groups, prepend=-1))
        several = np.array([len(types) > 1 for types in self._kinds], np.bool_)[kinds]
        if len(kinds):
            several |= (np.minimum.reduceat(kinds, firsts) != np.maximum.reduceat(kinds, firsts))[groups]
        likely = np.empty(len(kinds), np.bool_)
        likely[self._by_words] = several
        return np.array([n for n in numbers[likely[numbers]].tolist() if len(self.types(n)) > 1], np.int64)

    def by_type(self) -> Counter[str]:
        """How many terms may be each type."""
        of_kind = np.bincount(self._kind, minlength=len(self._kinds)).tolist()
        counts: Counter[str] = Counter()
        for types, count in zip(self._kinds, of_kind, strict=True):
            counts.update(dict.fromkeys(types, count))
        return counts


def _place(file: int, line: int) -> int:
    return file << 40 | line
