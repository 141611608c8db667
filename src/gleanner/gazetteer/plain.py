"""Finding a dictionary's terms in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ahocorasick_rs import AhoCorasick

from gleanner.data.text import words
from gleanner.gazetteer.dictionary import Dictionary, Entry
from gleanner.types import Sentence, Span


class Matcher:
    """Labels the words that are a term of the dictionary, letter by letter and in the same case.

    Of terms that overlap, the leftmost counts, and of those that begin together the longest. Words that have a label
    already keep it. A term of two types takes its words, so that nothing shorter is found there, but labels nothing.

    >>> dictionary = Dictionary("names.tsv", {"Lincoln": (Entry("LOC", 1),), "Abraham Lincoln": (Entry("PER", 2),)})
    >>> next(Matcher(dictionary).annotate([Sentence(("Abraham", "Lincoln", "saw", "Lincoln"))])).spans
    (Span(start=0, end=2, label='PER', source='dictionary:names.tsv:2', score=None), \
Span(start=3, end=4, label='LOC', source='dictionary:names.tsv:1', score=None))
    """

    def __init__(self, dictionary: Dictionary) -> None:
        """Builds the automaton."""
        # "King's" may be one word of a sentence or, as `words` cuts it, two: a term is searched for in both forms.
        forms: dict[str, dict[str, Entry]] = {}
        for term, entries in dictionary.terms.items():
            for form in (term, _cut(term)):
                types = forms.setdefault(form, {})
                for entry in entries:
                    types.setdefault(entry.type, entry)
        self._name = dictionary.name
        self._entries = [tuple(types.values()) for types in forms.values()]
        # The automaton's own leftmost-longest rule knows no words: "Newt" in "Newton" would hide what begins inside it.
        self._automaton = AhoCorasick(list(forms))

    def annotate(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The sentences with the terms that are in them. Silence is unknown afterwards: no dictionary knows all names."""
        for sentence in sentences:
            spans = (*sentence.spans, *self._spans(sentence))
            yield replace(sentence, spans=tuple(sorted(spans, key=lambda s: (s.start, -s.end))), complete=False)

    def _spans(self, sentence: Sentence) -> Iterator[Span]:
        starts, ends = {}, {}  # characters of the words joined by spaces -> words
        position = 0
        for index, word in enumerate(sentence.words):
            starts[position] = index
            position += len(word)
            ends[position] = index + 1
            position += 1
        found = self._automaton.find_matches_as_indexes(" ".join(sentence.words), overlapping=True)
        whole = [(starts[a], ends[b], self._entries[term]) for term, a, b in found if a in starts and b in ends]
        taken = {word for span in sentence.spans for word in range(span.start, span.end)}
        after = 0
        for start, end, entries in sorted(whole, key=lambda match: (match[0], -match[1])):
            if start >= after and taken.isdisjoint(range(start, end)):
                after = end
                if len(entries) == 1:
                    yield Span(start, end, entries[0].type, f"dictionary:{self._name}:{entries[0].line}")


def _cut(term: str) -> str:
    return " ".join(word for word, _, _ in words(term))
