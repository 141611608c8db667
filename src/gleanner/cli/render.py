"""What two or more commands print alike: consoles, notes, tables, and text with its entities in colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH = 160
"""Columns where nobody looks at a terminal: in a pipe, in a file."""

COLOURS = ("cyan", "green", "magenta", "yellow", "blue", "red")


class Mark(NamedTuple):
    """A stretch of a text to be shown, and a sign to put behind its label."""

    start: int
    end: int
    label: str
    sign: str = ""


def out() -> Console:
    """Results."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = WIDTH
    return console


def err() -> Console:
    """Everything else."""
    return Console(stderr=True, highlight=False)


def note(text: str) -> None:
    """Something that the user should know, in one line."""
    err().print(Text.assemble(("note:", "yellow"), " ", " ".join(text.split())), soft_wrap=True)


def fail(text: str) -> None:
    """Why the command did not do it, in one line."""
    err().print(Text.assemble(("error:", "bold red"), " ", " ".join(text.split())), soft_wrap=True)


def say(text: str) -> None:
    """How it goes."""
    err().print(Text(text), soft_wrap=True)


def counted(number: int, noun: str) -> str:
    """A number and its noun.

    >>> counted(1, "sentence"), counted(1200, "entity")
    ('1 sentence', '1,200 entities')
    """
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def note_dropped(dropped: Mapping[str, int]) -> None:
    """What the format of a file could not hold."""
    if dropped:
        note("the format cannot hold: " + ", ".join(f"{what} ({number:,})" for what, number in dropped.items()))


def percent(share: float) -> str:
    """A share as people of the field write it.

    >>> percent(0.5)
    '50.00'
    """
    return f"{100 * share:.2f}"


def heading(text: str) -> Text:
    """What stands above a table. Rich would break its own titles at the width of the table."""
    return Text(text, style="bold")


def table(*columns: str, text: Sequence[str] = ()) -> Table:
    """An empty table. Columns hold numbers, to the right, but for the first and those named in `text`."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        made.add_column(Text(column), justify="left" if place == 0 or column in text else "right")
    return made


def row(into: Table, *cells: object, style: str | None = None) -> None:
    """A row of plain text: brackets in it are brackets."""
    into.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in cells), style=style)


def marked(text: str, marks: Iterable[Mark], labels: Sequence[str]) -> Text:
    """The text with brackets and colours round its entities; nested ones show.

    >>> marked("Ada lived in New York.", [Mark(0, 3, "PER"), Mark(13, 21, "LOC", "*")], ["LOC", "PER"]).plain
    '[Ada PER] lived in [New York LOC*].'
    """
    shown = Text()
    place = 0
    opened: list[Mark] = []

    def style() -> str:
        return f"bold {COLOURS[labels.index(opened[-1].label) % len(COLOURS)]}" if opened else ""

    def forward(to: int) -> None:
        nonlocal place
        shown.append(text[place:to], style())
        place = to

    def close(before: int) -> None:
        while opened and (first := min(reversed(opened), key=lambda mark: mark.end)).end <= before:
            forward(first.end)
            shown.append(f" {first.label}{first.sign}]", style().replace("bold", "not bold"))
            opened.remove(first)

    for mark in sorted(marks, key=lambda mark: (mark.start, -mark.end)):
        close(mark.start)
        forward(mark.start)
        opened.append(mark)
        shown.append("[", style().replace("bold", "not bold"))
    close(len(text))
    forward(len(text))
    return shown
