"""The terms of a lexicon as a report sees them: by the place where they stand, and with what others say of the same words."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np

from gleanner.evaluation.spans import Bools, Ints
from gleanner.gazetteer import bulk
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.origin import Origin
from gleanner.gazetteer.term import Term

_LINES = 1 << 40
"""More than a file has."""


class Terms:
    """An index of the terms of lexicons, numbered through; the terms themselves stay where they are.

    Terms are the same words here if they differ in case alone.
    """

    def __init__(self, *lexicons: Lexicon) -> None:
        self._lexicons = lexicons
        self._firsts = list(accumulate(map(len, lexicons), initial=0))
        self._files: dict[str, int] = {}
        self._kinds: tuple[tuple[str, ...], ...] = ()
        kinds, places = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for lexicon in lexicons:
            of_term, types = bulk.types(lexicon)
            kinds.append(of_term.astype(np.int64) + len(self._kinds))
            self._kinds += types
            lines = bulk.lines(lexicon).copy()
            for (name, first), (_, end) in pairwise([*lexicon.dictionaries, ("", len(lexicon))]):
                lines[first:end] += self._files.setdefault(name, len(self._files)) * _LINES
            places.append(lines)
        self._kind = np.concatenate(kinds)
        self._by_place = np.argsort(np.concatenate(places), kind="stable")
        self._places = np.concatenate(places)[self._by_place]

    def __len__(self) -> int:
        return self._firsts[-1]

    def term(self, number: int) -> tuple[Term, str]:
        """The term and the name of its dictionary."""
        place = bisect_right(self._firsts, number) - 1
        return self._lexicons[place].term(number - self._firsts[place])

    def number(self, origin: Origin) -> int | None:
        """The number of the term at a place; of several names there, of that which the origin has."""
        file = self._files.get(origin.name)
        if file is None or origin.line is None:
            return None
        place = file * _LINES + origin.line
        first, last = np.searchsorted(self._places, [place, place + 1])
        there: list[int] = self._by_place[first:last].tolist()
        same = (number for number in there if len(there) == 1 or self.term(number)[0].text == origin.term)
        return next(same, None)

    def others(self, number: int) -> list[int]:
        """The other terms with the same words."""
        return [other for other in self._same(number) if other != number]

    def types(self, number: int) -> tuple[str, ...]:
        """All that the dictionaries say a term may be."""
        kinds = self._kind[self._same(number)].tolist()
        return tuple(dict.fromkeys(type_ for kind in kinds for type_ in self._kinds[kind]))

    def ambiguous(self, numbers: Ints) -> Ints:
        """Those of the terms that may be more than one type, in the same order; of those with the same words the first."""
        likely = numbers[self._several[numbers]]
        _, firsts = np.unique(self._words[0][likely], return_index=True)
        return np.array([n for n in likely[np.sort(firsts)].tolist() if len(self.types(n)) > 1], np.int64)

    def by_type(self) -> Counter[str]:
        """How many terms may be each type."""
        of_kind = np.bincount(self._kind, minlength=len(self._kinds)).tolist()
        counts: Counter[str] = Counter()
        for types, count in zip(self._kinds, of_kind, strict=True):
            counts.update(dict.fromkeys(types, count))
        return counts

    def _same(self, number: int) -> list[int]:
        words, order, ordered = self._words
        first, last = np.searchsorted(ordered, [words[number], words[number] + 1])
        same: list[int] = order[first:last].tolist()
        return same

    @cached_property
    def _words(self) -> tuple[Ints, Ints, Ints]:
        """A number for the words of each term; the terms in the order of these numbers; and the numbers in order."""
        words = np.empty(len(self), np.int64)
        for lexicon, start in zip(self._lexicons, self._firsts, strict=False):
            for first, texts in bulk.texts(lexicon):
                words[start + first : start + first + len(texts)] = [hash(text.casefold()) for text in texts]
        order = np.argsort(words, kind="stable")
        return words, order, words[order]

    @cached_property
    def _several(self) -> Bools:
        """Terms of several types, or with the words of a term that says something else."""
        if not len(self):
            return np.zeros(0, np.bool_)
        _, order, words = self._words
        kinds = self._kind[order]
        new = np.r_[True, words[1:] != words[:-1]]
        firsts, group = np.flatnonzero(new), np.cumsum(new) - 1
        several = np.array([len(types) > 1 for types in self._kinds], np.bool_)[kinds]
        several |= (np.minimum.reduceat(kinds, firsts) != np.maximum.reduceat(kinds, firsts))[group]
        found = np.empty(len(kinds), np.bool_)
        found[order] = several
        return found
