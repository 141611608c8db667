"""Candidates for names, found without a dictionary, of which only the dictionary's terms get a type, as in BOND.

A term is labelled only where it is a candidate: "Nature" in "as Nature wrote", not "nature". A candidate that is no term may
well be a name, so it becomes unknown, and no method takes it for a negative.

    capitals.Capitals        by the letters alone: words with a capital, and what joins them
    noun_chunks.NounChunks   by a model of spaCy

Where nothing tells a name (in scripts without capitals, such as Chinese, and in lines all in capitals) every term of the
dictionary is a candidate, and nothing else is: all n-grams of characters would leave no negatives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from gleanner.errors import InputError
from gleanner.gazetteer.annotator import flat
from gleanner.gazetteer.combine import by_priority
from gleanner.gazetteer.from_dictionary import DictionaryAnnotator
from gleanner.gazetteer.origin import Origin
from gleanner.gazetteer.passage import Label, Passage
from gleanner.types import UNKNOWN

Place = tuple[int, int]
"""The first character and the one after the last, or words in the same way."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Characters that may be a name."""

    start: int
    end: int
    parts: tuple[Place, ...] = ()
    """What may be names in its place where it is no term, the better first."""
    weak: bool = False
    """Whether it says nothing where it is no term: the first word of a sentence has its capital anyway."""


class Finder(Protocol):
    """Finds candidates."""

    @property
    def name(self) -> str:
        """What unknown labels give as their source."""
        ...

    def __call__(self, passages: Sequence[Passage]) -> list[list[Candidate] | None]:
        """Those of each passage, in order, none overlapping. None: nothing in the passage tells names from other words."""
        ...


@dataclass(frozen=True)
class CandidateAnnotator:
    """Labels candidates: with the dictionary's label where one is a term, else as unknown.

    Of a candidate that is no term, the parts are tried. Terms in scripts without capitals need not be candidates.
    """

    finder: Finder
    dictionary: DictionaryAnnotator

    @property
    def name(self) -> str:
        """Both their names."""
        return f"{self.dictionary.name} among {self.finder.name}"

    def __call__(self, passages: Sequence[Passage]) -> list[list[Label]]:
        """The labels of each passage."""
        source = str(Origin("candidates", self.finder.name))
        found = zip(passages, self.finder(passages), self.dictionary.everywhere(passages), strict=True)
        return [
            flat(terms) if candidates is None else self._labels(passage.text, candidates, terms, source)
            for passage, candidates, terms in found
        ]

    def _labels(self, text: str, candidates: Iterable[Candidate], terms: Sequence[Label], source: str) -> list[Label]:
        known = {(term.start, term.end): term for term in terms}
        chosen = [label for candidate in candidates for label in _chosen(candidate, known, source)]
        without_case = flat(term for term in terms if _has_no_case(text[term.start : term.end]))
        return by_priority([without_case, chosen])


def characters(place: Place, words: Sequence[Place]) -> Place:
    """The characters of words from the first to the one before the last."""
    return words[place[0]][0], words[place[1] - 1][1]


def _chosen(candidate: Candidate, known: dict[Place, Label], source: str) -> Iterator[Label]:
    """The label of a candidate, or those of its parts."""
    whole = candidate.start, candidate.end
    if whole in known:
        yield known[whole]
        return
    taken: list[Place] = []
    for terms in (True, False):
        for part in candidate.parts if terms or taken else ():
            if (part in known) == terms and all(part[1] <= start or end <= part[0] for start, end in taken):
                taken.append(part)
    for part in sorted(taken):
        yield known.get(part) or Label(*part, UNKNOWN, source)
    if not taken and not candidate.weak:
        yield Label(*whole, UNKNOWN, source)


@lru_cache(1 << 16)
def _has_no_case(mention: str) -> bool:
    """Whether a letter in it belongs to a script without capitals."""
    return any(letter.isalpha() and letter.lower() == letter.upper() for letter in mention)


def finder(name: str) -> Finder:
    """A finder by what the command line calls it: `capitals`, or `spacy:MODEL`.

    >>> finder("spacy:en_core_web_sm")
    NounChunks(model='en_core_web_sm')
    """
    from gleanner.gazetteer.capitals import Capitals
    from gleanner.gazetteer.noun_chunks import NounChunks

    kind, _, model = name.partition(":")
    if name == "capitals":
        return Capitals()
    if kind == "spacy" and model:
        return NounChunks(model)
    raise InputError(f"candidates cannot be found by {name!r}", remedy="choose capitals or spacy:MODEL")
