"""Finding a lexicon's terms in passages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gleanner.gazetteer.block import Block, Integers
from gleanner.gazetteer.boundaries import Boundaries, Flags
from gleanner.gazetteer.fold import SEPARATOR, SPACE, Folded, Folder
from gleanner.gazetteer.index import Found, Pieces
from gleanner.gazetteer.lexicon import Kind, Lexicon
from gleanner.gazetteer.near import Near
from gleanner.gazetteer.passage import Passage

_BLOCK = 1 << 18


class Matches(NamedTuple):
    """Terms in passages, one a row, by passage, start, longest first, number of the term."""

    passage: Integers
    """Which of the passages, from 0."""
    start: Integers
    """Characters of the passage's own text."""
    end: Integers
    term: Integers
    """The term's number in the lexicon. Several terms of one spelling are several rows."""

    def take(self, rows: Any) -> Matches:
        """Some of the rows."""
        return Matches(*(column[rows] for column in self))


class Matcher:
    """Finds terms whose ends are word boundaries.

    >>> from gleanner.gazetteer.term import Term
    >>> lexicon = Lexicon.compile([("names.tsv", [Term("York", ("LOC",), 1), Term("New York", ("LOC",), 2)])])
    >>> found = Matcher(lexicon).find([Passage("New York, not Yorkshire.")])
    >>> list(zip(found.start.tolist(), found.end.tolist(), found.term.tolist()))
    [(0, 8, 1), (4, 8, 0)]
    >>> longest(found).term.tolist()
    [1]
    """

    def __init__(self, lexicon: Lexicon) -> None:
        """A process has one of its own: pass a matcher on and it is made anew there."""
        self.lexicon = lexicon
        self._sides = [_Side(lexicon, kind) for kind in lexicon.spellings]

    def __reduce__(self) -> tuple[Any, ...]:
        return Matcher, (self.lexicon,)

    def find(self, passages: Sequence[Passage]) -> Matches:
        """All matches, those that overlap too."""
        found = [Matches(*(np.zeros(0, np.int64) for _ in range(4)))]
        for first, part in _blocks(passages) if self._sides else ():
            block = Block.of([passage.text for passage in part])
            boundaries = Boundaries(block, [passage.words for passage in part])
            sides = [side.search(block, boundaries) for side in self._sides]
            start, end, term = _ordered(*(np.concatenate(column) for column in zip(*sides, strict=True)))
            number = np.searchsorted(block.starts, start, "right") - 1
            found.append(Matches(number + first, start - block.starts[number], end - block.starts[number], term))
        return Matches(*(np.concatenate(column) for column in zip(*found, strict=True)))


def longest(matches: Matches) -> Matches:
    """The matches that count: leftmost, then longest. A span keeps all its terms, in the order of the dictionaries."""
    passage, start, end, _ = matches
    count = len(start)
    if not count:
        return matches
    # All passages on one line; a place where no match before reaches over begins a group of its own.
    shift = passage * (int(end.max()) + 1)
    starts, ends = start + shift, end + shift
    opens = np.ones(count, bool)
    opens[1:] = starts[1:] >= np.maximum.accumulate(ends)[:-1]
    kept = opens.copy()
    groups = np.flatnonzero(opens)
    for group, stop in zip(groups.tolist(), np.append(groups[1:], count).tolist(), strict=True):
        if stop - group > 1:
            kept[group:stop] = _leftmost(starts[group:stop].tolist(), ends[group:stop].tolist())
    return matches.take(kept)


def _leftmost(starts: list[int], ends: list[int]) -> list[bool]:
    """Which of overlapping matches count."""
    kept, begin, after = [], -1, -1
    for start, end in zip(starts, ends, strict=True):
        if start >= after:
            begin, after = start, end
        kept.append(start == begin and end == after)
    return kept


def _blocks(passages: Sequence[Passage]) -> Iterator[tuple[int, Sequence[Passage]]]:
    """Passages in their order, as many at once as make a block, each block with the number of its first."""
    sizes = [len(passage.text) for passage in passages]
    places = np.cumsum(np.array(sizes, np.int64) + 1)
    first = 0
    while first < len(passages):
        done = int(places[first - 1]) if first else 0
        stop = max(first + 1, int(np.searchsorted(places, done + _BLOCK, "right")))
        yield first, passages[first:stop]
        first = stop


class _Side:
    """The terms whose case matters, or those whose case does not."""

    def __init__(self, lexicon: Lexicon, kind: Kind) -> None:
        rules, self._spellings = lexicon.rules, lexicon.spellings[kind]
        self._folder = Folder(rules, ignore_case=kind == "ignore")
        self._near = None
        if rules.distance:
            wanted = self._spellings.ending == 0
            self._near = Near(self._spellings.index, wanted, rules.distance, rules.distance_from)

    def search(self, block: Block, boundaries: Boundaries) -> tuple[Integers, Integers, Integers]:
        """Where terms stand in a block, and which."""
        folded, spellings = self._folder.fold(block), self._spellings
        pieces = Pieces(folded.codes)
        places = _Places(folded, len(block.codes))
        begins, ends = (places.folded(flags) for flags in boundaries.likely())
        visible = (folded.codes != SPACE) & (folded.codes != SEPARATOR)
        begins[:-1] &= visible
        ends[1:] &= visible
        starts = np.flatnonzero(begins[:-1])
        found = spellings.index.search(pieces, starts, np.flatnonzero(ends & ~pieces.cut))
        if self._near is not None:
            near = self._near.search(pieces, starts, ends)
            found = Found(*(np.concatenate(columns) for columns in zip(found, near, strict=True)))
        start, end, string = found
        low, begun = places.settled(start, boundaries.begin, last=True)
        high, ended = places.settled(end, boundaries.end, last=False)
        right = begun & ended
        if spellings.given.any():
            number = np.searchsorted(block.starts, low, "right") - 1
            right &= ~spellings.given[string] | boundaries.given[number]
        ending = spellings.ending[string]
        rows = np.flatnonzero(right & (ending > 0))
        if rows.size:
            _, apart = places.settled(end[rows] - ending[rows], boundaries.begin, last=True)
            right[rows[apart]] = False
        return low[right], high[right], spellings.term[string[right]].astype(np.int64)


def _ordered(start: Integers, end: Integers, term: Integers) -> tuple[Integers, Integers, Integers]:
    """By start, the longest first, number of the term."""
    place = (start << 32) - end
    order = np.argsort(place, kind="stable")  # the search gives them in a few orderly runs, which this makes use of
    place, numbers = place[order], term[order]
    again = place[1:] == place[:-1]
    if (again & (numbers[1:] <= numbers[:-1])).any():
        order = np.lexsort((term, (start << 32) - end))
        # A term of two forms that are found together, or come near the same stretch, is one match.
        order = order[np.append(True, ~again | (np.diff(term[order]) != 0))]
    return start[order], end[order], term[order]


class _Places:
    """Places between folded characters, and the places between the block's characters that they stand for.

    Mostly that is one. It is none inside a cluster, and several where characters between vanished.
    """

    def __init__(self, folded: Folded, size: int) -> None:
        self._same = folded.low is None or folded.high is None
        if folded.low is not None and folded.high is not None:
            self._first = np.concatenate([[0], folded.high])
            self._last = np.append(folded.low, size)
            self._several = bool((self._first < self._last).any())

    def folded(self, flags: Flags) -> Flags:
        """For each place whether one that it stands for is flagged."""
        if self._same:
            return flags.copy()
        if not self._several:
            one: Flags = flags.take(self._last)
            one &= self._first == self._last
            return one
        counts = np.concatenate([[0], np.cumsum(flags)])
        flagged: Flags = counts[self._last + 1] > counts[np.minimum(self._first, self._last + 1)]
        return flagged

    def settled(self, places: Integers, boundary: Callable[[Integers], Flags], *, last: bool) -> tuple[Integers, Flags]:
        """The last, or first, boundary that each place stands for, and whether there is one."""
        if self._same:
            return places, boundary(places)
        first, final = self._first[places], self._last[places]
        at, step = (final, -1) if last else (first, 1)
        at = at.copy()
        found = np.zeros(len(places), bool)
        rest = np.flatnonzero(first <= final)
        while rest.size:
            right = boundary(at[rest])
            found[rest[right]] = True
            rest = rest[~right]
            rest = rest[(at[rest] != first[rest]) if last else (at[rest] != final[rest])]
            at[rest] += step
        return at, found
