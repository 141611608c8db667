"""What is different between two versions of a lexicon: terms, and the lines that they stand on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gleanner.errors import InputError
from gleanner.gazetteer import bulk
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.term import Term

Longs = NDArray[np.int64]

_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""An odd number without a pattern: its multiples tell the first, second ... of equal terms apart."""


@dataclass(frozen=True)
class Lines:
    """Lines of a dictionary in two versions of it."""

    old: Longs  # lines in order
    new: Longs  # the same lines in the new version

    def __call__(self, line: int) -> int:
        """The new number of a line, or the same where nobody knows of it."""
        place = int(np.searchsorted(self.old, line))
        return int(self.new[place]) if place < len(self.old) and self.old[place] == line else line


@dataclass(frozen=True)
class Changes:
    """The differences between two lexicons."""

    terms: Lexicon
    """The terms of which something changed, but for their lines: removed, added, with other types, in another order."""
    names: frozenset[str]
    """The dictionaries of both lexicons."""
    moved: Mapping[str, Lines]
    """For the dictionaries in which other terms stand on other lines now."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Dictionaries that have other names now: the old one -> the new one."""

    @property
    def shifted(self) -> bool:
        """Whether labels that stay have other sources now."""
        return bool(self.moved or self.renamed)

    @classmethod
    def between(
        cls, old: Lexicon, new: Lexicon, also: Collection[str] = (), renamed: Mapping[str, str] | None = None
    ) -> Changes:
        """What changed from one to the other. `also` are terms to be taken for changed for another reason.

        >>> old = Lexicon.compile([("names.tsv", [Term("Ada", ("PER",), 1), Term("Bath", ("LOC",), 2)])])
        >>> new = Lexicon.compile([("names.tsv", [Term("Bath", ("LOC",), 1)])])
        >>> changes = Changes.between(old, new)
        >>> [changes.terms.term(number)[0].text for number in range(len(changes.terms))], changes.moved["names.tsv"](2)
        (['Ada'], 1)
        """
        if old.rules != new.rules:
            raise InputError("the two lexicons compare letters by different rules", remedy="annotate the text anew")
        numbers: dict[str, int] = {}
        renamed = renamed or {}
        before, after = _columns(old, numbers, also, renamed), _columns(new, numbers, also)
        kept = _kept(before, after)
        changed = [*_others(old, kept[0]), *_others(new, kept[1])]
        return cls(
            Lexicon.compile(((name, [term]) for term, name in changed), new.rules),
            frozenset((*numbers, *renamed)),
            dict(_moved(before, after, kept, numbers)),
            renamed,
        )


@dataclass(frozen=True)
class _Columns:
    """The terms of a lexicon, one a row."""

    key: NDArray[np.uint64]
    """What tells a term from all others, but for its line."""
    name: Longs
    """The number of its dictionary."""
    line: Longs
    free: NDArray[np.bool_]
    """Whether it may have stayed as it was."""


def _columns(
    lexicon: Lexicon, numbers: dict[str, int], also: Collection[str], renamed: Mapping[str, str] = MappingProxyType({})
) -> _Columns:
    arrays = lexicon.columns.arrays
    firsts = [*(first for _, first in lexicon.dictionaries), len(lexicon)]
    names = [numbers.setdefault(renamed.get(name, name), len(numbers)) for name, _ in lexicon.dictionaries]
    name = np.repeat(np.array(names, np.int64), np.diff(firsts))
    text = _hashes(lexicon, "text")
    types = np.array([hash(types) for types in lexicon.columns.types], np.int64)[arrays["types"]]
    key = np.zeros(len(lexicon), np.uint64)
    for part in (text, _hashes(lexicon, "id"), types, arrays["weight"], name, arrays["case"]):
        wide = part if part.dtype.itemsize == 8 else part.astype(np.int64)
        key = (key ^ (key >> np.uint64(29)) ^ wide.view(np.uint64)) * _SPREAD
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    first = np.searchsorted(ordered, ordered)  # for each term, where its equals begin
    key[order] += (np.arange(len(key)) - first).astype(np.uint64) * _SPREAD
    free = ~np.isin(text, np.array([hash(term.encode("utf-8", "surrogatepass")) for term in also], np.int64))
    return _Columns(key, name, arrays["line"], free)


def _hashes(lexicon: Lexicon, column: str) -> Longs:
    """A number for each string of a column, the same for equal strings in this process."""
    found = np.empty(len(lexicon), np.int64)
    for first, some in bulk.strings(lexicon, column):
        found[first : first + len(some)] = [hash(one) for one in some]
    return found


def _kept(before: _Columns, after: _Columns) -> Longs:
    """The numbers in both lexicons of the terms that stayed as they were: (2, terms).

    They are in the same order in both. A term that was moved past another has changed: of equal terms the first counts.
    """
    _, old, new = np.intersect1d(before.key, after.key, assume_unique=True, return_indices=True)
    kept = np.stack((old, new)).astype(np.int64)[:, np.argsort(old)]
    kept = kept[:, before.free[kept[0]]]
    if (np.diff(kept[1]) < 0).any():
        kept = kept[:, _increasing(kept[1].tolist())]
    # A line whose terms stand on several lines now: its labels do not tell which of them they are from.
    place = before.name[kept[0]] << 40 | before.line[kept[0]]
    order = np.argsort(place, kind="stable")
    torn = (np.diff(place[order]) == 0) & (np.diff(after.line[kept[1, order]]) != 0)
    return kept[:, ~np.isin(place, place[order[1:][torn]])]


def _increasing(numbers: Sequence[int]) -> list[int]:
    """The places of a longest increasing subsequence.

    >>> _increasing([4, 0, 1, 5, 2])
    [1, 2, 4]
    """
    lowest: list[int] = []  # for each length, the lowest number that a subsequence ends with
    ends: list[int] = []  # and its place
    previous: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(lowest, number)
        lowest[length : length + 1] = [number]
        ends[length : length + 1] = [place]
        previous.append(ends[length - 1] if length else -1)
    found = []
    place = ends[-1] if ends else -1
    while place >= 0:
        found.append(place)
        place = previous[place]
    return found[::-1]


def _others(lexicon: Lexicon, kept: Longs) -> Iterator[tuple[Term, str]]:
    """The terms that did not stay."""
    changed = np.ones(len(lexicon), np.bool_)
    changed[kept] = False
    return (lexicon.term(number) for number in np.flatnonzero(changed).tolist())


def _moved(before: _Columns, after: _Columns, kept: Longs, numbers: Mapping[str, int]) -> Iterator[tuple[str, Lines]]:
    names = before.name[kept[0]]
    for name, number in numbers.items():
        old, new = before.line[kept[0, names == number]], after.line[kept[1, names == number]]
        if (old != new).any():
            lines, first = np.unique(old, return_index=True)
            yield name, Lines(lines, new[first])
