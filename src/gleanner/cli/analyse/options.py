"""What the analyses ask alike: the data and what is hidden in it, what is trained, and where results go."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from gleanner.cli.fields import settings
from gleanner.cli.models import hush
from gleanner.cli.render import note, out, row, say, table
from gleanner.data.files import FORMATS, ReadOptions, corpus
from gleanner.errors import InputError
from gleanner.methods.load import names
from gleanner.training.settings import Settings, assignments, override, read_yaml

if TYPE_CHECKING:
    from gleanner.analyse.findings import Findings
    from gleanner.analyse.keep import Keep
    from gleanner.analyse.plan import Run
    from gleanner.analyse.truth import Truth
    from gleanner.training.reporter import Reporter
    from gleanner.types import Corpus

_DOCS = {setting.name: setting.doc for setting in settings(Settings)}

Overrides = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="KEY.SUB=VALUE", help="Any setting of `gleanner train`; METHOD.KEY=VALUE is for that method alone."
    ),
]
Gold = Annotated[Path, typer.Option(metavar="FILE", help="The training sentences, completely annotated.")]
Rate = Annotated[
    float | None,
    typer.Option(
        help="Hide each entity of the gold with this probability, as `gleanner mask` does with the first seed."
    ),
]
Train = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE...", help="In the place of --rate: the same sentences as they are to be trained on."),
]
Dev = Annotated[Path | None, typer.Option(metavar="FILE", help=_DOCS["data.dev"])]
Methods = Annotated[list[str] | None, typer.Option("--method", metavar="NAME...", help=f"Of {', '.join(names())}.")]
Seeds = Annotated[list[int] | None, typer.Option("--seed", metavar="N...", help=f"{_DOCS['seed']} Default: 0.")]
Encoder = Annotated[str | None, typer.Option(help=_DOCS["encoder"])]
Config = Annotated[Path | None, typer.Option(metavar="FILE.yaml", help="Settings. Options are stronger.")]
Format = Annotated[
    str | None, typer.Option("--format", help=f"The files' format, where nothing tells: {', '.join(FORMATS)}.")
]
Output = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Write tables (CSV, JSON, Markdown) and figures (PNG, SVG) here, and keep what was trained.",
    ),
]
Plots = Annotated[bool, typer.Option("--plots/--no-plots", help="Whether --output gets figures.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Do not show how trainings go.")]
Least = Annotated[int, typer.Option(min=1, help="Sentences that a length must have to be shown.")]


def whole(path: Path, format_: str | None) -> Corpus:
    """A file in which silence means "not an entity"."""
    return corpus([path], format_, ReadOptions(complete=True))


def truth(gold: Path, rate: float | None, train: list[Path] | None, seed: int, format_: str | None) -> Truth:
    """The data of an analysis."""
    from gleanner.analyse.truth import Truth

    if (rate is None) == (not train):
        raise InputError("it is not said what trainings see of the gold", remedy="give either --rate or --train")
    if rate is not None:
        return Truth.masked(whole(gold, format_), rate, seed)
    return Truth.paired(corpus(train or [], format_), whole(gold, format_))


def plan(
    methods: list[str], seeds: list[int] | None, encoder: str | None, config: Path | None, overrides: list[str] | None
) -> list[Run]:
    """The trainings of an analysis."""
    from gleanner.analyse.plan import runs
    from gleanner.methods.load import build

    raw: dict[str, Any] = {} if config is None else read_yaml(config)
    if encoder is not None:
        raw = override(raw, {"encoder": encoder})
    made = runs(methods, seeds or [0], raw, assignments(overrides or ()))
    for run in made:
        build(run.settings.method)  # what is wrong with the last of them is said before the first is trained
    return made


def ready(output: Path | None, *, plots: bool, quiet: bool) -> tuple[Keep, Reporter]:
    """Before anything is trained: what would go wrong after it."""
    from gleanner.analyse.keep import Keep
    from gleanner.training.reporter import Silent, default_reporter

    check(output, plots=plots)
    hush()
    return Keep(output, (lambda text: None) if quiet else say), Silent() if quiet else default_reporter()


def check(output: Path | None, *, plots: bool) -> None:
    """That results can be written."""
    from gleanner.analyse.plot import require

    if output is not None and plots:
        require()
    if output is not None and output.exists() and not output.is_dir():
        raise InputError("the output exists and is not a folder", path=output, remedy="choose another --output")


def show(findings: Findings, output: Path | None, *, plots: bool) -> None:
    """Tables on the terminal, and everything in the folder."""
    console = out()
    for sheet in findings.sheets.values():
        if sheet.shown:
            words = [heading for k, heading in enumerate(sheet.headings) if sheet.is_text(k)]
            made = table(*sheet.headings, text=words)
            for cells in sheet.cells():
                row(made, *cells)
            console.print(made)
    if output is None:
        note("--output FOLDER keeps the table, and draws it")
        return
    for path in findings.save(output, plots=plots):
        console.print(Text(str(path)), soft_wrap=True)
