"""A sample that people annotated, and what an annotation of a larger text says of the same sentences."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gleanner.data.characters import located
from gleanner.data.files import ReadOptions, read
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

if TYPE_CHECKING:
    from gleanner.evaluation.report import Report

Place = tuple[int, int, str]
"""First letter and the one after the last, white space not counted, and a label."""

Answers = dict[str, list[tuple[Place, ...]]]
"""What an annotation says of gold sentences: for the letters of a sentence the labels of each of its copies."""


def letters(text: str) -> str:
    r"""What tells a sentence, however it was cut into words: its text without white space.

    >>> letters("Ada's  letters\n")
    "Ada'sletters"
    """
    return "".join(text.split())


@dataclass(frozen=True)
class Comparison:
    """How good an annotation is where it can be known."""

    gold: int
    """Sentences of the sample."""
    found: int
    """Those of them that are in the annotated text."""
    report: Report | None
    """The score on these; None if there are none."""

    def to_dict(self) -> dict[str, Any]:
        """The comparison ready for JSON."""
        scores = None if self.report is None else self.report.to_dict()
        return {"sentences": self.gold, "found": self.found, "scores": scores}


class Gold:
    """The gold sentences, found again by their letters. A sample is small: it is held in memory.

    >>> gold = Gold([Sentence(("Ada", "'s"), (Span(0, 1, "PER"),), complete=True)])
    >>> answers = {}
    >>> gold.note("Ada's", [(0, 3, "PER")], answers)
    >>> gold.compare(answers).report.micro.f1
    1.0
    """

    def __init__(self, sentences: Iterable[Sentence]) -> None:
        self._sentences = tuple(sentences)
        self._copies = Counter(letters("".join(sentence.words)) for sentence in self._sentences)

    @classmethod
    def read(cls, path: str | Path, format: str | None = None) -> Gold:  # noqa: A002
        """Of an annotated file, whose silence means "not an entity"."""
        gold = cls(read(path, format, ReadOptions(complete=True)))
        if not any(sentence.spans for sentence in gold._sentences):
            raise InputError("no label in it, so it is no gold sample", path=path, remedy="give annotated sentences")
        return gold

    def __len__(self) -> int:
        return len(self._sentences)

    @property
    def fingerprint(self) -> str:
        """A text that changes when other sentences would be noted."""
        return sha256(repr(sorted(self._copies.items())).encode()).hexdigest()

    def note(self, text: str, labels: Iterable[tuple[int, int, str]], answers: Answers) -> None:
        """Keeps the labels (characters of `text`) of a sentence that the gold has, as often as the gold has it."""
        key = letters(text)
        copies = self._copies.get(key, 0)
        if copies and len(answers.setdefault(key, [])) < copies:
            answers[key].append(
                tuple((len(letters(text[:start])), len(letters(text[:end])), label) for start, end, label in labels)
            )

    def join(self, answers: Answers, later: Answers) -> None:
        """Appends what was noted of a part of the text that comes later."""
        for key, noted in later.items():
            mine = answers.setdefault(key, [])
            mine += noted[: max(0, self._copies[key] - len(mine))]

    def compare(self, answers: Answers, bootstrap: int = 1000) -> Comparison:
        """The score. A sentence that the gold has several times is compared in order, the first with the first."""
        from gleanner.evaluation.report import evaluate

        used: defaultdict[str, int] = defaultdict(int)
        truth, annotated = [], []
        for sentence in self._sentences:
            key = letters("".join(sentence.words))
            noted = answers.get(key, ())
            if used[key] < len(noted):
                one, other = _sides(sentence, noted[used[key]])
                truth.append(one)
                annotated.append(other)
                used[key] += 1
        report = evaluate(truth, annotated, bootstrap=bootstrap) if truth else None
        return Comparison(len(self._sentences), len(truth), report)


def _sides(gold: Sentence, places: Sequence[Place]) -> tuple[Sentence, Sentence]:
    """The gold sentence and the annotated one, cut alike: in the gold's words, or in letters where a label cuts one."""
    starts: dict[int, int] = {}  # letters -> words
    ends: dict[int, int] = {}
    position = 0
    for number, word in enumerate(gold.words):
        starts[position] = number
        position += len(letters(word))
        ends.setdefault(position, number + 1)  # a word of white space alone belongs to no label
    if all(a in starts and b in ends for a, b, _ in places):
        return gold, replace(gold, spans=tuple(Span(starts[a], ends[b], label) for a, b, label in places))
    text, offsets = located(gold)
    characters = tuple(
        (place, place + 1) for start, end in offsets for place in range(start, end) if not text[place].isspace()
    )
    index = {place: number for number, (place, _) in enumerate(characters)}
    spans = []
    for span in gold.spans:
        inside = [index[place] for place in range(offsets[span.start][0], offsets[span.end - 1][1]) if place in index]
        if inside:
            spans.append(replace(span, start=inside[0], end=inside[-1] + 1))
    cut = replace(
        gold, words=tuple(text[a:b] for a, b in characters), spans=tuple(spans), text=text, offsets=characters
    )
    return cut, replace(cut, spans=tuple(Span(a, b, label) for a, b, label in places))
