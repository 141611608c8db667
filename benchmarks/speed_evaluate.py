"""Seconds for evaluating 100,000 sentences with about two entities each, on one core."""

import time
from random import Random

from gleanner.evaluate.compare import compare
from gleanner.evaluate.report import evaluate
from gleanner.types import Sentence, Span

SENTENCES = 100_000
TYPES = ("PER", "LOC", "ORG", "MISC")


def sentences(random: Random) -> list[Sentence]:
    """Gold: 5 to 40 words, 0 to 4 entities of 1 to 3 words."""
    made = []
    for _ in range(SENTENCES):
        words = tuple(f"w{random.randrange(1000)}" for _ in range(random.randint(5, 40)))
        starts = sorted(random.sample(range(0, len(words), 3), min(random.randint(0, 4), len(words) // 3)))
        spans = tuple(Span(s, min(s + random.randint(1, 3), len(words)), random.choice(TYPES)) for s in starts)
        made.append(Sentence(words, spans, complete=True))
    return made


def predictions(gold: list[Sentence], random: Random) -> list[Sentence]:
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


def seconds(call) -> float:
    """The best of five runs."""

    def once() -> float:
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    return min(once() for _ in range(5))


def main() -> None:
    random = Random(0)
    gold = sentences(random)
    a, b = predictions(gold, random), predictions(gold, random)
    entities = sum(len(s.spans) for s in gold)
    print(f"{SENTENCES:,} sentences, {entities:,} gold entities\n")
    for name, call in (
        ("report, 1,000 bootstrap samples", lambda: evaluate(gold, a)),
        ("report, no bootstrap", lambda: evaluate(gold, a, bootstrap=0)),
        ("compare, 10,000 samples", lambda: compare(gold, a, b)),
    ):
        print(f"{name:<34} {seconds(call):6.3f} s")


if __name__ == "__main__":
    main()
