"""What is measured on: an encoder, and a corpus whose silence is unknown."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from benchmarks import places
from benchmarks.speed.alternate import BetweenSteps, TurnsOverError
from gleanner import demo_data
from gleanner.data.files import corpus
from gleanner.methods.load import build
from gleanner.model.feed import Feed
from gleanner.model.tagger import Tagger
from gleanner.model.vocabulary import Longs
from gleanner.training.fit import Plan
from gleanner.training.reporter import Reporter
from gleanner.training.run import run
from gleanner.training.settings import Training, check
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

    def first_steps(self, corpus: Corpus, method: Mapping[str, Any], turns: BetweenSteps) -> None:
        """An ordinary run, until the turns are over."""
        with suppress(TurnsOverError):
            self.train(corpus, method, turns)

    def train(self, corpus: Corpus, method: Mapping[str, Any], reporter: Reporter) -> Tagger:
        """An ordinary run of one epoch that writes nothing."""
        settings = check({"encoder": self.encoder, "method": dict(method), "training": {"epochs": 1}})
        return run(build(settings.method), settings, corpus=corpus, reporter=reporter).tagger


def first_batches(feed: Feed, count: int) -> list[Longs]:
    """The batches of such a run's first steps; all of them where there are fewer."""
    plan = Plan(feed, Training(epochs=1), seed=0, processes=1, process=0)
    return [batches[0] for _, batches in islice(plan.batches(0), count)]
