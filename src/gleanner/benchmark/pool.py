"""Several runs side by side, each in a process of its own: so each has its own peak of memory, and its own end."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, NamedTuple, Protocol

from gleanner.benchmark.measure import Measured, measure
from gleanner.benchmark.store import Job
from gleanner.errors import GleannerError
from gleanner.training.reporter import Silent

_PATIENCE = 10.0
"""Seconds that a process has to end by itself."""


class State(NamedTuple):
    """How far a run is."""

    stage: str
    done: int
    steps: int
    f1: float | None
    """On development data, of the last evaluation."""


class Watcher(Protocol):
    """Hears how the runs go."""

    def began(self, job: Job) -> None:
        """A process was started for it."""
        ...

    def went_on(self, job: Job, state: State) -> None:
        """Now and then."""
        ...

    def ended(self, job: Job, measured: Measured) -> None:
        """Its result is kept."""
        ...

    def failed(self, job: Job, reason: str) -> None:
        """It has no result; the others go on."""
        ...


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def default_at_once() -> int:
    """One run a core, of one thread each, which use the cores better than one run of many threads; on a GPU one run."""
    import torch

    return 1 if torch.cuda.is_available() else cores()


def run(jobs: Sequence[Job], at_once: int, watcher: Watcher, prepare: Callable[[], None]) -> int:
    """Makes the runs and keeps their results; returns how many failed. `prepare` is called first in each process.

    When this is interrupted, all processes end; the same call goes on where they were.
    """
    threads = max(1, cores() // at_once)
    waiting = list(reversed(jobs))
    running: dict[Connection, tuple[Job, SpawnProcess]] = {}
    failures = 0
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                job = waiting.pop()
                running.update([_start(job, threads, prepare)])
                watcher.began(job)
            for connection in wait(list(running)):
                assert isinstance(connection, Connection)
                job, process = running[connection]
                message = _received(connection, process)
                if isinstance(message, State):
                    watcher.went_on(job, message)
                    continue
                del running[connection]
                connection.close()
                process.join()
                if isinstance(message, str):
                    failures += 1
                    watcher.failed(job, message)
                else:
                    job.store(*message)
                    shutil.rmtree(job.work, ignore_errors=True)
                    watcher.ended(job, message)
    finally:
        _end([process for _, process in running.values()])
        _remove_empty(jobs)
    return failures


def _remove_empty(jobs: Sequence[Job]) -> None:
    """The folders above those that runs worked in."""
    for table in {job.work.parent for job in jobs}:
        with suppress(OSError):  # somebody's run is not finished
            table.rmdir()
            table.parent.rmdir()


def _start(job: Job, threads: int, prepare: Callable[[], None]) -> tuple[Connection, tuple[Job, SpawnProcess]]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(job, threads, prepare, theirs))
    process.start()
    theirs.close()  # so that the end of the process closes the pipe
    return ours, (job, process)


def _received(connection: Connection, process: SpawnProcess) -> State | Measured | str:
    """The next message; a process that ends without a last one has failed."""
    try:
        message: State | Measured | str = connection.recv()
    except EOFError:
        process.join()
        code = process.exitcode or 0
        why = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        hint = "; perhaps there was not enough memory: try fewer --jobs" if code == -9 else ""
        return f"the process ended with {why}{hint}"
    return message


def _end(processes: Sequence[SpawnProcess]) -> None:
    """Asks them to end, and makes those end that do not."""
    for process in processes:
        process.terminate()
    until = time.monotonic() + _PATIENCE
    for process in processes:
        process.join(max(0.0, until - time.monotonic()))
        if process.is_alive():
            process.kill()
            process.join()


def _work(job: Job, threads: int, prepare: Callable[[], None], connection: Connection) -> None:
    """A process's whole life."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all of them; the first decides
    signal.signal(
        signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM)
    )  # as an exception, so that files are closed
    message: Measured | str
    try:
        import torch

        if "OMP_NUM_THREADS" not in os.environ:  # else the user has said how many; on a busy machine fewer are faster
            torch.set_num_threads(threads)
        prepare()
        message = measure(job, _Messages(connection))
    except BrokenPipeError:
        return  # nobody listens any more
    except GleannerError as error:
        message = str(error)
    except Exception as error:
        message = f"{type(error).__name__}: {error}" + _kept(job)
    with suppress(BrokenPipeError):
        connection.send(message)


def _kept(job: Job) -> str:
    """Keeps what a developer needs to know of an error that nobody thought of."""
    job.work.mkdir(parents=True, exist_ok=True)
    path = job.work / "error.txt"
    path.write_text(traceback.format_exc(), encoding="utf-8")
    return f"; see {path}"


class _Messages(Silent):
    """Sends how a run goes, a few times a second at most."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._state = State("", 0, 0, None)
        self._sent = 0.0

    def begin(self, stage: str, done: int, steps: int) -> None:
        """A new stage."""
        self._send(State(stage, done, steps, None))

    def step(self, done: int, loss: float | None, speed: float) -> None:
        """Not each is worth a message."""
        if time.monotonic() - self._sent > 0.5:
            self._send(self._state._replace(done=done))

    def evaluated(self, entry: dict[str, Any]) -> None:
        """A new score."""
        self._send(self._state._replace(done=entry["step"], f1=entry.get("f1")))

    def _send(self, state: State) -> None:
        self._state, self._sent = state, time.monotonic()
        self._connection.send(state)
