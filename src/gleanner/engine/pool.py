"""Blocks to results in order: in this process, or in several."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import cast

from gleanner.engine.inputs import Block
from gleanner.engine.job import Job, Result
from gleanner.errors import GleannerError

ATTEMPTS = 3
"""How often a block may take its process with it before the block is to blame."""

_job: bytes
_do: Callable[[Block], Result] | None = None


def here(job: Job, blocks: Iterator[Block]) -> Iterator[Result]:
    """One block after the other."""
    return map(job.start(), blocks)


def in_processes(job: Job, blocks: Iterator[Block], workers: int) -> Iterator[Result]:
    """Several blocks at once, a few ahead of what is asked for. A process that dies is replaced, its block done again."""
    waiting: deque[tuple[Block, Future[Result] | None]] = deque()
    pool = _pool(job, workers)
    failure: GleannerError | None = None
    attempts = 0
    try:
        while True:
            while failure is None and len(waiting) < 2 * workers:
                try:
                    block = next(blocks, None)
                except GleannerError as error:
                    failure = error  # said when all that came before it is done
                    break
                if block is None:
                    break
                waiting.append((block, None))
            if not waiting:
                break
            try:
                waiting = deque((block, future or pool.submit(_work, block)) for block, future in waiting)
                first = waiting[0][1]
                assert first is not None
                result = first.result()
            except BrokenProcessPool as error:
                attempts += 1
                if attempts == ATTEMPTS:
                    raise _given_up(waiting[0][0]) from error
                pool.shutdown(wait=False)
                pool = _pool(job, workers)
                waiting = deque((block, future if _is_good(future) else None) for block, future in waiting)
                continue
            attempts = 0
            waiting.popleft()
            yield result
        if failure is not None:
            raise failure
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _is_good(future: Future[Result] | None) -> bool:
    return future is not None and future.done() and not future.cancelled() and future.exception() is None


def _given_up(block: Block) -> GleannerError:
    return GleannerError(
        f"a process died {ATTEMPTS} times at block {block.number} of file {block.file + 1}, "
        "killed by the system when memory ran out, or by somebody; use fewer --workers"
    )


def _pool(job: Job, workers: int) -> ProcessPoolExecutor:
    # Not fork: it would copy locks that threads hold. A fork server starts a process in milliseconds all the same.
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    return ProcessPoolExecutor(workers, context, _begin, (pickle.dumps(job),))


def _begin(job: bytes) -> None:
    """In each process. The work is made at the first block: what goes wrong there is told, what goes wrong here is not."""
    global _job  # noqa: PLW0603 - a process has one job
    _job = job
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends all
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_follow, args=(parent.join,), daemon=True).start()


def _follow(join: Callable[[], None]) -> None:
    """Ends this process when its parent was killed: the pool's queues would wait for ever."""
    join()
    os._exit(1)


def _work(block: Block) -> Result:
    global _do  # noqa: PLW0603
    if _do is None:
        _do = cast(Job, pickle.loads(_job)).start()
    return _do(block)
