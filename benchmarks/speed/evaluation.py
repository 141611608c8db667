"""Seconds for evaluating 100,000 sentences with about two entities each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from statistics import median

from benchmarks.speed.alternate import seconds
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from gleanner.evaluation.compare import compare
from gleanner.evaluation.report import evaluate
from gleanner.types import Sentence, Span

TYPES = ("PER", "LOC", "ORG", "MISC")


def rows(material: Material) -> Iterator[Row]:
    """A full report, and what else is done with predictions."""
    count = 10_000 if material.quick else 100_000
    random = Random(0)
    gold = _gold(count, random)
    a, b = _predictions(gold, random), _predictions(gold, random)
    sides: tuple[tuple[str, Callable[[], object], float | None], ...] = (
        ("full report, 1,000 bootstrap samples", lambda: evaluate(gold, a), None if material.quick else 1.0),
        ("report without bootstrap", lambda: evaluate(gold, a, bootstrap=0), None),
        ("comparison of two models, 10,000 samples", lambda: compare(gold, a, b), None),
    )
    for name, call, at_most in sides:
        took = median(seconds(call) for _ in range(5))
        yield Row(f"evaluation of {count:,} sentences, {name}", took, "s", at_most=at_most)


def _gold(count: int, random: Random) -> list[Sentence]:
    """5 to 40 words, 0 to 4 entities of 1 to 3 words."""
    made = []
    for _ in range(count):
        words = tuple(f"w{random.randrange(1000)}" for _ in range(random.randint(5, 40)))
        starts = sorted(random.sample(range(0, len(words), 3), min(random.randint(0, 4), len(words) // 3)))
        spans = tuple(Span(s, min(s + random.randint(1, 3), len(words)), random.choice(TYPES)) for s in starts)
        made.append(Sentence(words, spans, complete=True))
    return made


def _predictions(gold: list[Sentence], random: Random) -> list[Sentence]:
    """Own copies of the words, as if read from a file; one span in five is lost, cut, or of another type."""

    def predict(span: Span) -> Span | None:
        match random.randrange(15):
            case 0:
                return None
            case 1:
                return Span(span.end - 1, span.end, span.label)
            case 2:
                return Span(span.start, span.end, random.choice(TYPES))
            case _:
                return span

    return [
        Sentence(tuple("".join(w) for w in s.words), tuple(p for p in map(predict, s.spans) if p is not None))
        for s in gold
    ]
