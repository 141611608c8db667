"""The one form that text and annotation have inside gleanner: spans of words in sentences.

Labels are three-valued end to end. A span is an entity (its label is a type), explicitly not an entity (`NOT_ENTITY`),
or explicitly unknown (`UNKNOWN`). What *silence* means, for every span not listed, is said by `Sentence.complete`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

NOT_ENTITY = "O"
"""The label of a span that somebody looked at and found to be no entity."""

UNKNOWN = "?"
"""The label of a span that nobody may use as an entity or as a negative: a phrase without a type, say."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words `start` to `end` (exclusive) of a sentence, with a label and where it comes from.

    >>> Span(0, 2, "PER", source="dictionary:people.csv:17")
    Span(start=0, end=2, label='PER', source='dictionary:people.csv:17', score=None)
    """

    start: int
    end: int
    label: str
    source: str = ""
    """Provenance: who or what made the label. Empty when the file does not say."""
    score: float | None = None
    """How sure the source is, from 0 to 1."""

    @property
    def is_entity(self) -> bool:
        """Whether the label is a type, neither `NOT_ENTITY` nor `UNKNOWN`."""
        return self.label not in (NOT_ENTITY, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words, what is known of them, and what silence means.

    >>> s = Sentence(("Ada", "Lovelace", "wrote", "."), (Span(0, 2, "PER"),))
    >>> s.entities[0].label, s.complete, s.phrase(s.entities[0])
    ('PER', False, 'Ada Lovelace')
    """

    words: tuple[str, ...]
    spans: tuple[Span, ...] = ()
    complete: bool = False
    """True: a span that is not listed is not an entity. False: nobody knows."""
    text: str | None = None
    """The text that the words were cut from, where it is known."""
    offsets: tuple[tuple[int, int], ...] | None = None
    """For each word its characters in `text`, end exclusive: `text[a:b] == word`."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """What a file says beside: an id, a document, comments, further columns. Kept, never interpreted."""

    @property
    def entities(self) -> tuple[Span, ...]:
        """The spans whose label is a type."""
        return tuple(span for span in self.spans if span.is_entity)

    def phrase(self, span: Span) -> str:
        """The span as it stands in the text, or its words joined by spaces where no text is known."""
        if self.text is not None and self.offsets is not None:
            return self.text[self.offsets[span.start][0] : self.offsets[span.end - 1][1]]
        return " ".join(self.words[span.start : span.end])

    def problem(self) -> str | None:
        """What is wrong with this sentence in one phrase, or None: ranges, order, doubles, crossings, offsets."""
        count = len(self.words)
        for span in self.spans:
            if span.start >= span.end:
                return f"span [{span.start}, {span.end}) {span.label} is reversed or empty"
            if span.start < 0 or span.end > count:
                return f"span [{span.start}, {span.end}) {span.label} is out of range: the sentence has {count} words"
            if not span.label:
                return f"span [{span.start}, {span.end}) has an empty label"
        if len(self.spans) > 1:
            # Sorted so that an outer span comes before what it contains; `open_ends` is the stack of spans still open.
            open_ends: list[Span] = []
            for span in sorted(self.spans, key=lambda s: (s.start, -s.end)):
                while open_ends and open_ends[-1].end <= span.start:
                    open_ends.pop()
                if open_ends:
                    outer = open_ends[-1]
                    if (outer.start, outer.end) == (span.start, span.end):
                        return f"span [{span.start}, {span.end}) is labelled twice: {outer.label} and {span.label}"
                    if span.end > outer.end:
                        return (
                            f"spans [{outer.start}, {outer.end}) {outer.label} and "
                            f"[{span.start}, {span.end}) {span.label} overlap and neither contains the other"
                        )
                open_ends.append(span)
        if self.offsets is not None:
            if self.text is None:
                return "character offsets without a text"
            if len(self.offsets) != count:
                return f"{len(self.offsets)} character offsets for {count} words"
            for word, (a, b) in zip(self.words, self.offsets, strict=True):
                if self.text[a:b] != word:
                    return f"characters [{a}, {b}) are {self.text[a:b]!r}, not the word {word!r}"
        return None


class Corpus:
    """Sentences that can be read again and again, without being held in memory.

    >>> corpus = Corpus([Sentence(("Ada", "wrote"))])
    >>> sum(1 for _ in corpus), sum(1 for _ in corpus)
    (1, 1)
    """

    def __init__(self, sentences: Iterable[Sentence] | Callable[[], Iterator[Sentence]]) -> None:
        """Takes a list (anything that can be iterated more than once), or a function that starts a new reading."""
        if isinstance(sentences, Iterator):
            sentences = list(sentences)  # a generator can be read only once
        self._source = sentences

    def __iter__(self) -> Iterator[Sentence]:
        return self._source() if callable(self._source) else iter(self._source)
