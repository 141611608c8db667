"""Training in one call, for Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gleanner.errors import InputError
from gleanner.methods.load import build
from gleanner.training.reporter import Reporter
from gleanner.training.run import Trained, run
from gleanner.training.settings import check, override
from gleanner.types import Corpus, Sentence

Source = str | Path | Iterable[str | Path] | Corpus | Iterable[Sentence]
"""Files, or sentences."""


def train(
    train: Source,
    dev: str | Path | Iterable[Sentence] | None = None,
    *,
    method: str = "negative-sampling",
    encoder: str = "minilm",
    output: str | Path | None = None,
    seed: int = 0,
    settings: Mapping[str, Any] | None = None,
    reporter: Reporter | None = None,
    track: Sequence[str] = (),
) -> Trained:
    """Trains a model from incomplete annotations; what is not annotated counts as unknown.

    `settings` holds everything else by dotted name: `{"training.epochs": 5, "method.rate": 0.5}`.

        from gleanner import train

        tagger = train("silver.jsonl", "dev.jsonl", method="weighted-sampling", output="model").tagger
    """
    raw: dict[str, Any] = {"method": {"name": method}, "encoder": encoder, "seed": seed, "data": {}}
    corpus = None
    if isinstance(train, Corpus):
        corpus = train
    elif isinstance(train, str | Path):
        raw["data"]["train"] = [str(train)]
    else:
        parts = list(train)  # sentences may come from a generator
        given = [part for part in parts if isinstance(part, Sentence)]
        if given and len(given) < len(parts):
            raise InputError("sentences and files together", remedy="give files, or `read` them and give sentences")
        if given:
            corpus = Corpus(list(_sound(given)))
        else:
            raw["data"]["train"] = [str(file) for file in parts]
    sentences = None
    if isinstance(dev, str | Path):
        raw["data"]["dev"] = str(dev)
    elif dev is not None:
        sentences = list(_sound(dev))
    checked = check(override(raw, settings or {}))
    return run(build(checked.method), checked, output, corpus=corpus, dev=sentences, reporter=reporter, track=track)


def _sound(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences, checked as a reader checks those of a file."""
    for number, sentence in enumerate(sentences, start=1):
        if not isinstance(sentence, Sentence):
            raise InputError(f"{sentence!r} is not a Sentence", remedy="give one path, or sentences")
        if problem := sentence.problem():
            raise InputError(f"sentence {number}: {problem}", remedy="mend its spans")
        yield sentence
