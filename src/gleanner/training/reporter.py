"""What a run tells its user while it goes on."""

from __future__ import annotations

import sys
from typing import Any, Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn


class Reporter(Protocol):
    """Hears of everything that happens in a run."""

    def note(self, text: str) -> None:
        """Something that the user should know."""
        ...

    def begin(self, stage: str, done: int, steps: int) -> None:
        """A stage starts, or goes on after `done` steps."""
        ...

    def step(self, done: int, loss: float | None, speed: float) -> None:
        """A step is done. `loss` is given now and then; `speed` is words a second."""
        ...

    def evaluated(self, entry: dict[str, Any]) -> None:
        """An evaluation is done: a line of the history."""
        ...

    def end(self) -> None:
        """The stage is done."""
        ...


class Silent:
    """Says nothing."""

    def note(self, text: str) -> None:
        """Nothing."""

    def begin(self, stage: str, done: int, steps: int) -> None:
        """Nothing."""

    def step(self, done: int, loss: float | None, speed: float) -> None:
        """Nothing."""

    def evaluated(self, entry: dict[str, Any]) -> None:
        """Nothing."""

    def end(self) -> None:
        """Nothing."""


class Terminal:
    """A progress bar on a terminal; elsewhere one line an evaluation. All of it on standard error."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True, highlight=False)
        self._bar: Progress | None = None
        self._task = TaskID(0)
        self._loss, self._best = "", ""

    def note(self, text: str) -> None:
        """A line above the bar."""
        self.console.print(f"[yellow]note:[/] {escape(text)}", soft_wrap=True)

    def begin(self, stage: str, done: int, steps: int) -> None:
        """Opens the bar."""
        self._loss, self._best = "", ""
        if done:
            self.console.print(f"{stage}: going on after step {done} of {steps}")
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.completed}/{task.total}"),
            TextColumn("{task.fields[state]}"),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
            disable=not self.console.is_terminal,
        )
        self._task = self._bar.add_task(stage, total=steps, completed=done, state="")
        self._bar.start()

    def step(self, done: int, loss: float | None, speed: float) -> None:
        """Moves the bar."""
        if loss is not None:
            self._loss = f"loss {loss:.4f}"
        if self._bar is not None:
            state = "  ".join(part for part in (self._loss, f"{speed:,.0f} words/s", self._best) if part)
            self._bar.update(self._task, completed=done, state=state)

    def evaluated(self, entry: dict[str, Any]) -> None:
        """One line."""
        line = f"  {escape(entry['stage'])}   epoch {entry['epoch']:>5.1f}   loss {entry['loss']:.4f}"
        if "f1" in entry:
            line += f"   dev P {entry['precision']:6.2%}  R {entry['recall']:6.2%}  F1 {entry['f1']:6.2%}"
            line += "  [green]best[/]" if entry["is_best"] else ""
            self._best = f"best F1 {entry['best']:.2%}"
        self.console.print(line + f"   {entry['seconds']:.0f} s", soft_wrap=True)

    def end(self) -> None:
        """Closes the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def default_reporter() -> Reporter:
    """A terminal for people, as libraries of the field have it."""
    return Terminal(Console(file=sys.stderr, highlight=False))
