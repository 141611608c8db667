"""The runs of a benchmark and where each is kept: one JSON file, written whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from gleanner.benchmark.counts import Counts, RunCounts, packed, unpacked
from gleanner.benchmark.places import Places
from gleanner.benchmark.table import Row, Table, check_encoder, check_settings
from gleanner.data.atomic import atomic
from gleanner.errors import InputError
from gleanner.evaluation.spans import Ints


@dataclass(frozen=True)
class Run:
    """What was measured."""

    test: dict[str, Any] | None
    """Precision, recall, F1 and counts; None in a table without a test set."""
    dev: dict[str, Any] | None
    """Likewise, and the `epoch` that was chosen; None for predictions of one set."""
    history: list[dict[str, Any]]
    """Of each evaluation: `stage`, `epoch`, `f1`, `loss`."""
    seconds: float
    """From reading the data to the chosen model, evaluations on development data included."""
    memory: dict[str, float | None] | None
    """Megabytes at most: `rss` of the process, `cuda` that PyTorch held; None where nobody looked."""
    machine: dict[str, Any]
    counts: RunCounts | None
    """Of the set that is judged; None in older files and where other sentences were scored."""


@dataclass(frozen=True)
class Benchmark:
    """A table, where its data lie, and where its results go."""

    name: str
    """Of the YAML file, without its ending."""
    table: Table
    places: Places
    output: Path
    path: Path | None = None
    """The YAML file."""

    @property
    def runs(self) -> Path:
        """The folder of the results."""
        return self.output / "runs" / self.name

    def rows(self, only: Sequence[str] = ()) -> list[Row]:
        """Those whose names match one of `only`, where `*` stands for anything; else all."""
        return [row for row in self.table.rows if not only or any(fnmatchcase(row.name, name) for name in only)]

    def jobs(self, only: Sequence[str] = ()) -> list[Job]:
        """The rows by seeds, seeds outside, so that every row has its first number early."""
        jobs = [Job(self, row, seed) for row in self.rows(only) for seed in self.table.seeds_of(row)]
        return sorted(jobs, key=lambda job: self.table.seeds_of(job.row).index(job.seed))

    def check(self, rows: Sequence[Row]) -> None:
        """That files, methods, settings and encoders of the rows are there, before anything runs."""
        for row in rows:
            check_settings(self.table, row, self.places, self.path)
            for file in self.table.files_of(row):
                self.places.file(file)
        for name in dict.fromkeys(row.encoder or self.table.encoder for row in rows if row.trains):
            check_encoder(self.places.encoder(name), self.path)

    def with_seeds(self, seeds: Sequence[int]) -> Benchmark:
        """The same with others."""
        return replace(self, table=replace(self.table, seeds=tuple(seeds)))

    @property
    def gold(self) -> Ints | None:
        """The entities of each sentence of the set that is judged."""
        return None if (kept := _load(self.runs / "gold.json")) is None else unpacked(kept["gold"])

    def runs_of(self, row: Row) -> dict[int, Run]:
        """What was measured of a row, by seed."""
        found = {seed: Job(self, row, seed).stored() for seed in self.table.seeds_of(row)}
        return {seed: run for seed, run in found.items() if run is not None}


@dataclass(frozen=True)
class Job:
    """A run that is to be made: a row with a seed."""

    benchmark: Benchmark
    row: Row
    seed: int

    def __str__(self) -> str:
        return f"{self.benchmark.name}: {self.row.name}" + (f", seed {self.seed}" if self.row.trains else "")

    @property
    def path(self) -> Path:
        """The file of the result."""
        return self.benchmark.runs / f"{self.row.slug}.{self.seed}.json"

    @property
    def work(self) -> Path:
        """A folder that is there only as long as the run is not finished."""
        return self.benchmark.output / "work" / self.benchmark.name / f"{self.row.slug}.{self.seed}"

    @property
    def key(self) -> dict[str, Any]:
        """What the numbers depend on."""
        benchmark = self.benchmark
        files = benchmark.places.digests(benchmark.table.files_of(self.row))
        return {"row": self.row.key, "seed": self.seed, "table": benchmark.table.key, "files": files}

    def stored(self) -> Run | None:
        """What was measured; None where nothing was, or what the file has are numbers of other settings or data."""
        found = _load(self.path)
        if found is None or not self._is_of(found):
            return None
        counts = found.get("counts")
        return Run(
            **{name: found[name] for name in ("test", "dev", "history", "seconds", "memory", "machine")},
            counts=None if counts is None else RunCounts(unpacked(counts["right"]), unpacked(counts["found"])),
        )

    def _is_of(self, kept: dict[str, Any]) -> bool:
        """Whether something kept in a file belongs to this row, this table and, as far as they are here, these data."""
        key = self.key
        files = key.pop("files")
        same = all(kept.get(name) == value for name, value in key.items())
        return same and all(files.get(name, digest) == digest for name, digest in kept.get("files", {}).items())

    def store(self, measured: dict[str, Any], counts: Counts | None) -> None:
        """Writes the file, and once a table how many entities the sentences have."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if counts is not None:
            self._store_gold(packed(counts.gold))
        kept = None if counts is None else {name: packed(column) for name, column in counts.run._asdict().items()}
        write_json(self.path, self.key | measured | {"counts": kept})

    def _store_gold(self, gold: str) -> None:
        path = self.path.with_name("gold.json")
        record = {"gold": gold}
        if _load(path) != record:
            write_json(path, record)


def write_json(path: Path, record: dict[str, Any]) -> None:
    """As people can read it; half a file would count as a run that is done."""
    with atomic(path) as handle:
        handle.write(json.dumps(record, indent=1, ensure_ascii=False) + "\n")


def _load(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", path=path, remedy="remove it; the run is made again") from error
    return found if isinstance(found, dict) else None
