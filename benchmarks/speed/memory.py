"""How memory and time grow with the corpus: a few steps of a run over more and more sentences, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from benchmarks.places import ROOT
from benchmarks.speed.alternate import BetweenSteps
from benchmarks.speed.material import Material
from benchmarks.speed.peak import peak
from benchmarks.speed.row import Row
from benchmarks.speed.synthetic import write_short_sentences
from gleanner.data.files import corpus
from gleanner.model.examples import encode
from gleanner.types import Corpus, Sentence

STEPS = 5
BYTES_A_WORD = 12.0
"""Of a million short sentences: 6 for the encoded corpus, 2 for windows, 2 for the order of an epoch; the rest is noise."""


class Run(NamedTuple):
    """What a process says of itself."""

    words: int
    peak: int
    """The largest resident size, in bytes."""
    reading: float
    """Seconds to read and encode the corpus."""


def rows(material: Material) -> Iterator[Row]:
    """What each size takes more than the smallest, which holds interpreter, libraries, model and a batch already."""
    smallest, *sizes = (10_000, 50_000) if material.quick else (10_000, 100_000, 1_000_000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sentences.jsonl"
        base = _measure(material.encoder, smallest, path)
        examples = encode(corpus([path]))
        yield Row(f"peak memory of training on {smallest:,} sentences", base.peak / 1e6, "MB")
        for size in sizes:
            large = _measure(material.encoder, size, path)
            more, words = large.peak - base.peak, large.words - base.words
            yield Row(
                f"the same on {size:,} sentences, for each further word",
                more / words,
                "bytes",
                at_most=BYTES_A_WORD if size >= 1_000_000 else None,
                detail=f"peak {large.peak / 1e6:,.0f} MB, {more / 1e6:+,.0f} MB for {words:,} words",
            )
        yield Row("encoded corpus, arrays only, a word", examples.state_bytes / len(examples.words), "bytes")
        speed = f"{size / large.reading:,.0f} sentences/s"
        yield Row(f"reading and encoding {size:,} sentences", large.reading, "s", detail=speed)


def _measure(encoder: str, size: int, path: Path) -> Run:
    write_short_sentences(size, path)
    command = [sys.executable, "-m", "benchmarks.speed.memory", encoder, str(path)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return Run(**json.loads(done.stdout.splitlines()[-1]))


def main(encoder: str, path: str) -> None:
    """One run, in this process."""
    words, reading = 0, 0.0

    def counted() -> Iterator[Sentence]:
        nonlocal words, reading
        start = perf_counter()
        for sentence in corpus([path]):
            words += len(sentence.words)
            yield sentence
        reading = perf_counter() - start  # the reader's own work, such as encoding, lies between the sentences

    turns = BetweenSteps(lambda step: None, STEPS)
    Material(encoder, (), path, quick=False).first_steps(Corpus(counted), {"name": "negative-sampling"}, turns)
    print(json.dumps(Run(words, peak(), reading)._asdict()))


if __name__ == "__main__":
    main(*sys.argv[1:])
