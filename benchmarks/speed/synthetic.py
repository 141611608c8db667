"""Short sentences in any number, from the words of the corpus that comes with gleanner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gleanner import demo_data
from gleanner.data.files import write
from gleanner.types import Sentence, Span

TYPES = ("PER", "LOC", "ORG")


def short_sentences(count: int) -> Iterator[Sentence]:
    """5 to 15 words each, as frequent as in the corpus; in every second sentence an entity of one or two words."""
    words = [word for sentence in demo_data.train_gold() for word in sentence.words]
    random = np.random.default_rng(0)
    for k in range(count):
        picked = random.integers(len(words), size=5 + k % 11).tolist()
        start = picked[0] % (len(picked) - 2)
        entity = Span(start, start + 1 + picked[1] % 2, TYPES[picked[2] % 3])
        yield Sentence(tuple([words[j] for j in picked]), (entity,) if k % 2 else ())


def write_short_sentences(count: int, path: Path) -> None:
    """As JSONL."""
    write(short_sentences(count), path, "jsonl")
