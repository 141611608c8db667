"""Finding dictionaries' terms in running text: the search alone, building, keeping and loading."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.speed.alternate import seconds
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.matcher import Matcher
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.store import load, save
from gleanner.gazetteer.term import Case, Term

SYLLABLES = [a + b for a in "bcdfghklmnprstvz" for b in "aeiou"]


def rows(material: Material) -> Iterator[Row]:
    """The bounds are for one processor."""
    size, count = (500_000, 10_000) if material.quick else (10_000_000, 100_000)
    passages = _passages(material, size)
    terms = list(_terms(count, [passage.text for passage in passages[:: max(1, len(passages) // 3000)]]))
    bounds: tuple[tuple[Case, float], ...] = (("exact", 40), ("ignore", 25))
    for case, bound in bounds:
        matcher = Matcher(Lexicon.compile([("terms", terms)], Rules(case=case)))
        found = matcher.find(passages)
        took = median(seconds(lambda: matcher.find(passages)) for _ in range(5))  # noqa: B023 called at once
        detail = f"{len(found.term):,} matches in {size / 1e6:g} MB"
        yield Row(f"{count:,} terms, case: {case}", size / took / 1e6, "MB/s", at_least=bound, detail=detail)

    many = 20_000 if material.quick else 1_000_000
    # In a process of its own, whose memory is then the building's.
    command = [sys.executable, "-m", "benchmarks.speed.gazetteer", str(many)]
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


def _terms(count: int, texts: list[str]) -> Iterator[Term]:
    """Phrases of one to three words: a tenth from the texts, of words that begin with a capital, the others invented."""
    draw = random.Random(1)
    names = [word for text in texts for word in text.split()[1:] if word[0].isupper()]
    for line in range(1, count + 1):
        words = draw.choices(names, k=draw.choice((1, 2, 2, 3)))
        if line % 10:
            words[0] = "".join(draw.choices(SYLLABLES, k=draw.randint(2, 5))).capitalize()
        yield Term(" ".join(words), ("NAME",), line, id=f"Q{line}")


def _build(count: int) -> dict[str, float]:
    import resource

    start = perf_counter()
    lexicon = Lexicon.compile([("terms", _terms(count, ["of Ada Lovelace and Charles Babbage"]))], Rules(case="ignore"))
    building = perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    with tempfile.TemporaryDirectory() as folder:
        save(lexicon, Path(folder) / "lexicon")
        loading = seconds(lambda: load(Path(folder) / "lexicon"))
    return {"building": building, "memory": memory, "loading": loading}


if __name__ == "__main__":
    print(json.dumps(_build(int(sys.argv[1]))))
