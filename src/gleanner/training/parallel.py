"""Independent stages side by side: each device has a process of its own, which trains one stage after the other.

A process only trains: it ends with the stage's last checkpoint on the disk. Who trains the stage again finds it finished, so
the results are those of training one after the other, and a run that is killed here goes on like any other.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import IO, Any

import torch
from accelerate import Accelerator, DistributedDataParallelKwargs

from gleanner.errors import GleannerError
from gleanner.model.feed import Feed
from gleanner.model.precision import best_device
from gleanner.model.tagger import Tagger
from gleanner.training.fit import fit
from gleanner.training.reporter import Reporter
from gleanner.training.settings import Training
from gleanner.training.stage import Stage
from gleanner.types import Corpus

SHARE = 100
"""Of the progress bar, for each stage."""

ENDED = "a training process ended without a word: the machine may have run out of memory"


@dataclass(frozen=True)
class Job:
    """A stage, and all that it is trained with but the device."""

    stage: Stage
    tagger: Tagger
    feed: Feed
    dev: Feed | None
    training: Training
    seed: int
    folder: Path | None

    def run(self, accelerator: Accelerator, reporter: Reporter, steps_before: int = 0) -> list[dict[str, Any]]:
        """Trains the tagger; returns the history."""
        return fit(
            self.stage,
            self.tagger,
            self.feed,
            self.dev,
            training=self.training,
            seed=self.seed,
            accelerator=accelerator,
            folder=self.folder,
            reporter=reporter,
            steps_before=steps_before,
        )


class CannotTravelError(Exception):
    """A job that another process cannot read: a method from a notebook, say."""


def new_accelerator(**options: Any) -> Accelerator:
    """As every process of a run has it."""
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it CUDA's products are not repeatable
    return Accelerator(
        mixed_precision="no",  # the loop does it: accelerate allows one precision a Python process
        cpu=best_device().type == "cpu",
        kwargs_handlers=[DistributedDataParallelKwargs(find_unused_parameters=True)],
        **options,
    )


def devices() -> list[str]:
    """The numbers of the CUDA devices, as `CUDA_VISIBLE_DEVICES` has them."""
    named = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    return [named[k] if named else str(k) for k in range(torch.cuda.device_count())]


def train_side_by_side(
    count: int,
    prepare: Callable[[int], Job],
    places: Sequence[str],
    report: Callable[[int, str, tuple[Any, ...]], None],
) -> None:
    """Trains jobs 0 to `count - 1` to their last checkpoints. `report` hears of each job what its reporter is told."""
    running: set[subprocess.Popen[bytes]] = set()
    lock = Lock()  # building models draws from the global generator, and reporters are not used to threads
    numbers = iter(range(count))

    def serve(place: str) -> None:
        with _worker(place) as process:
            running.add(process)
            assert process.stdin is not None and process.stdout is not None  # both are pipes
            while True:
                with lock:
                    number = next(numbers, None)
                    if number is None:
                        return
                    job = _packed(prepare(number))
                try:
                    process.stdin.write(job)
                    process.stdin.flush()
                except BrokenPipeError as error:
                    raise GleannerError(ENDED) from error
                for event, arguments in _messages(process.stdout):
                    if event == "done":
                        break
                    with lock:
                        report(number, event, arguments)

    with ThreadPoolExecutor(min(len(places), count)) as pool:
        waiting = [pool.submit(serve, place) for place in places[:count]]
        try:
            for future in wait(waiting, return_when=FIRST_EXCEPTION).done:
                future.result()
        except BaseException:
            numbers = iter(())  # nothing new is begun
            for process in list(running):
                process.kill()
            raise


@contextmanager
def _worker(place: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that sees one device. Started anew, so that the program of whoever trains is not run again in it."""
    launcher = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
    environment = {name: value for name, value in os.environ.items() if name not in launcher}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)  # where a method of one's own may lie
    environment["CUDA_VISIBLE_DEVICES"] = "" if place == "cpu" else place
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", f"from {__name__} import work; work({torch.get_num_threads()})"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        start_new_session=True,  # an interrupt at the keyboard is for the process that tells it to the others
    )
    try:
        yield process
    finally:
        process.kill()  # it holds nothing that is not on the disk
        process.communicate()


def _packed(job: Job) -> bytes:
    stage = replace(job.stage, corpus=Corpus(()), twin=None, start=None)  # the loop sees only what was made of them
    try:
        return pickle.dumps(pickle.dumps(replace(job, stage=stage)))  # twice: the frame arrives, whatever is in it
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise CannotTravelError(str(error)) from error


def _messages(stream: IO[bytes]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """What a process says, up to the end of its job."""
    while True:
        try:
            event, arguments = pickle.load(stream)  # from our own process
        except (EOFError, pickle.UnpicklingError) as error:
            raise GleannerError(ENDED) from error
        if event == "foreign":
            raise CannotTravelError(*arguments)
        if event == "failed":
            raise GleannerError(*arguments)
        yield event, arguments


class _Messenger:
    """A reporter in another process."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream

    def say(self, event: str, *arguments: Any) -> None:
        """One message. Where nobody listens any more, this ends the process."""
        pickle.dump((event, arguments), self.stream)
        self.stream.flush()

    def note(self, text: str) -> None:
        """Something that the user should know."""
        self.say("note", text)

    def begin(self, stage: str, done: int, steps: int) -> None:
        """A stage starts, or goes on after `done` steps."""
        self.say("begin", stage, done, steps)

    def step(self, done: int, loss: float | None, speed: float) -> None:
        """A step is done."""
        self.say("step", done, loss, speed)

    def evaluated(self, entry: dict[str, Any]) -> None:
        """An evaluation is done."""
        self.say("evaluated", entry)

    def end(self) -> None:
        """The stage is done."""
        self.say("end")


def work(threads: int) -> None:
    """What such a process does: jobs come from its standard input, messages go to what was its standard output."""
    messenger = _Messenger(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # what libraries print is no message
    torch.set_num_threads(threads)
    accelerator = new_accelerator()
    while True:
        try:
            frame = pickle.load(sys.stdin.buffer)  # from the process that started this one
        except EOFError:
            return
        try:
            job: Job = pickle.loads(frame)
        except (pickle.UnpicklingError, AttributeError, ImportError) as error:
            messenger.say("foreign", str(error))
            continue
        try:
            job.run(accelerator, messenger)
        except BrokenPipeError:
            return
        except Exception as error:
            traceback.print_exc()
            messenger.say("failed", f"{job.stage.name}: {error}")
        else:
            messenger.say("done")


class Together:
    """One progress bar for several stages, and everything else as it comes."""

    def __init__(self, reporter: Reporter, count: int, places: int) -> None:
        self.reporter = reporter
        self.steps: dict[int, int] = {}
        self.done: dict[int, int] = {}
        self.speed: dict[int, float] = {}
        reporter.begin(f"{count} models on {places} devices, in hundredths of a model", 0, SHARE * count)

    def __call__(self, number: int, event: str, arguments: tuple[Any, ...]) -> None:
        """Something happened in stage `number`."""
        if event == "begin":
            _, self.done[number], self.steps[number] = arguments
        elif event == "step":
            self.done[number], loss, self.speed[number] = arguments
            hundredths = sum(SHARE * self.done[k] // self.steps[k] for k in self.steps)
            self.reporter.step(hundredths, loss, sum(self.speed.values()))
        elif event == "end":
            self.speed.pop(number, None)
        elif event == "evaluated":
            self.reporter.evaluated(*arguments)
        elif event == "note":
            self.reporter.note(*arguments)
