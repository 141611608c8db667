"""One table: rows (a method and its settings) by seeds, on one training, development and test set."""

from __future__ import annotations

import json
import multiprocessing
import os
import platform
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

import torch
import yaml

from benchmarks.places import data, encoder
from gleanner.api import train
from gleanner.cli.models import hush
from gleanner.data.atomic import atomic
from gleanner.data.files import ReadOptions, read
from gleanner.data.mask import mask
from gleanner.evaluation.report import evaluate
from gleanner.model.tagger import Tagger
from gleanner.training.reporter import Silent
from gleanner.types import Corpus, Sentence


@dataclass(frozen=True)
class Table:
    """What a YAML file of this folder says."""

    title: str
    about: str
    encoder: str
    train: str
    dev: str
    test: str | None
    """None in a table on which decisions are taken: those look at development data only."""
    seeds: tuple[int, ...]
    settings: dict[str, Any]
    rows: tuple[dict[str, Any], ...]
    """`name`, then settings by dotted name; `train`, `complete` and `mask` say which data the row learns from."""
    every: int = 1
    """Of the training sentences only every so many-th, the same for all rows."""

    @classmethod
    def read(cls, path: Path) -> Table:
        """From a file."""
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
        return cls(**raw | {"seeds": tuple(raw["seeds"]), "rows": tuple(raw["rows"])})

    @property
    def key(self) -> dict[str, Any]:
        """What a run's numbers depend on, beside its row and seed."""
        prose = ("title", "about", "seeds", "rows")
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name not in prose}


Job = tuple[Table, dict[str, Any], int, Path]
"""A table, one of its rows, a seed, and the folder of the table's results."""


def run(tables: Sequence[tuple[Table, Path]], processes: int) -> None:
    """All rows and seeds that are not done yet, seeds outside, so that every row has its first number early."""
    jobs = [(table, row, seed, folder) for table, folder in tables for seed in table.seeds for row in table.rows]
    jobs = [job for job in jobs if result(*job) is None]
    jobs.sort(key=lambda job: job[0].seeds.index(job[2]))
    threads = max(1, (os.cpu_count() or 1) // processes)
    with ProcessPoolExecutor(
        processes, multiprocessing.get_context("spawn"), initializer=torch.set_num_threads, initargs=(threads,)
    ) as pool:
        for done, future in enumerate(as_completed([pool.submit(_do, job) for job in jobs]), start=1):
            print(f"{done}/{len(jobs)}  {future.result()}", flush=True)


def _do(job: Job) -> str:
    table, row, seed, folder = job
    hush()
    measured = _measure(table, row, seed)
    path = _place(row, seed, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic(path) as handle:  # half a file would count as a run that is done
        handle.write(json.dumps(measured, indent=1) + "\n")
    return f"{table.title}: {row['name']}, seed {seed}: dev F1 {100 * measured['dev']['f1']:.1f}, {measured['seconds']:.0f} s"


def result(table: Table, row: dict[str, Any], seed: int, folder: Path) -> dict[str, Any] | None:
    """What was measured, or None where nothing was, or what the file has are numbers of other settings or data."""
    path = _place(row, seed, folder)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found if (found.get("row"), found.get("table")) == (row, table.key) else None


def _place(row: dict[str, Any], seed: int, folder: Path) -> Path:
    return folder / f"{row['name'].replace(' ', '-')}.{seed}.json"


def training_sentences(table: Table, row: dict[str, Any], seed: int) -> Iterator[Sentence]:
    """The row's training data."""
    folder = data()
    assert folder is not None
    options = ReadOptions(complete=row.get("complete"))
    sentences = islice(read(folder / row.get("train", table.train), options=options), 0, None, table.every)
    return mask(sentences, row["mask"], seed) if "mask" in row else sentences


def _measure(table: Table, row: dict[str, Any], seed: int) -> dict[str, Any]:
    folder, source = data(), encoder(table.encoder)
    assert folder is not None
    if source is None:
        raise SystemExit(f"error: no encoder {table.encoder!r}; set GLEANNER_ENCODERS to the folder that holds it")
    own = {key: value for key, value in row.items() if key not in ("name", "train", "complete", "mask")}
    started = time.monotonic()
    trained = train(
        Corpus(lambda: training_sentences(table, row, seed)),
        list(read(folder / table.dev, options=ReadOptions(complete=True))),
        encoder=source,
        seed=seed,
        settings=table.settings | own,
        reporter=Silent(),
    )
    seconds = time.monotonic() - started
    return {
        "row": row,
        "seed": seed,
        "table": table.key,
        "test": None if table.test is None else _test(trained.tagger, folder / table.test),
        "dev": trained.best,
        "curve": [entry["f1"] for entry in trained.history],
        "seconds": round(seconds, 1),
        "machine": {
            "device": _device_name(trained.tagger.device),
            "threads": torch.get_num_threads(),
            "torch": torch.__version__,
        },
    }


def _test(tagger: Tagger, path: Path) -> dict[str, Any]:
    test = list(read(path, options=ReadOptions(complete=True)))
    return evaluate(test, list(tagger.annotate(test)), bootstrap=0).micro.to_dict()


def _device_name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else platform.processor() or "CPU"
