"""The twin of a stage's corpus, read once a run and kept beside the checkpoints: it may be expensive to make."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

from gleanner.data import files
from gleanner.errors import InputError
from gleanner.model.examples import Examples, encode
from gleanner.training.reporter import Reporter
from gleanner.types import Corpus, Sentence


def twin_examples(
    twin: Corpus, examples: Examples, *, name: str, seed: int, path: Path | None, reporter: Reporter
) -> Examples:
    """The twin encoded: from the file at `path` if it is there, else from the twin itself, which is then written there."""
    if path is not None and path.exists():
        made = encode(files.read(path, "jsonl"))
    else:
        torch.manual_seed(seed)
        sentences = _shown(twin, len(examples), name, reporter)
        if path is None:
            made = encode(sentences)
        else:
            files.write(sentences, path, "jsonl")
            made = encode(files.read(path, "jsonl"))
    if not np.array_equal(made.starts, examples.starts):
        raise InputError(
            f"the twin of stage {name!r} has not as many words as the corpus in each sentence",
            remedy="mend what makes it: it must rewrite word for word",
        )
    return made


def _shown(twin: Corpus, count: int, name: str, reporter: Reporter) -> Iterator[Sentence]:
    """The sentences, with a bar that moves."""
    reporter.begin(f"{name}: rewriting sentences", 0, count)
    since, words = time.monotonic(), 0
    try:
        for done, sentence in enumerate(twin, start=1):
            yield sentence
            words += len(sentence.words)
            reporter.step(done, None, words / max(time.monotonic() - since, 1e-9))
    finally:
        reporter.end()
