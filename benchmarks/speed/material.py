"""What is measured on: an encoder, and a corpus whose silence is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from benchmarks import places
from gleanner import demo_data
from gleanner.data.files import corpus
from gleanner.methods.load import build
from gleanner.train.reporter import Reporter
from gleanner.train.run import Trained, run
from gleanner.train.settings import check, override
from gleanner.types import Corpus, Sentence

REAL = "wikigold/train.distant.jsonl"


@dataclass(frozen=True)
class Material:
    """The same for every part of a run."""

    encoder: str
    sentences: tuple[Sentence, ...]
    source: str
    """What the corpus is called in the results."""
    quick: bool

    @classmethod
    def find(cls, encoder: str, *, quick: bool) -> Material:
        """WikiGold where the data folder has it, else the corpus that comes with gleanner."""
        folder = places.data()
        real = folder is not None and (folder / REAL).is_file()
        source = corpus([folder / REAL]) if folder is not None and real else demo_data.train_gold()
        sentences = tuple(replace(sentence, complete=False) for sentence in source)
        name = REAL if real else "gleanner.demo_data"
        return cls(places.encoder(encoder) or encoder, sentences, name, quick)

    def take(self, count: int) -> Corpus:
        """The first sentences."""
        return Corpus(list(islice(self.sentences, count)))

    def train(self, corpus: Corpus, method: Mapping[str, Any], epochs: int, reporter: Reporter) -> Trained:
        """One ordinary run that writes nothing."""
        settings = check(
            override({"encoder": self.encoder, "method": dict(method), "training": {"epochs": epochs}}, {})
        )
        return run(build(settings.method), settings, corpus=corpus, reporter=reporter)
