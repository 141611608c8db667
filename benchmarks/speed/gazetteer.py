"""Finding dictionaries' terms in running text: the search alone, building, keeping and loading."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from statistics import median

from benchmarks.speed.alternate import seconds
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from benchmarks.speed.terms import terms
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.matcher import Matcher
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Case


def rows(material: Material) -> Iterator[Row]:
    """On one processor."""
    size, count = (500_000, 10_000) if material.quick else (10_000_000, 100_000)
    passages = _passages(material, size)
    dictionary = list(terms(count, _names(passages)[: count // 10]))
    cases: tuple[Case, ...] = ("exact", "ignore")
    for case in cases:
        matcher = Matcher(Lexicon.compile([("terms", dictionary)], Rules(case=case)))
        found = matcher.find(passages)
        took = median(seconds(lambda: matcher.find(passages)) for _ in range(5))  # noqa: B023 called at once
        detail = f"{len(found.term):,} matches in {size / 1e6:g} MB"
        yield Row(f"matching alone, {count:,} terms, case: {case}", size / took / 1e6, "MB/s", detail=detail)

    many = 20_000 if material.quick else 1_000_000
    # In a process of its own, whose memory is then the building's.
    command = [sys.executable, "-m", "benchmarks.speed.terms", str(many)]
    built = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    yield Row(f"{many:,} terms, building", built["building"], "s", at_most=10)
    yield Row(f"{many:,} terms, building", built["memory"], "MiB", at_most=1024, detail="at its peak, Python included")
    yield Row(f"{many:,} terms, loading", built["loading"], "s", at_most=1)


def _passages(material: Material, size: int) -> list[Passage]:
    """The corpus' sentences in random order, over and over."""
    texts = [sentence.text or " ".join(sentence.words) for sentence in material.sentences]
    draw = random.Random(0)
    passages, have = [], 0
    while have < size:
        passages.append(Passage(draw.choice(texts)))
        have += len(passages[-1].text) + 1
    return passages


def _names(passages: list[Passage]) -> list[str]:
    """Stretches of words with capitals, from within sentences; those of one word only where it has no small twin."""
    words = [passage.text.split() for passage in passages[:20_000]]
    small = {word.lower() for sentence in words for word in sentence if word[0].islower()}
    found = set()
    for sentence in words:
        for start, word in enumerate(sentence[1:-2], start=1):
            names = [w for w in sentence[start : start + 3] if w[0].isupper() and w.lower() not in small]
            if word in names:
                found.add(" ".join(names))
    return sorted(found)
