"""One run: a model is trained, development data choose its epoch, and then, once, the test set is read."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import torch

from gleanner.benchmark.counts import Counts
from gleanner.benchmark.machine import machine, memory
from gleanner.benchmark.places import Places
from gleanner.benchmark.store import Job, write_json
from gleanner.benchmark.table import Row, Table
from gleanner.data.files import ReadOptions, read
from gleanner.data.mask import mask
from gleanner.gazetteer.from_dictionary import DictionaryAnnotator
from gleanner.gazetteer.given import annotate
from gleanner.methods.load import build
from gleanner.model.precision import best_device, resolve
from gleanner.model.tagger import Tagger
from gleanner.training import record
from gleanner.training.reporter import Reporter, Silent
from gleanner.training.run import Trained, run
from gleanner.training.settings import dump
from gleanner.types import Corpus, Sentence

_COMPLETE = ReadOptions(complete=True)


class Measured(NamedTuple):
    """What `Job.store` keeps."""

    record: dict[str, Any]
    counts: Counts | None
    """Of the set that is judged; None where the predictions are of other sentences."""


def measure(job: Job, reporter: Reporter) -> Measured:
    """The run. It may be killed at any moment: called again it goes on where it was."""
    table, row = job.benchmark.table, job.row
    if row.predictions is not None:
        return _score_file(table, row, job.benchmark.places)
    if row.dictionary is not None:
        names = DictionaryAnnotator.read(job.benchmark.places.file(row.dictionary))
        return _score(job, 0.0, None, lambda sentences: list(annotate(_bare(sentences), names)))
    trained, seconds = _train(job, reporter)
    return _score(job, seconds, trained, lambda sentences: list(trained.tagger.annotate(sentences)))


def training_sentences(job: Job) -> Iterator[Sentence]:
    """What the row learns from."""
    table, row = job.benchmark.table, job.row
    path = job.benchmark.places.file(row.train or table.train)
    sentences: Iterator[Sentence] = islice(
        read(path, options=ReadOptions(complete=row.complete)), 0, None, row.every or table.every
    )
    if row.silver is not None:
        files = [str(job.benchmark.places.data / name) for name in row.silver.dictionaries]
        sentences = annotate(_bare(sentences), DictionaryAnnotator.read(*files, rules=row.silver.rules))
    return sentences if row.mask is None else mask(sentences, row.mask, job.seed)


def _train(job: Job, reporter: Reporter) -> tuple[Trained, float]:
    """The model, and how many seconds it took."""
    table, places = job.benchmark.table, job.benchmark.places
    settings = table.settings_of(job.row, places, job.seed)
    method = build(settings.method)
    precision = resolve(settings.training.precision, best_device())
    _begin(job, job.key | {"settings": dump(settings), "method": repr(method), "precision": precision})
    clock = _Clock(job.work / "elapsed.json")
    output = job.work / "model"
    kept = record.read(output)
    if kept is not None and kept["finished"]:  # it was killed while the test set was read
        lines = (output / "history.jsonl").read_text(encoding="utf-8").splitlines()
        return Trained(Tagger.from_pretrained(output), [json.loads(line) for line in lines]), clock.seconds
    trained = run(
        method,
        settings,
        output,
        corpus=Corpus(lambda: training_sentences(job)),
        dev=list(read(places.file(table.dev), options=_COMPLETE)),
        reporter=_Watched(reporter, clock),
    )
    clock.keep()
    return trained, clock.seconds


def _begin(job: Job, key: dict[str, Any]) -> None:
    """A folder to work in; what a run left there that would not be the same to its last digit is of no use."""
    stated = job.work / "key.json"
    if not stated.exists() or json.loads(stated.read_text(encoding="utf-8")) != json.loads(json.dumps(key)):
        shutil.rmtree(job.work, ignore_errors=True)
        job.work.mkdir(parents=True)
        write_json(stated, key)


def _score(
    job: Job, seconds: float, trained: Trained | None, annotate: Callable[[list[Sentence]], list[Sentence]]
) -> Measured:
    table, places = job.benchmark.table, job.benchmark.places
    gold = list(read(places.file(table.dev), options=_COMPLETE))
    counts = Counts.of(gold, annotate(gold))
    dev = counts.score.to_dict()
    if trained is not None and trained.best is not None:
        dev["epoch"] = trained.best["epoch"]
    test = None
    if table.test is not None:
        gold = list(read(places.file(table.test), options=_COMPLETE))
        counts = Counts.of(gold, annotate(gold))
        test = counts.score.to_dict()
    history = [] if trained is None else trained.history
    device = torch.device("cpu") if trained is None else trained.tagger.device
    return Measured(
        {
            "test": test,
            "dev": dev,
            "history": [{name: entry.get(name) for name in ("stage", "epoch", "f1", "loss")} for entry in history],
            "seconds": round(seconds, 1),
            "memory": memory(device),
            "machine": machine(device),
        },
        counts,
    )


def _score_file(table: Table, row: Row, places: Places) -> Measured:
    assert row.predictions is not None
    gold = read(places.file(row.gold or table.test or table.dev), options=_COMPLETE)
    counts = Counts.of(gold, read(places.file(row.predictions)))
    scores: dict[str, Any] = {"test": None, "dev": None, table.judged: counts.score.to_dict()}
    record = {"history": [], "seconds": 0.0, "memory": None, "machine": machine(torch.device("cpu"))}
    return Measured(scores | record, None if row.gold else counts)


def _bare(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    return (replace(sentence, spans=()) for sentence in sentences)


@dataclass
class _Clock:
    """Seconds of a run, those before it was killed included."""

    path: Path

    def __post_init__(self) -> None:
        kept = json.loads(self.path.read_text(encoding="utf-8")) if self.path.exists() else {"seconds": 0.0}
        self._started = time.monotonic() - kept["seconds"]

    @property
    def seconds(self) -> float:
        """So far."""
        return time.monotonic() - self._started

    def keep(self) -> None:
        """For the process that goes on."""
        write_json(self.path, {"seconds": self.seconds})


class _Watched(Silent):
    """Passes on what matters while a run goes on, and keeps the time."""

    def __init__(self, reporter: Reporter, clock: _Clock) -> None:
        self.reporter, self.clock = reporter, clock

    def begin(self, stage: str, done: int, steps: int) -> None:
        """Passed on."""
        self.reporter.begin(stage, done, steps)

    def step(self, done: int, loss: float | None, speed: float) -> None:
        """Passed on."""
        self.reporter.step(done, loss, speed)

    def evaluated(self, entry: dict[str, Any]) -> None:
        """Passed on. A checkpoint follows."""
        self.reporter.evaluated(entry)
        self.clock.keep()
