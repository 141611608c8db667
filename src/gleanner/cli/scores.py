"""Scores as a table: of a model, of a file, of an annotation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from gleanner.cli.render import percent, row, table

if TYPE_CHECKING:
    from gleanner.evaluation.bootstrap import Interval
    from gleanner.evaluation.report import Report
    from gleanner.evaluation.scores import Macro, Score


def scores(report: Report) -> Table:
    """By type, and all together."""
    intervals = report.interval
    made = table("", "P", "R", "F1", "95 %", "gold", "found")
    for name, score in report.types.items():
        _score(made, name, score, _counts(score), None if intervals is None else intervals.types[name])
    made.add_section()
    _score(made, "all (micro)", report.micro, _counts(report.micro), None if intervals is None else intervals.f1)
    _score(made, "mean of types (macro)", report.macro)
    _score(made, "words only, any type", report.boundaries, _counts(report.boundaries))
    _score(made, "type only, words overlap", report.type_only, _counts(report.type_only))
    return made


def _score(
    made: Table, name: str, score: Score | Macro, counts: tuple[str, str] = ("", ""), interval: Interval | None = None
) -> None:
    shares = (percent(share) for share in (score.precision, score.recall, score.f1))
    row(made, name, *shares, "" if interval is None else " - ".join(map(percent, interval)), *counts)


def _counts(score: Score) -> tuple[str, str]:
    return f"{score.gold:,}", f"{score.predicted:,}"
