"""Blocks to results in order, by Ray Data: on the cluster that this machine belongs to, or one that is started here."""

from __future__ import annotations

import json
import logging
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from gleanner.data.packed import packing
from gleanner.engine.inputs import Source, blocks
from gleanner.engine.job import Job, Result
from gleanner.errors import GleannerError, InputError

WINDOWS = 8
"""Blocks of a text file that are sent as one: Ray spends milliseconds on each item."""


def in_ray(job: Job, inputs: tuple[Source, ...], done: tuple[int, int], *, workers: int) -> Iterator[Result]:
    """What is left to do goes as names and numbers; the files are read where the work is done."""
    parts = [part for part in _parts(inputs, job.task.cut.size) if (part["file"], part["last"] - 1) > done]
    if not parts:
        return
    with _ray(workers) as ray:
        items = ray.data.from_items(parts, override_num_blocks=len(parts))
        rows = items.map_batches(
            _Worker,
            fn_constructor_args=(job, inputs, done),
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(size=workers),
            num_cpus=1,
        )
        for row in rows.iter_rows():
            if row["error"]:
                raise (InputError if row["is_input"] else GleannerError)(row["error"])
            fields = {name: row[name] for name in ("file", "number", "read", "data", "records", "note")}
            yield Result(**fields, counts=Counter(json.loads(row["counts"])))


class _Worker:
    """In each process of the cluster."""

    def __init__(self, job: Job, inputs: tuple[Source, ...], done: tuple[int, int]) -> None:
        self._job, self._inputs, self._done = job, inputs, done
        self._do: Any = None

    def __call__(self, part: Mapping[str, Any]) -> Iterator[dict[str, list[Any]]]:
        try:
            self._do = self._do or self._job.start()
            file, first, last = int(part["file"][0]), int(part["first"][0]), int(part["last"][0])
            source = self._inputs[file]
            for block in blocks(source, file, self._job.task.cut, first=first, last=last):
                if (file, block.number) > self._done:
                    yield _row(self._do(block))
        except GleannerError as error:  # as a row, so that all that comes before it is written first
            empty = Result(0, 0, 0, b"", 0, Counter(), "")
            yield _row(empty, str(error), isinstance(error, InputError))


def _parts(inputs: tuple[Source, ...], size: int) -> Iterator[dict[str, int]]:
    """Files, and parts of those that can be read from the middle."""
    for file, source in enumerate(inputs):
        if source.is_text and not packing(source.path):
            count = max(1, -(-source.size // size))
            for first in range(0, count, WINDOWS):
                yield {"file": file, "first": first, "last": min(first + WINDOWS, count)}
        else:
            yield {"file": file, "first": 0, "last": 1 << 62}


def _row(result: Result, error: str = "", is_input: bool = False) -> dict[str, list[Any]]:
    return {
        "file": [result.file],
        "number": [result.number],
        "read": [result.read],
        "data": [result.data],
        "records": [result.records],
        "counts": [json.dumps(result.counts, sort_keys=True)],
        "note": [result.note],
        "error": [error],
        "is_input": [is_input],
    }


@contextmanager
def _ray(workers: int) -> Iterator[Any]:
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise InputError(
            "--engine ray needs Ray", remedy="pip install 'gleanner[ray]', or leave --engine out"
        ) from error
    ours = not ray.is_initialized()
    if ours:
        # An address in RAY_ADDRESS is a cluster's, which has its own number of processors.
        cpus = None if "RAY_ADDRESS" in os.environ else workers + 1  # one for what feeds the workers
        ray.init(num_cpus=cpus, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    for name in ("ray.data", "ray"):
        logging.getLogger(name).setLevel(logging.ERROR)
    lost = ray.exceptions
    try:
        yield ray
    except (lost.RayActorError, lost.WorkerCrashedError, lost.OutOfMemoryError, lost.NodeDiedError) as error:
        reason = str(error).splitlines()[0]
        raise GleannerError(f"Ray lost its processes: {reason}; run the same command again to go on") from error
    finally:
        if ours:
            ray.shutdown()
