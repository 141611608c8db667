"""A dictionary of any size. As a command, `python -m benchmarks.speed.terms COUNT`: what building its lexicon takes."""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks.speed.peak import peak
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.store import load, save
from gleanner.gazetteer.term import Term

_SYLLABLES = [a + b for a in "bcdfghklmnprstvz" for b in "aeiou"]


def terms(count: int, names: Sequence[str]) -> Iterator[Term]:
    """Phrases: the given names, then others of one to three words, of which the first is invented."""
    draw = random.Random(1)
    parts = ["".join(draw.choices(_SYLLABLES, k=draw.randint(1, 3))) for _ in range(2000)]
    for line, name in enumerate(names, start=1):
        yield Term(name, ("NAME",), line, id=f"Q{line}")
    for line in range(len(names) + 1, count + 1):
        first = parts[line % 2000].capitalize() + parts[line // 2000 % 2000]  # cheap: it is timed with the building
        rest = [names[(line * step) % len(names)] for step in range(7, 7 + line % 3)]
        yield Term(" ".join([first, *rest]), ("NAME",), line, id=f"Q{line}")


def _build(count: int) -> dict[str, float]:
    names = ["Lovelace", "Ada", "Babbage", "Difference-Engine", "Somerville", "King", "Byron"]
    start = perf_counter()
    lexicon = Lexicon.compile([("terms", terms(count, names))], Rules(case="ignore"))
    building = perf_counter() - start
    memory = peak() / 2**20
    with tempfile.TemporaryDirectory() as folder:
        save(lexicon, Path(folder) / "lexicon")
        start = perf_counter()
        load(Path(folder) / "lexicon")
    return {"building": building, "memory": memory, "loading": perf_counter() - start}


if __name__ == "__main__":
    print(json.dumps(_build(int(sys.argv[1]))))
