"""The runs of a table as the cells of a report, whatever the report is written in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any

from gleanner.benchmark.counts import RunCounts
from gleanner.benchmark.curves import Curve
from gleanner.benchmark.significance import Difference, differences
from gleanner.benchmark.store import Benchmark, Run
from gleanner.benchmark.table import Row, Table

EXPLANATION = (
    "Scores are percentages, entity level, micro: the mean over the seeds ± their standard deviation. The development set "
    "chose the epoch of each run; the test set was read once, after that. Δ F1 is the difference from the row named beside it, "
    "as the mean over the seeds that both have, with its 95 % interval and two-sided p from a paired bootstrap over sentences "
    "and, where there are several, seeds; there is none where the counts by sentence were not kept. Minutes and megabytes (of "
    "the process, and on the GPU) are means of what a run took; compare them on one machine."
)

NONE = "–"


@dataclass(frozen=True)
class Summary:
    """A table of the report."""

    table: Table
    columns: tuple[str, ...]
    """Headings; the first column is the row's name."""
    cells: tuple[tuple[str, ...], ...]
    """Rows x columns."""
    facts: tuple[str, ...]
    """What the numbers depend on, a line each."""
    curves: Mapping[str, tuple[Curve, ...]]
    """By the name of a baseline, the learning curves of it and of the rows that are compared with it."""


def summarise(benchmark: Benchmark) -> Summary:
    """From what is stored."""
    table = benchmark.table
    runs = {row.name: benchmark.runs_of(row) for row in table.rows}
    found = _differences(benchmark, runs)
    judged, other = ("dev", None) if table.test is None else ("test", "dev")
    scores = [(judged, "precision", "P"), (judged, "recall", "R"), (judged, "f1", "F1")]
    scores += [] if other is None else [(other, "f1", "F1")]
    heads = ["seeds", *(f"{side} {short}" for side, _, short in scores)]
    heads += ["Δ F1", "from", "95 %", "p", "best epoch", "minutes", "MB", "GPU MB"]
    cells = []
    for row in table.rows:
        of_row = list(runs[row.name].values())
        line = [row.name + (" †" if row.gold else ""), str(len(of_row)) if row.trains or not of_row else NONE]
        line += [_spread(100 * run[key] for run in _sides(of_row, side)) for side, key, _ in scores]
        line += _difference(found.get(row.name), table.baseline_of(row).name)
        line.append(", ".join(f"{run['epoch']:g}" for run in _sides(of_row, "dev") if "epoch" in run))
        line.append(_mean((run.seconds / 60 for run in of_row if row.trains), 1))
        line += [
            _mean((run.memory[of] for run in of_row if run.memory and run.memory[of]), 0) for of in ("rss", "cuda")
        ]
        cells.append(tuple(line))
    columns, lines = _without_empty(("row", *heads), cells)
    return Summary(table, columns, lines, tuple(_facts(benchmark, runs)), _curves(table, runs))


def _sides(runs: Iterable[Run], side: str) -> list[dict[str, Any]]:
    scores = (run.test if side == "test" else run.dev for run in runs)
    return [score for score in scores if score is not None]


def _differences(benchmark: Benchmark, runs: Mapping[str, Mapping[int, Run]]) -> dict[str, Difference]:
    gold, table = benchmark.gold, benchmark.table
    if gold is None:
        return {}
    counts: dict[str, dict[int, RunCounts]] = {
        name: {
            seed: run.counts
            for seed, run in of_row.items()
            if run.counts is not None and len(run.counts.found) == len(gold)
        }
        for name, of_row in runs.items()
    }
    return differences(gold, counts, {row.name: table.baseline_of(row).name for row in table.rows})


def _difference(found: Difference | None, baseline: str) -> list[str]:
    if found is None:
        return [""] * 4
    low, high = (f"{100 * edge:+.1f}" for edge in found.interval)
    return [f"{100 * found.f1:+.1f}", baseline, f"{low} to {high}", _p(found.p_value)]


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _spread(values: Iterable[float]) -> str:
    known = list(values)
    if not known:
        return ""
    return f"{mean(known):.1f}" + (f" ± {stdev(known):.1f}" if len(known) > 1 else "")


def _mean(values: Iterable[float | None], digits: int) -> str:
    known = [value for value in values if value is not None]
    return f"{mean(known):,.{digits}f}" if known else ""


def _without_empty(
    columns: tuple[str, ...], cells: list[tuple[str, ...]]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Without the columns that nothing is known of."""
    filled = [place for place in range(len(columns)) if place < 2 or any(line[place] for line in cells)]
    return tuple(columns[place] for place in filled), tuple(tuple(line[place] for place in filled) for line in cells)


def _facts(benchmark: Benchmark, runs: Mapping[str, Mapping[int, Run]]) -> Iterable[str]:
    table = benchmark.table
    settings = "".join(f", `{key}={value}`" for key, value in table.settings.items())
    every = "" if table.every == 1 else f" (one sentence of {table.every})"
    test = "no test set: decisions are taken here" if table.test is None else f"test `{table.test}`"
    yield f"Encoder `{table.encoder}`{settings}; seeds {', '.join(map(str, table.seeds))}."
    yield f"Training data `{table.train}`{every}, development `{table.dev}`, {test}."
    own = [f"{row.name} ({_own(row)})" for row in table.rows if _own(row)]
    if own:
        yield f"Settings and data of single rows: {'; '.join(own)}."
    others = [f"{row.name} on `{row.gold}`" for row in table.rows if row.gold]
    if others:
        yield f"† Scored on other sentences: {', '.join(others)}."
    machines = sorted({_machine(run.machine) for of_row in runs.values() for run in of_row.values()})
    if machines:
        yield f"Machine: {'; '.join(machines)}."


def _own(row: Row) -> str:
    """What its name does not say."""
    own = {name: value for name, value in row.key.items() if name not in ("name", "gold")}
    if str(own.get("method.name")) in row.name:
        del own["method.name"]
    return ", ".join(f"`{name}={value}`" for name, value in own.items())


def _machine(machine: Mapping[str, Any]) -> str:
    threads = machine["threads"]
    return f"{machine['device']}, {threads} thread{'s' if threads > 1 else ''}"


def _curves(table: Table, runs: Mapping[str, Mapping[int, Run]]) -> dict[str, tuple[Curve, ...]]:
    groups: dict[str, list[Curve]] = {}
    for row in table.rows:
        histories = [run.history for run in runs[row.name].values() if run.history]
        if histories:
            groups.setdefault(table.baseline_of(row).name, []).append(Curve.of(row.name, histories))
    return {name: tuple(curves) for name, curves in groups.items()}
