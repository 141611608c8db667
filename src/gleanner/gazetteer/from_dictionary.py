"""A compiled dictionary as an annotator: which type a term's mention gets, and where the label says it comes from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import get_args

import numpy as np

from gleanner.errors import InputError
from gleanner.gazetteer.choices import Ambiguity
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.files import read_all
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.matcher import Matcher, Matches, longest
from gleanner.gazetteer.origin import Origin, source
from gleanner.gazetteer.passage import Label, Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term
from gleanner.types import UNKNOWN

AMBIGUITIES: tuple[Ambiguity, ...] = get_args(Ambiguity)

_REMEMBERED = 1 << 16
"""Terms whose labels are kept ready. Their number is bounded, or memory would grow with the corpus."""

Entry = tuple[Term, str]
"""A term and the name of its dictionary."""

ByType = Mapping[str, Sequence[Entry]]
"""The entries of the same words by the types that they give, in the order of the dictionaries."""


@dataclass(frozen=True)
class DictionaryAnnotator:
    """Labels the terms of a lexicon: of those that overlap the leftmost, and of those that begin together the longest.

    A term without a type becomes unknown, unless the same words are also a term that has one. `DictionaryAnnotator.read`
    makes one of files:

        drugs = DictionaryAnnotator.read("drugs.csv", "phrases.txt:?", rules=Rules(case="ignore"))

    >>> terms = [Term("Lincoln", ("LOC",), 1), Term("Lincoln", ("PER",), 2), Term("Bath", ("LOC",), 3)]
    >>> lexicon = Lexicon.compile([("names.tsv", terms)])
    >>> [(found.type, found.source) for found in DictionaryAnnotator(lexicon)([Passage("Lincoln saw Bath.")])[0]]
    [('?', 'dictionary:names.tsv:1:Lincoln | dictionary:names.tsv:2:Lincoln'), ('LOC', 'dictionary:names.tsv:3:Bath')]
    >>> DictionaryAnnotator(lexicon, "priority", ("PER", "LOC"))([Passage("Lincoln")])[0][0].type
    'PER'
    """

    lexicon: Lexicon
    ambiguity: Ambiguity = "drop"
    """What a term of several types becomes. `drop`: unknown. `priority`: the type that stands first in `order`, or, where
    that is empty, the type that the first dictionary gives. `frequent`: the type whose entries of this term have the greatest
    weight together; of equals the one with more entries. `alternatives`: unknown, with all its types in the label's source,
    where `gleanner.gazetteer.origin.alternatives` finds them. What a rule leaves open is unknown."""
    order: tuple[str, ...] = ()
    """Types, for `priority`. A term of which none of the types is here stays unknown."""
    common: frozenset[str] = frozenset()
    """Terms that are not believed, because they are common words too: they count as terms without a type."""

    @classmethod
    def read(
        cls, *files: DictionaryFile | str | Path, rules: Rules | None = None, ambiguity: Ambiguity = "drop"
    ) -> DictionaryAnnotator:
        """The annotator of files of terms; a string is what a user types: see `DictionaryFile.parse`."""
        return cls(Lexicon.compile(read_all(files), rules), ambiguity)

    def __post_init__(self) -> None:
        if not isinstance(self.lexicon, Lexicon):
            what = f"{str(self.lexicon)[:80]!r} is no lexicon"
            raise InputError(what, remedy="write DictionaryAnnotator.read(FILE) for a file of terms")
        check(self.ambiguity, self.order)

    @property
    def name(self) -> str:
        """Those of the dictionaries."""
        return ", ".join(dict.fromkeys(name for name, _ in self.lexicon.dictionaries))

    def __call__(self, passages: Sequence[Passage]) -> list[list[Label]]:
        """The labels of each passage."""
        return self._labels(longest(self._matcher.find(passages)), len(passages))

    def everywhere(self, passages: Sequence[Passage]) -> list[list[Label]]:
        """The labels of each passage, those included that overlap one that counts before them."""
        return self._labels(self._matcher.find(passages), len(passages))

    def __getstate__(self) -> dict[str, object]:
        fields = ("lexicon", "ambiguity", "order", "common")
        return {name: getattr(self, name) for name in fields}  # a matcher and ready labels are made again

    @cached_property
    def _matcher(self) -> Matcher:
        return Matcher(self.lexicon)

    @cached_property
    def _ready(self) -> Callable[[int | tuple[int, ...]], tuple[str, str]]:
        return lru_cache(_REMEMBERED)(self._decide)

    def _labels(self, matches: Matches, passages: int) -> list[list[Label]]:
        found: list[list[Label]] = [[] for _ in range(passages)]
        count = len(matches.term)
        if not count:
            return found
        place = np.stack((matches.passage, matches.start, matches.end))  # 3, matches
        first = np.flatnonzero(np.r_[True, (place[:, 1:] != place[:, :-1]).any(axis=0)])  # where other words begin
        after = np.r_[first[1:], count]
        terms = matches.term.tolist()
        ready = self._ready
        for passage, start, end, a, b in zip(*place[:, first].tolist(), first.tolist(), after.tolist(), strict=True):
            found[passage].append(Label(start, end, *ready(terms[a] if b - a == 1 else tuple(terms[a:b]))))
        return found

    def _decide(self, terms: int | tuple[int, ...]) -> tuple[str, str]:
        """The type and the source of words that are these terms."""
        entries = [
            self.lexicon.term(number) for number in ((terms,) if isinstance(terms, int) else dict.fromkeys(terms))
        ]
        by_type: defaultdict[str, list[Entry]] = defaultdict(list)
        for term, name in entries:
            for kind in dict.fromkeys(term.types if term.text not in self.common else ()):
                by_type[kind].append((term, name))
        kind = next(iter(by_type)) if len(by_type) == 1 else _RULES[self.ambiguity](by_type, self.order)
        if kind != UNKNOWN:
            return kind, _source([by_type[kind]])
        return UNKNOWN, _source(
            by_type.values() or [entries], tuple(by_type) if self.ambiguity == "alternatives" else ()
        )


def check(ambiguity: str, order: Sequence[str]) -> None:
    """Raise an `InputError` unless there is such a rule and it needs an order of types, if one is given."""
    if ambiguity not in AMBIGUITIES:
        raise InputError(
            f"{ambiguity!r} is no rule for ambiguous terms", remedy=f"choose one of {', '.join(AMBIGUITIES)}"
        )
    if order and ambiguity != "priority":
        raise InputError(
            f"an order of types ({', '.join(order)}) with the rule {ambiguity!r}",
            remedy="leave it out, or choose priority",
        )


def _drop(by_type: ByType, order: Sequence[str]) -> str:
    return UNKNOWN


def _priority(by_type: ByType, order: Sequence[str]) -> str:
    if order:
        return next((kind for kind in order if kind in by_type), UNKNOWN)
    dictionaries = [name for entries in by_type.values() for _, name in entries[:1]]
    # Types stand in the order of their first entries, and entries in that of the dictionaries.
    return next(iter(by_type)) if dictionaries and dictionaries.count(dictionaries[0]) == 1 else UNKNOWN


def _frequent(by_type: ByType, order: Sequence[str]) -> str:
    sizes = {kind: (sum(term.weight for term, _ in entries), len(entries)) for kind, entries in by_type.items()}
    best = [kind for kind, size in sizes.items() if size == max(sizes.values())]
    return best[0] if len(best) == 1 else UNKNOWN


_RULES: dict[Ambiguity, Callable[[ByType, Sequence[str]], str]] = {
    "drop": _drop,
    "priority": _priority,
    "frequent": _frequent,
    "alternatives": _drop,
}
"""What decides between types. UNKNOWN: nothing does."""


def _source(sorts: Iterable[Sequence[Entry]], alternatives: Sequence[str] = ()) -> str:
    """For each sort of entries one origin a dictionary: its first line that says so."""
    origins = []
    for entries in sorts:
        first: dict[str, Term] = {}
        for term, name in entries:
            first.setdefault(name, term)
        origins += [Origin("dictionary", name, term.line, term.text) for name, term in first.items()]
    return source(origins, alternatives)
