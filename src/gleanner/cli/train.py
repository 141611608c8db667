"""`gleanner train`: a run from the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from gleanner.cli.fields import settings, settings_table
from gleanner.cli.models import hush
from gleanner.cli.render import counted, heading, out, percent, row, table
from gleanner.cli.several import SeveralCommand
from gleanner.methods.load import build, names
from gleanner.training.settings import Settings, assignments, check, override, read_yaml

if TYPE_CHECKING:
    from gleanner.training.run import Trained

EXAMPLES = (
    "Examples:\n\n  gleanner train --method weighted-sampling --train silver.jsonl --dev dev.jsonl --output model"
    "\n\n  gleanner train --train a.jsonl b.jsonl --encoder roberta-base training.epochs=5 method.rate=0.5 --output model"
    "\n\n  gleanner train --config model/settings.yaml --seed 1 --output model-1"
)
_DOCS = {setting.name: setting.doc for setting in settings(Settings)}


class TrainCommand(SeveralCommand):
    """Lists all settings at the end of its help."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """As always, then the settings."""
        super().format_help(ctx, formatter)
        console = out()
        console.print(heading("Settings, for the command line (training.epochs=20) and for the file of --config"))
        console.print(settings_table(settings(Settings)))


def command(
    overrides: Annotated[
        list[str] | None,
        typer.Argument(metavar="KEY.SUB=VALUE", help="Any setting by its dotted name; stronger than all else."),
    ] = None,
    *,
    train: Annotated[
        list[str] | None, typer.Option(metavar="FILE...", help=_DOCS["data.train"], show_default=False)
    ] = None,
    dev: Annotated[str | None, typer.Option(metavar="FILE", help=_DOCS["data.dev"])] = None,
    output: Annotated[Path, typer.Option(metavar="FOLDER", help="The model's folder. A run that was killed goes on.")],
    method: Annotated[str | None, typer.Option(help=f"One of {', '.join(names())}.")] = None,
    encoder: Annotated[str | None, typer.Option(help=_DOCS["encoder"])] = None,
    seed: Annotated[int | None, typer.Option(help=_DOCS["seed"])] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE.yaml", help="Settings. Options are stronger.")] = None,
    format_: Annotated[str | None, typer.Option("--format", help=_DOCS["data.format"])] = None,
    complete: Annotated[bool | None, typer.Option("--complete/--incomplete", help=_DOCS["data.complete"])] = None,
    track: Annotated[
        list[str] | None, typer.Option(metavar="NAME...", help="tensorboard, mlflow, wandb or trackio.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
) -> None:
    """Train a model from incomplete annotations; what nobody annotated counts as unknown."""
    options: dict[str, Any] = {
        "data.train": train,
        "data.dev": dev,
        "data.format": format_,
        "data.complete": complete,
        "method.name": method,
        "encoder": encoder,
        "seed": seed,
    }
    raw = {} if config is None else read_yaml(config)
    raw = override(raw, {name: value for name, value in options.items() if value is not None})
    chosen = check(override(raw, assignments(overrides or ())), path=config)

    from gleanner.training.reporter import Silent, default_reporter
    from gleanner.training.run import run

    hush()
    reporter = Silent() if quiet else default_reporter()
    trained = run(build(chosen.method), chosen, output, reporter=reporter, track=track or ())
    if not quiet and os.environ.get("RANK", "0") == "0":  # of several processes one speaks
        _print(trained, chosen, output)


def _print(trained: Trained, chosen: Settings, output: Path) -> None:
    from gleanner.training import record

    data = (record.read(output) or {})["data"]["train"]
    seconds = {entry["stage"]: entry["seconds"] for entry in trained.history}
    made = table("trained", "", text=("",))
    row(made, "method", chosen.method.get("name", "negative-sampling"))
    row(made, "encoder", chosen.encoder)
    row(made, "data", f"{counted(data['sentences'], 'sentence')}, {counted(data['entities'], 'entity')}")
    row(made, "types", ", ".join(trained.tagger.labels))
    best = trained.best
    if best is not None:
        scores = (f"{name} {percent(best[key])}" for name, key in (("P", "precision"), ("R", "recall"), ("F1", "f1")))
        row(made, "best epoch", f"{best['epoch']:g} of {chosen.training.epochs}")
        row(made, "development data", "  ".join(scores))
    row(made, "time", f"{sum(seconds.values()):,.0f} s")
    row(made, "output", output)
    console = out()
    console.print(made)
    console.print(Text(f"gleanner evaluate {output} TEST-FILE\ngleanner predict {output} FILE"), soft_wrap=True)
