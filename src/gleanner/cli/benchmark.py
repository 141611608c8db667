"""`gleanner benchmark`: methods compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from gleanner.cli.models import hush
from gleanner.cli.render import counted, err, fail, heading, out, percent, row, say, table
from gleanner.data.alone import alone
from gleanner.errors import InputError
from gleanner.training.settings import assignments

if TYPE_CHECKING:
    from gleanner.benchmark.measure import Measured
    from gleanner.benchmark.pool import State
    from gleanner.benchmark.store import Benchmark, Job
    from gleanner.benchmark.summary import Summary

EXAMPLES = (
    "Examples:\n\n  gleanner benchmark table.yaml --output results"
    "\n\n  gleanner benchmark benchmarks/quality/*.yaml --output benchmarks/results --data DATA --encoders ENCODERS"
    "\n\n  gleanner benchmark table.yaml --output results --only 'plain*' --seeds 1"
    "\n\n  gleanner benchmark table.yaml --output results --report"
    "\n\n  gleanner benchmark --method plain --method negative-sampling --train silver.jsonl --dev dev.jsonl"
    " --test test.jsonl --seeds 1,2,3 training.epochs=5 --output results"
)

_SHOWN = ("row", "seeds", "Δ F1", "p", "minutes")


def command(
    tables: Annotated[
        list[str] | None,
        typer.Argument(metavar="TABLE.yaml|KEY.SUB=VALUE", help="Tables; or, with --method, settings of all runs."),
    ] = None,
    *,
    output: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Of runs and reports. What is there is not run again.")
    ],
    data: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Of the data; else GLEANNER_DATA, else the folder of the table."),
    ] = None,
    encoders: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Of the encoders that tables name; else GLEANNER_ENCODERS.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, help="Runs at a time, which share the cores; else one a core, or one on a GPU."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="ROW", help="Run only these rows; * is anything. May be repeated.")
    ] = None,
    seeds: Annotated[str | None, typer.Option(metavar="1,2,...", help="Other seeds than the tables'.")] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Only write the reports, from the runs that are there.")
    ] = False,
    methods: Annotated[
        list[str] | None,
        typer.Option("--method", metavar="NAME", help="Without a table: a method to compare. May be repeated."),
    ] = None,
    train: Annotated[str | None, typer.Option(metavar="FILE", help="Without a table: what to learn from.")] = None,
    dev: Annotated[str | None, typer.Option(metavar="FILE", help="Without a table: what chooses the epochs.")] = None,
    test: Annotated[
        str | None, typer.Option(metavar="FILE", help="Without a table: what is scored at the end.")
    ] = None,
    encoder: Annotated[str, typer.Option(help="Without a table: the encoder of all runs.")] = "minilm",
) -> None:
    """Compare methods: rows by seeds, several at once, with a report in Markdown and HTML. What was killed goes on."""
    from gleanner.benchmark.places import Places
    from gleanner.benchmark.store import Benchmark
    from gleanner.benchmark.table import crossed, read

    given = tables or []
    if methods:
        if train is None or dev is None:
            raise InputError("--method without data", remedy="add --train FILE and --dev FILE, and --test FILE")
        made = crossed(methods, train, dev, test, encoder, assignments(given))
        chosen = [Benchmark(Path(train).stem, made, Places.of(Path(), data or Path(), encoders), output)]
    elif given:
        if train or dev or test:
            raise InputError("--train, --dev and --test belong to --method", remedy="write them into the table")
        paths = [Path(name) for name in given]
        chosen = [Benchmark(p.stem, read(p), Places.of(p.parent, data, encoders), output, p) for p in paths]
    else:
        raise InputError("nothing to compare", remedy="name a table, or methods with --method")
    if seeds is not None:
        chosen = [one.with_seeds(_numbers(seeds)) for one in chosen]
    if output.exists() and not output.is_dir():
        raise InputError("the output exists and is not a folder", path=output, remedy="choose another --output")
    _check(chosen, only or ())
    failures = 0 if report else _run(chosen, only or (), jobs)
    _report(chosen, output)
    if failures:
        raise typer.Exit(1)


def _numbers(text: str) -> list[int]:
    parts = text.split(",")
    if not all(part.strip().isdecimal() for part in parts) or len(set(parts)) < len(parts):
        raise InputError(f"the seeds {text!r} are not different whole numbers", remedy="write for instance 1,2,3")
    return [int(part) for part in parts]


def _check(chosen: Sequence[Benchmark], only: Sequence[str]) -> None:
    names = [one.name for one in chosen]
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(f"two tables are called {twice[0]!r}", remedy="their results would share a folder: rename one")
    if only and not any(one.rows(only) for one in chosen):
        rows = dict.fromkeys(row.name for one in chosen for row in one.table.rows)
        raise InputError(f"no row is called {only[0]!r}", remedy=f"there are: {', '.join(rows)}")


def _run(chosen: Sequence[Benchmark], only: Sequence[str], at_once: int | None) -> int:
    from gleanner.benchmark import pool
    from gleanner.training.record import make_folder

    every = [job for one in chosen for job in one.jobs(only)]
    todo = [job for job in every if job.stored() is None]
    if todo:
        hush()
    for one in chosen:
        one.check([row for row in one.table.rows if any(job.row is row for job in todo)])
    if len(todo) < len(every):
        say(f"{counted(len(every) - len(todo), 'run')} of {len(every)} were made before")
    if not todo:
        return 0
    make_folder(chosen[0].output)
    with alone(chosen[0].output), _Shown(len(todo)) as shown:
        return pool.run(todo, at_once or pool.default_at_once(), shown, hush)


def _report(chosen: Sequence[Benchmark], output: Path) -> None:
    from gleanner.benchmark.report import write
    from gleanner.benchmark.summary import summarise

    summaries = [summarise(one) for one in chosen]
    console = out()
    for summary in summaries:
        console.print(heading(summary.table.title))
        console.print(_grid(summary))
    for path in write(summaries, output):
        say(f"written: {path}")


def _grid(summary: Summary) -> Grid:
    """As much as a terminal is wide enough for."""
    shown = [n for n, name in enumerate(summary.columns) if name in _SHOWN or name.startswith(summary.table.judged)]
    made = table(*(summary.columns[n] for n in shown))
    for cells in summary.cells:
        row(made, *(cells[n] for n in shown))
    return made


class _Shown:
    """On a terminal a bar of all runs and a line for each that is going on; a line for each that has ended."""

    def __init__(self, total: int) -> None:
        self._console = err()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.completed}/{task.total} {task.fields[state]}"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._total, self._ended = total, 0
        self._all = self._progress.add_task("runs", total=total, state="")
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> _Shown:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def began(self, job: Job) -> None:
        """A line more."""
        self._tasks[str(job)] = self._progress.add_task(str(job), total=None, state="")

    def went_on(self, job: Job, state: State) -> None:
        """Its stage, and how good it is so far."""
        score = "" if state.f1 is None else f"  dev F1 {percent(state.f1)}"
        self._progress.update(
            self._tasks[str(job)], completed=state.done, total=state.steps, state=f"{state.stage}{score}"
        )

    def ended(self, job: Job, measured: Measured) -> None:
        """What came out: development data only, so that nobody is led to choose by the test set."""
        dev = measured.record["dev"]
        score = "" if dev is None else f": dev F1 {percent(dev['f1'])}"
        self._close(job)
        say(f"{self._ended}/{self._total}  {job}{score}, {measured.record['seconds']:,.0f} s")

    def failed(self, job: Job, reason: str) -> None:
        """Why."""
        self._close(job)
        fail(f"{job}: {reason}")

    def _close(self, job: Job) -> None:
        self._ended += 1
        self._progress.remove_task(self._tasks.pop(str(job)))
        self._progress.advance(self._all)
