"""The counts of a whole text, added up block by block."""

from __future__ import annotations

from collections import Counter

from gleanner.evaluation.spans import Ints
from gleanner.gazetteer.origin import origins
from gleanner.gazetteer.report.block import Block
from gleanner.gazetteer.report.counts import Counts
from gleanner.gazetteer.report.gold import Answers, Gold
from gleanner.gazetteer.report.sample import Sample
from gleanner.gazetteer.report.terms import Terms

_TYPES = 1 << 16  # a key is number of a term * _TYPES + number of a type
_WAITING = 1 << 17
"""Sources, as text, that are held until they are looked up; most come again and again."""


class Tally:
    """Counts of annotated sentences. Memory grows with the terms that were found, by numbers, and not with the text.

    A label that several terms gave counts for the first of them; the others only count as seen.
    """

    def __init__(self, terms: Terms, gold: Gold | None = None) -> None:
        self._terms, self._gold = terms, gold
        self.sentences = self.words = 0
        self.by_labels: Counter[int] = Counter()
        """How many sentences have how many labels that are a type."""
        self.mentions: Counter[str] = Counter()
        """Labels by type, unknown ones and denials included."""
        self.makers: Counter[str] = Counter()
        """Labels by what made them: `dictionary:drugs.csv`, `rule:dosage`."""
        self.sample = Sample()
        self.answers: Answers = {}
        """What was said of the gold sentences."""
        self._waiting: Counter[tuple[str, str]] = Counter()
        self._types: dict[str, int] = {}
        self._counts = Counts()

    def add(self, block: Block) -> None:
        """Adds a block; blocks in the order of the text, since that tells copies of a gold sentence apart."""
        self.sentences += block.sentences
        self.words += block.words
        self.by_labels.update(block.by_labels)
        self.sample.join(block.sample)
        self._waiting.update(block.labels)
        if len(self._waiting) > _WAITING:
            self._settle()
        if self._gold is not None:
            self._gold.join(self.answers, block.answers)

    def finish(self) -> tuple[tuple[str, ...], Ints, Ints, Ints]:
        """The names of types; and of each term and type that it gave their numbers, and how often. By the terms' numbers."""
        self._settle()
        return tuple(self._types), self._counts.keys // _TYPES, self._counts.keys % _TYPES, self._counts.values

    def _settle(self) -> None:
        keys, values = [], []
        for (type_, source), count in self._waiting.items():
            self.mentions[type_] += count
            number_of_type = self._types.setdefault(type_, len(self._types))
            given_by = origins(source)
            makers = {f"{origin.kind}:{origin.name}" if origin.name else origin.kind for origin in given_by}
            self.makers.update(dict.fromkeys(makers or {"(not said)"}, count))
            for place, origin in enumerate(given_by):
                if origin.line is not None and (number := self._terms.number(origin)) is not None:
                    keys.append(number * _TYPES + number_of_type)
                    values.append(0 if place else count)
        self._counts.add(keys, values)
        self._waiting.clear()
