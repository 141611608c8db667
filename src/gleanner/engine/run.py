"""A task done on all blocks of its inputs, its records written: whatever the engine, the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from gleanner.data.packed import is_address
from gleanner.engine import pool
from gleanner.engine.inputs import Block, Cut, Source, blocks, still_there
from gleanner.engine.job import Job, Result, Task
from gleanner.engine.output import Manifest, Output, shard_names
from gleanner.errors import InputError

Engine = Literal["processes", "ray"]

Place = tuple[int, int]
"""A block: its file's number and its own."""


@dataclass(frozen=True)
class How:
    """In what way the work is done. Nothing of it changes the records."""

    engine: Engine = "processes"
    """In processes of this machine, or on a Ray cluster."""
    workers: int = 1
    """Processes. 1 with `processes`: only this one."""
    force: bool = False
    """Whether an output that is there is replaced, and one that was begun begun anew."""


def run(
    task: Task,
    inputs: tuple[Source, ...],
    output: str | Path,
    *,
    how: How = How(),
    shards: int = 1,
    limit: int | None = None,
    watch: Callable[[Result], None] = lambda result: None,
    note: Callable[[str], None] = lambda line: None,
) -> Manifest:
    """Writes the records of all inputs, in their order, or the first `limit`; goes on where an earlier run was stopped.

    `watch` sees each block as it is written, `note` at the end the notes of all blocks, those of earlier runs included.
    """
    settings = {
        "version": version("gleanner"),
        "configuration": task.fingerprint,
        "limit": limit,
        "cut": asdict(task.cut),
    }
    _keep_apart([source.path for source in inputs], shard_names(str(output), shards))
    files = [asdict(source) for source in inputs]
    with Output(output, settings, files, shards=shards, force=how.force) as out:
        left = None if limit is None else limit - out.manifest.records
        if left is None or left > 0:
            job = Job(task, str(output))
            for result in _results(job, inputs, how, out.manifest.done):
                if left is not None and result.records > left:
                    source = inputs[result.file]
                    result = _first(job, source, result, left)  # noqa: PLW2901
                out.write(result)
                watch(result)
                if left is not None:
                    left -= result.records
                    if left <= 0:
                        break
        if not out.manifest.records:
            raise InputError(
                "no sentence in it", path=inputs[0].path, remedy="check that it is the right file, or draw more of it"
            )
        if left is None or left > 0:
            still_there(inputs)
        for line in out.notes():
            note(line)
        return out.finish()


def _keep_apart(inputs: Sequence[str], outputs: Sequence[str]) -> None:
    """Refuses to write over what is read, whatever names it goes by."""
    read = {name if is_address(name) else str(Path(name).resolve()) for name in inputs}
    for name in outputs:
        if (name if is_address(name) else str(Path(name).resolve())) in read:
            raise InputError("the output is a file that is read, too", path=name, remedy="choose another name")


def _results(job: Job, inputs: tuple[Source, ...], how: How, done: Place) -> Iterator[Result]:
    if how.engine == "ray":
        from gleanner.engine.cluster import in_ray

        return in_ray(job, inputs, done, workers=how.workers)
    left = _after(inputs, done, job.task.cut)
    return pool.here(job, left) if how.workers == 1 else pool.in_processes(job, left, how.workers)


def _after(inputs: tuple[Source, ...], done: Place, cut: Cut) -> Iterator[Block]:
    """The blocks that are not done."""
    for file, source in enumerate(inputs):
        if file >= done[0]:
            first = done[1] + 1 if file == done[0] else 0
            yield from blocks(source, file, cut, first=first)


def _first(job: Job, source: Source, result: Result, most: int) -> Result:
    """The first records of a block that gave too many."""
    (block,) = blocks(source, result.file, job.task.cut, first=result.number, last=result.number + 1)
    return job.start()(replace(block, most=most))
