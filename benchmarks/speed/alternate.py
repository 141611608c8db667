"""Two sides measured in turns, A B A B ..., so that a machine that slows down slows both."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import NamedTuple

import torch

from gleanner.training.reporter import Silent


class Pair(NamedTuple):
    """Seconds of two turns that followed one another."""

    ours: float
    theirs: float


def seconds(call: Callable[[], object]) -> float:
    """How long a call takes."""
    start = perf_counter()
    call()
    return perf_counter() - start


def alternate(ours: Callable[[], object], theirs: Callable[[], object], repeats: int) -> list[Pair]:
    """The two calls in turns, after one turn that is not counted."""
    pairs = [Pair(seconds(ours), seconds(theirs)) for _ in range(repeats + 1)]
    return pairs[1:]


class TurnsOverError(Exception):
    """As many steps as were wanted are measured."""


class BetweenSteps(Silent):
    """Takes the other side's turn after each step of gleanner's own loop, which so is measured whole and as it is.

    What counts as ours is all from the end of one report to the next: making the batch, forward, backward, clipping, the
    optimiser, bookkeeping.
    """

    warm = 3
    """First steps that are not counted."""

    def __init__(self, theirs: Callable[[int], object], steps: int) -> None:
        self._theirs = theirs  # takes the step's number
        self._last = self.warm + steps
        self._since = 0.0
        self.pairs: list[Pair] = []

    def begin(self, stage: str, done: int, steps: int) -> None:
        """The first step starts."""
        self._since = perf_counter()

    def step(self, done: int, loss: float | None, speed: float) -> None:
        """A step of ours is done: theirs follows. After the last one the run is ended."""
        ours = perf_counter() - self._since
        with _as_torch_comes():
            theirs = seconds(lambda: self._theirs(done - 1))
        if done > self.warm:
            self.pairs.append(Pair(ours, theirs))
        if done == self._last:
            raise TurnsOverError
        self._since = perf_counter()


@contextmanager
def _as_torch_comes() -> Iterator[None]:
    """Gleanner's loop asks for operations that can be repeated bit for bit; the other side does not pay for them."""
    torch.use_deterministic_algorithms(False)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(True, warn_only=True)


def ratio(pairs: list[Pair]) -> float:
    """Ours over theirs, where both did the same work: the median over the turns."""
    return median(ours / theirs for ours, theirs in pairs)


def milliseconds(pairs: list[Pair]) -> str:
    """The medians of both sides."""
    ours, theirs = (1000 * median(side) for side in zip(*pairs, strict=True))
    return f"{ours:.1f} ms against {theirs:.1f} ms"
