"""A sentence on its way to labels: its text, its words if they are given, and the labels that annotators find in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gleanner.data.text import words
from gleanner.errors import InputError
from gleanner.types import Sentence, Span


@dataclass(frozen=True, slots=True)
class Label:
    """Characters `start` to `end` (exclusive) of a passage's text, with what they are and who says so."""

    start: int
    end: int
    type: str
    """A type, `NOT_ENTITY` or `UNKNOWN`."""
    source: str
    """Annotator, and what it went by: "dictionary:drugs.csv:17:aspirin", "rule:dosage"."""
    score: float | None = None
    """How sure the annotator is, from 0 to 1."""


@dataclass(slots=True)
class Passage:
    """A sentence.

    >>> passage = Passage.of(Sentence(("King", "'s", "College")))
    >>> passage.text, passage.words
    ("King 's College", ((0, 4), (5, 7), (8, 15)))
    >>> passage.sentence([Label(0, 15, "ORG", "rule:college")]).spans
    (Span(start=0, end=3, label='ORG', source='rule:college', score=None),)
    """

    text: str
    words: tuple[tuple[int, int], ...] | None = None
    """For each given word its characters. None: the words are those that `gleanner.data.text.words` cuts."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    joined: bool = False
    """Whether the text is only the given words with spaces between them, because no other is known."""

    @classmethod
    def of(cls, sentence: Sentence) -> Passage:
        """The passage of a sentence, its words given. Its labels are not kept."""
        if sentence.text is not None and sentence.offsets is not None:
            return cls(sentence.text, sentence.offsets, sentence.meta)
        offsets = []
        end = -1
        for word in sentence.words:
            offsets.append((end + 1, end := end + 1 + len(word)))
        return cls(" ".join(sentence.words), tuple(offsets), sentence.meta, joined=True)

    def cut(self) -> tuple[tuple[int, int], ...]:
        """The words, given or not."""
        return tuple([(a, b) for _, a, b in words(self.text)]) if self.words is None else self.words

    def sentence(self, labels: Iterable[Label]) -> Sentence:
        """The sentence with these labels, in its order. Silence is unknown: no annotator knows all."""
        offsets = self.cut()
        first = {start: number for number, (start, _) in enumerate(offsets)}
        after = {end: number for number, (_, end) in enumerate(offsets, start=1)}
        spans = []
        for label in labels:
            start, end = first.get(label.start), after.get(label.end)
            if start is None or end is None:
                raise InputError(
                    f"{label.source} labels characters [{label.start}, {label.end}), "
                    f"{self.text[label.start : label.end]!r}, which are not whole words of {self.text[:80]!r}",
                    remedy="begin and end labels where words do",
                )
            spans.append(Span(start, end, label.type, label.source, label.score))
        spans.sort(key=lambda span: (span.start, -span.end))
        return Sentence(
            words=tuple([self.text[a:b] for a, b in offsets]),
            spans=tuple(spans),
            text=None if self.joined else self.text,
            offsets=None if self.joined else offsets,
            meta=self.meta,
        )
