"""The runs of all tables as one Markdown page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev

from benchmarks.quality.table import Table, result


def page(tables: Sequence[tuple[Table, Path]]) -> str:
    """What `benchmarks/results/quality.md` holds."""
    parts = ["# Quality", "", "Made by `python -m benchmarks.quality`; every run is a file in `runs/`.", ""]
    for table, folder in tables:
        parts += _section(table, folder)
    return "\n".join(parts)


def _section(table: Table, folder: Path) -> list[str]:
    lines = [f"## {table.title}", "", table.about.strip(), ""]
    settings = ", ".join(f"`{key}={value}`" for key, value in table.settings.items())
    lines += [f"Encoder `{table.encoder}`; {settings}; model chosen on development data.", ""]
    runs = [run for row in table.rows for seed in table.seeds if (run := result(table, row, seed, folder)) is not None]
    lines += [f"Machine: {', '.join(sorted({run['machine']['device'] for run in runs}))}.", ""] if runs else []
    sides = ("dev",) if table.test is None else ("test", "dev")
    head = [f"{side} {score}" for side in sides for score in ("P", "R", "F1")]
    lines += ["| | seeds | " + " | ".join(head) + " | best epoch | minutes |", "|---" * (len(head) + 4) + "|"]
    for row in table.rows:
        runs = [run for seed in table.seeds if (run := result(table, row, seed, folder)) is not None]
        if not runs:
            lines.append(f"| {row['name']} | 0 |" + " |" * (len(head) + 2))
            continue
        scores = [(side, key) for side in sides for key in ("precision", "recall", "f1")]
        cells = [_spread([100 * run[side][key] for run in runs]) for side, key in scores]
        cells.append(", ".join(f"{run['dev']['epoch']:g}" for run in runs))
        cells.append(f"{mean(run['seconds'] for run in runs) / 60:.1f}")
        lines.append(f"| {row['name']} | {len(runs)} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def _spread(values: list[float]) -> str:
    return f"{mean(values):.1f}" + (f" ± {stdev(values):.1f}" if len(values) > 1 else "")
