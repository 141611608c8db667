"""How fast text is cut and files are read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.speed.alternate import seconds
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from benchmarks.speed.synthetic import write_short_sentences
from gleanner import demo_data
from gleanner.data.files import read
from gleanner.data.text import sentences


def rows(material: Material) -> Iterator[Row]:
    """For information."""
    paragraphs = [part for part in demo_data.raw().split("\n\n") if part] * (2 if material.quick else 10)
    size = sum(len(part.encode()) for part in paragraphs)
    sentences(paragraphs[0])  # the patterns are compiled at the first call
    took = median(seconds(lambda: [sentences(part) for part in paragraphs]) for _ in range(5))
    yield Row("cutting raw text into sentences and words", size / took / 1e6, "MB/s")

    count = 2_000 if material.quick else 20_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.jsonl"
        write_short_sentences(count, path)
        took = median(seconds(lambda: sum(1 for _ in read(path))) for _ in range(5))
        yield Row("reading JSONL", count / took, "sentences/s", detail=f"{path.stat().st_size / took / 1e6:.0f} MB/s")
