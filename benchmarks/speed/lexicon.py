"""A lexicon of 700,000 words with vectors: reading it, finding its words in batches, and the memory it needs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.speed.alternate import seconds
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from gleanner.model.choices import LexiconOptions
from gleanner.model.examples import encode
from gleanner.model.lexicon_vectors import LexiconVectors
from gleanner.model.spelling import Spelling
from gleanner.types import Sentence

WIDTH = 50


def rows(material: Material) -> Iterator[Row]:
    """Characters are as frequent as in a language: the k-th 1 / k times as often as the first."""
    count = 20_000 if material.quick else 700_000
    random = np.random.default_rng(0)
    share = 1 / np.arange(1, 5001)
    draw = random.choice(5000, 4 * count, p=share / share.sum()) + ord("一")
    text = draw.astype("<u4").tobytes().decode("utf-32-le")
    sentences = [Sentence(tuple(text[k : k + 50])) for k in range(0, 100_000 if count > 100_000 else 10_000, 50)]
    examples = encode(sentences)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lexicon.txt"
        _write(path, text[-3 * count :], count, random)
        built: list[LexiconVectors] = []
        took = seconds(lambda: built.append(LexiconVectors.build(examples, LexiconOptions(file=str(path)))))
    words = built[0]
    yield Row(f"lexicon of {count:,} lines of {WIDTH} numbers, reading", took, "s")
    spelling = Spelling.of(examples.vocabulary.words)
    batch, lengths = examples.words[:800], np.full(16, 50)
    took = median(seconds(lambda: words.covering(spelling, batch, lengths, 5)) for _ in range(50))
    found = len(words.lexicon.find(spelling, batch, lengths).entry)
    yield Row("finding its words in 16 sentences of 50 characters", 1000 * took, "ms", detail=f"{found} found")
    took = seconds(lambda: words.rows(spelling, examples.words, examples.lengths))
    yield Row(f"finding its words in {len(examples.words):,} characters", took, "s")
    held = words.lexicon.state_bytes + words.embedding.weight.nbytes
    yield Row("memory it holds", held / 2**20, "MiB", detail=f"{len(words.lexicon):,} different words")


def _write(path: Path, text: str, count: int, random: np.random.Generator) -> None:
    """Words of 2 to 5 characters; the vectors of a thousand words over and over."""
    sizes = random.choice([2, 3, 4, 5], count, p=[0.45, 0.3, 0.2, 0.05]).tolist()
    tails = [" ".join(f"{value:.5f}" for value in row) for row in random.normal(size=(1000, WIDTH))]
    place = 0
    with path.open("w", encoding="utf-8") as file:
        for k, size in enumerate(sizes):
            file.write(f"{text[place : place + size]} {tails[k % 1000]}\n")
            place = (place + size) % (len(text) - 5)
