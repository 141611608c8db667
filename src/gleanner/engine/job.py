"""What is done to each block, and what comes of it."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from gleanner.data import parquet
from gleanner.data.packed import packer
from gleanner.engine.inputs import Block, Cut


@dataclass(frozen=True, slots=True)
class Made:
    """The records of a block."""

    lines: bytes
    """A JSON object a line."""
    records: int
    """How many; no more than the block's `most`."""
    counts: Counter[str] = field(default_factory=Counter)
    """Whatever else is counted; those of all blocks are added."""
    note: str = ""
    """What whoever started the work wants to know of the block, in one line without its end; kept until all is done."""


class Task(Protocol):
    """The work, as it can be sent to another process."""

    @property
    def fingerprint(self) -> str:
        """A text that changes when the results would."""
        ...

    @property
    def cut(self) -> Cut:
        """How it wants text to be cut."""
        ...

    def start(self) -> Callable[[Block], Made]:
        """What does the work, made once in each process."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """The records of a block, packed as the output is."""

    file: int
    number: int
    read: int
    data: bytes
    records: int
    counts: Counter[str]
    note: str


@dataclass(frozen=True)
class Job:
    """A task, and the name of the file that its records go to, which tells how they are packed: see `Output`."""

    task: Task
    output: str

    def start(self) -> Callable[[Block], Result]:
        """What turns blocks into results in this process."""
        work = self.task.start()
        pack = parquet.from_lines if self.output.lower().endswith(parquet.ENDINGS) else packer(self.output)

        def do(block: Block) -> Result:
            with _no_cycles():
                made = work(block)
            return Result(block.file, block.number, block.read, pack(made.lines), made.records, made.counts, made.note)

        return do


@contextmanager
def _no_cycles() -> Iterator[None]:
    """Without looking for cycles: a block makes ten thousands of small objects, and Python would look through all of them again
    and again. What is left of a block is found after it.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
