"""Examples in context: a sample that depends on the text alone, whatever was read first and however many read it."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from zlib import crc32

SIZE = 5
"""Examples of each type."""

_LETTER = "[\u2014\u2018-\u201d\u2026\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff9f]"
_BETWEEN = re.compile(f"(?<={_LETTER}) (?={_LETTER})")
"""A space that Chinese and Japanese do not write."""

_AROUND = 90
"""Characters on either side of a mention; a document may be one sentence."""


class Example(NamedTuple):
    """A mention and the text round it. Ordered by the hash of its sentence, so that a sample is the first so many."""

    hash: int
    text: str
    start: int
    """Characters of `text`."""
    end: int
    source: str


class Sample:
    """For each type the few mentions whose sentences have the smallest hashes.

    >>> sample = Sample(2)
    >>> for text in ("Ada wrote", "Emmy wrote", "Mary wrote", "Ada wrote"):
    ...     sample.offer("PER", text, 0, text.index(" "), "", sentence_hash(text))
    >>> [example.text for example in sample.of("PER")]
    ['Emmy wrote', 'Mary wrote']
    """

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._kept: dict[str, list[Example]] = {}

    def limit(self, types: Iterable[str]) -> float:
        """Sentences with a larger hash need not be offered if they have no other types than these."""
        return max((self._limit(self._kept.get(type_, ())) for type_ in types), default=0)

    def offer(self, type_: str, text: str, start: int, end: int, source: str, hash_: int) -> None:
        """Takes a mention, if it is among the first so many of its type."""
        kept = self._kept.setdefault(type_, [])
        if hash_ <= self._limit(kept):
            mention = text[start:end]
            before, after = _cut(text[:start][::-1])[::-1], _cut(text[end:])
            start, end = len(before), len(before) + end - start
            self._take(kept, Example(hash_, before + mention + after, start, end, source))

    def join(self, other: Sample) -> None:
        """Takes what another sample has."""
        for type_, examples in other._kept.items():
            kept = self._kept.setdefault(type_, [])
            for example in examples:
                self._take(kept, example)

    def of(self, type_: str) -> tuple[Example, ...]:
        """The sample of a type."""
        return tuple(self._kept.get(type_, ()))

    def to_dict(self) -> dict[str, list[Example]]:
        """All of it, ready for JSON."""
        return self._kept

    @classmethod
    def from_dict(cls, record: Mapping[str, Sequence[Sequence[Any]]]) -> Sample:
        """The inverse of `to_dict`."""
        made = cls()
        made._kept = {type_: [Example(*example) for example in examples] for type_, examples in record.items()}
        return made

    def _limit(self, kept: Sequence[Example]) -> float:
        return kept[-1].hash if len(kept) == self._size else float("inf")

    def _take(self, kept: list[Example], example: Example) -> None:
        # One mention a sentence, so that neither a repeated sentence nor a list of names fills the sample.
        same = next((place for place, other in enumerate(kept) if other.hash == example.hash), None)
        if same is not None:
            kept[same] = min(kept[same], example)
            return
        insort(kept, example)
        del kept[self._size :]


def _cut(text: str) -> str:
    """The beginning of a text, up to a white space where there is one."""
    if len(text) <= _AROUND:
        return text
    kept = text[:_AROUND]
    return kept[: kept.rfind(" ") + 1 or _AROUND] + "…"


def written(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Words joined by spaces as they are written: Chinese and Japanese without the spaces.

    >>> written("我 爱 北 京 , OK", 4, 7)
    ('我爱北京 , OK', 2, 4)
    """
    spaces = [match.start() for match in _BETWEEN.finditer(text)]
    return _BETWEEN.sub("", text), start - bisect_left(spaces, start), end - bisect_left(spaces, end)


def sentence_hash(text: str) -> int:
    """The same in every process."""
    return crc32(text.encode("utf-8", "surrogatepass"))
