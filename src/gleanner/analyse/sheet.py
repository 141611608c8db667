"""A table of results: for people as Markdown and in the terminal, for programs as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

Cell = str | int | float | None
"""None: there is no such number."""


class Column(NamedTuple):
    """A column's name, and how people read its numbers: a format, or "%" for shares."""

    name: str
    form: str = ""


@dataclass(frozen=True)
class Sheet:
    """Rows under named columns.

    >>> print(Sheet((Column("method"), Column("rate", "%")), [("plain", 0.0512), ("none", None)]).markdown(), end="")
    | method | rate (%) |
    |---|---:|
    | plain | 5.12 |
    | none |  |
    """

    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]]
    shown: bool = True
    """Whether people want to see it; otherwise it is only written."""

    @property
    def headings(self) -> list[str]:
        """As people read them."""
        return [f"{column.name} (%)" if column.form == "%" else column.name for column in self.columns]

    def cells(self) -> list[list[str]]:
        """As people read them."""
        return [[_text(cell, c.form) for cell, c in zip(row, self.columns, strict=True)] for row in self.rows]

    def is_text(self, place: int) -> bool:
        """Whether a column holds words."""
        return any(isinstance(row[place], str) for row in self.rows)

    def markdown(self) -> str:
        """A table of Markdown."""
        lines = [self.headings, ["---" if self.is_text(k) else "---:" for k in range(len(self.columns))]]
        text = "| " + " | ".join(lines[0]) + " |\n|" + "|".join(lines[1]) + "|\n"
        return text + "".join(
            "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in self.cells()
        )

    def csv(self) -> str:
        """With all digits; shares from 0 to 1."""
        handle = io.StringIO()
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(column.name for column in self.columns)
        writer.writerows(["" if cell is None else cell for cell in row] for row in self.rows)
        return handle.getvalue()

    def json(self) -> str:
        """A list of objects, with all digits."""
        names = [column.name for column in self.columns]
        rows = [dict(zip(names, row, strict=True)) for row in self.rows]
        return json.dumps(rows, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _text(cell: Cell, form: str) -> str:
    if cell is None or isinstance(cell, str):
        return cell or ""
    return f"{100 * cell:.2f}" if form == "%" else format(cell, form)


def deviation(values: Sequence[float]) -> float | None:
    """The standard deviation over seeds; of one there is none."""
    return statistics.stdev(values) if len(values) > 1 else None
