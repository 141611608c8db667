"""What there is to say about an annotation: the counts of a `Tally`, with the names of the terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from gleanner.evaluation.spans import Ints
from gleanner.gazetteer.common_words import CommonWord
from gleanner.gazetteer.report.gold import Comparison, Gold
from gleanner.gazetteer.report.sample import Example
from gleanner.gazetteer.report.tally import Tally
from gleanner.gazetteer.report.terms import Terms
from gleanner.types import NOT_ENTITY, UNKNOWN

LISTED = 50
"""Terms that a list has at most; how many there are beside is always said."""

_POINTS = 60
"""Of the curve of ranks."""


@dataclass(frozen=True, slots=True)
class OfType:
    """What was found of a type."""

    mentions: int
    terms: int
    """Different terms of dictionaries that gave it."""
    in_dictionaries: int
    """Terms of the dictionaries that may give it."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A term that is shown, and where it stands."""

    text: str
    places: tuple[str, ...]
    """File and line; of an ambiguous term those of the others with the same words, too."""
    types: tuple[str, ...]
    """What the dictionaries say that it may be."""
    labels: dict[str, int]
    """How often it gave which label, the commonest first."""

    @property
    def mentions(self) -> int:
        """All labels together."""
        return sum(self.labels.values())


@dataclass(frozen=True)
class Summary:
    """All that the report shows. Lists are sorted, the most frequent first, and cut; the counts are not."""

    sentences: int
    words: int
    mentions: int
    """Labels that are a type."""
    labelled_sentences: int
    """Sentences with at least one of these."""
    unknown: int
    """Labels that say only that nobody knows."""
    denied: int
    """Labels that say that there is no entity."""
    types: dict[str, OfType]
    makers: dict[str, int]
    """Labels by what made them."""
    by_labels: dict[int, int]
    """How many sentences have how many mentions."""
    top: tuple[Listed, ...]
    ranks: tuple[tuple[int, int], ...]
    """Points of the curve of frequencies by rank."""
    ambiguous_terms: int
    """Terms that were found and may be several types, those with the same words as one."""
    ambiguous: tuple[Listed, ...]
    common: tuple[CommonWord, ...]
    terms: int
    """Terms of the dictionaries."""
    seen_terms: int
    unseen: tuple[Listed, ...]
    """The first of the terms that gave no label, in the order of the files."""
    examples: dict[str, tuple[Example, ...]] = field(default_factory=dict)
    gold: Comparison | None = None

    @property
    def per_thousand(self) -> float:
        """Mentions a thousand words."""
        return 1000 * self.mentions / self.words if self.words else 0.0

    @property
    def unseen_terms(self) -> int:
        """Terms of the dictionaries that gave no label."""
        return self.terms - self.seen_terms

    def to_dict(self) -> dict[str, Any]:
        """The summary ready for JSON."""
        plain = asdict(self)
        plain["per_thousand_words"], plain["unseen_terms"] = self.per_thousand, self.unseen_terms
        plain["examples"] = {
            type_: [example._asdict() for example in examples] for type_, examples in self.examples.items()
        }
        plain["gold"] = None if self.gold is None else self.gold.to_dict()
        return plain


def summarise(
    tally: Tally, terms: Terms, gold: Gold | None = None, common: Sequence[CommonWord] = (), bootstrap: int = 1000
) -> Summary:
    """The summary of what was counted."""
    types, numbers, kinds, counts = tally.finish()
    seen, places = np.unique(numbers, return_inverse=True)
    totals = np.zeros(len(seen), np.int64)
    np.add.at(totals, places, counts)
    lister = _Lister(terms, types, numbers, kinds, counts)
    best = np.lexsort((seen, -totals))
    mentions = {type_: n for type_, n in _ranked(tally.mentions) if type_ not in (NOT_ENTITY, UNKNOWN)}
    given = dict(zip(types, np.bincount(kinds, minlength=len(types)).tolist(), strict=True))
    may = terms.by_type()
    ambiguous = terms.ambiguous(seen[best])
    return Summary(
        sentences=tally.sentences,
        words=tally.words,
        mentions=sum(mentions.values()),
        labelled_sentences=tally.sentences - tally.by_labels[0],
        unknown=tally.mentions[UNKNOWN],
        denied=tally.mentions[NOT_ENTITY],
        types={type_: OfType(n, given[type_], may.get(type_, 0)) for type_, n in mentions.items()},
        makers=dict(_ranked(tally.makers)),
        by_labels=dict(sorted(tally.by_labels.items())),
        top=lister.rows(seen[best[totals[best] > 0]][:LISTED]),
        ranks=_curve(totals[best]),
        ambiguous_terms=len(ambiguous),
        ambiguous=lister.rows(ambiguous[:LISTED], with_others=True),
        common=tuple(common),
        terms=len(terms),
        seen_terms=len(seen),
        unseen=lister.rows(_first_missing(seen, len(terms), LISTED)),
        examples={type_: found for type_ in (*mentions, UNKNOWN, NOT_ENTITY) if (found := tally.sample.of(type_))},
        gold=None if gold is None else gold.compare(tally.answers, bootstrap),
    )


class _Lister:
    """Makes rows of the numbers of terms."""

    def __init__(self, terms: Terms, types: Sequence[str], numbers: Ints, kinds: Ints, counts: Ints) -> None:
        self._terms, self._types = terms, types
        self._numbers, self._kinds, self._counts = numbers, kinds, counts

    def rows(self, numbers: Ints, *, with_others: bool = False) -> tuple[Listed, ...]:
        return tuple(self._row(number, with_others) for number in numbers.tolist())

    def _row(self, number: int, with_others: bool) -> Listed:
        same = [number, *self._terms.others(number)] if with_others else [number]
        labels: Counter[str] = Counter()
        for one in same:
            first, last = np.searchsorted(self._numbers, [one, one + 1])
            labels.update({self._types[self._kinds[row]]: int(self._counts[row]) for row in range(first, last)})
        entries = [self._terms.term(one) for one in same]
        places = tuple(f"{file}:{term.line}" for term, file in entries)
        types = self._terms.types(number)
        return Listed(entries[0][0].text, places, types, {type_: n for type_, n in _ranked(labels) if n})


def _ranked(counts: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _curve(totals: Ints) -> tuple[tuple[int, int], ...]:
    """Ranks, evenly spread on a logarithmic axis, and their counts."""
    used = totals[totals > 0]
    if not len(used):
        return ()
    ranks = np.unique(np.geomspace(1, len(used), _POINTS).round().astype(np.int64))
    return tuple(zip(ranks.tolist(), used[ranks - 1].tolist(), strict=True))


def _first_missing(present: Ints, size: int, count: int) -> Ints:
    """The smallest numbers below `size` that are not among `present`, which is ascending.

    >>> _first_missing(np.array([0, 2, 3]), 7, 2).tolist()
    [1, 4]
    """
    absent = np.ones(size, np.bool_)
    absent[present] = False
    return np.flatnonzero(absent)[:count]
