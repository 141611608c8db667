"""One table: rows (a method and its settings) by seeds, on one training, development and test set."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
import yaml

from benchmarks.places import data, encoder
from gleanner.api import train
from gleanner.data.atomic import atomic
from gleanner.data.files import ReadOptions, read
from gleanner.data.mask import mask
from gleanner.evaluation.report import evaluate
from gleanner.types import Corpus, Sentence


@dataclass(frozen=True)
class Table:
    """What a YAML file of this folder says."""

    title: str
    about: str
    encoder: str
    train: str
    dev: str
    test: str
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


def run(table: Table, folder: Path) -> None:
    """All rows and seeds that are not done yet, seeds outside, so that every row has its first number early."""
    for seed in table.seeds:
        for row in table.rows:
            if result(table, row, seed, folder) is not None:
                continue
            path = _place(row, seed, folder)
            print(f"{table.title}: {row['name']}, seed {seed}", flush=True)
            measured = _measure(table, row, seed)
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic(path) as handle:  # half a file would count as a run that is done
                handle.write(json.dumps(measured, indent=1) + "\n")


def result(table: Table, row: dict[str, Any], seed: int, folder: Path) -> dict[str, Any] | None:
    """What was measured, or None where nothing was, or what the file has are numbers of other settings."""
    path = _place(row, seed, folder)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found if (found.get("row"), found.get("settings")) == (row, table.settings) else None


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
    )
    seconds = time.monotonic() - started
    test = list(read(folder / table.test, options=ReadOptions(complete=True)))
    report = evaluate(test, list(trained.tagger.annotate(test)), bootstrap=0)
    return {
        "row": row,
        "seed": seed,
        "settings": table.settings,
        "test": report.micro.to_dict(),
        "dev": trained.best,
        "curve": [entry["f1"] for entry in trained.history],
        "seconds": round(seconds, 1),
        "torch": torch.__version__,
        "threads": torch.get_num_threads(),
    }
