"""What `benchmarks/quality` gave here in one table, a line a method: `python -m benchmarks.overview` writes it."""

from __future__ import annotations

from pathlib import Path
from statistics import mean, stdev

from gleanner.benchmark.places import Places
from gleanner.benchmark.store import Benchmark
from gleanner.benchmark.table import read

HERE = Path(__file__).parent
OUTPUT = HERE / "results" / "overview.md"

COLUMNS = (
    *((f"CoNLL03, {share} hidden", "conll03-hidden", f" {share}") for share in ("0.5", "0.7", "0.8", "0.9")),
    ("CoNLL03 distant", "conll03", ""),
    ("BC5CDR distant", "bc5cdr", ""),
    ("WikiGold distant", "wikigold", ""),
    ("NEWS", "news", ""),
)
"""Headings, the table of each, and what its rows' names have behind the method."""

ROWS = (
    "plain",
    "negative-sampling",
    "negative-sampling, own labels",
    "negative-sampling, own labels in any case",
    "weighted-sampling",
    "weighted-sampling mu 2",
    "top-neg",
    "nrces",
    "nrces w 2",
    "plain, words",
    "two-step linear",
    "two-step angle",
    "two-step angle-crf",
    "roster without twins",
    "roster",
    "plain on gold",
    "dictionary only",
)


def overview(runs: Path) -> str:
    """The table in Markdown. A cell is the mean test F1 over seeds, with the deviation where there are several."""
    lines = [("test F1", *(heading for heading, _, _ in COLUMNS)), ("---",) * (len(COLUMNS) + 1)]
    found = {table: _scores(runs, table) for _, table, _ in COLUMNS}
    for row in ROWS:
        cells = [_cell(found[table].get(row + end, [])) for _, table, end in COLUMNS]
        if any(cells):
            lines.append((row, *cells))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _scores(runs: Path, name: str) -> dict[str, list[float]]:
    """The test F1 of each row of a table, one a seed."""
    table = read(HERE / "quality" / f"{name}.yaml")
    benchmark = Benchmark(name, table, Places(HERE), runs)
    return {
        row.name: [100 * run.test["f1"] for run in benchmark.runs_of(row).values() if run.test] for row in table.rows
    }


def _cell(scores: list[float]) -> str:
    if len(scores) < 2:
        return "".join(f"{score:.1f}" for score in scores)
    return f"{mean(scores):.1f} ± {stdev(scores):.1f}"


if __name__ == "__main__":
    OUTPUT.write_text(overview(HERE / "results"), encoding="utf-8")
    print(f"written: {OUTPUT}")
