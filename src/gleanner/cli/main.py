"""The command line. Each command is a module beside: its arguments, one call, and what it prints."""

from __future__ import annotations

import io
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from gleanner.cli import (
    analyse,
    annotate,
    benchmark,
    convert,
    demo,
    dictionary,
    evaluate,
    inspect,
    mask,
    methods,
    predict,
    train,
)
from gleanner.cli.commands import Commands
from gleanner.cli.several import SeveralCommand

app = typer.Typer(
    cls=Commands,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Start with:\n\n  gleanner demo\n\n  gleanner train --train silver.jsonl --dev dev.jsonl --output model",
)
app.command("annotate", cls=SeveralCommand, epilog=annotate.EXAMPLES)(annotate.command)
app.command("train", cls=train.TrainCommand, epilog=train.EXAMPLES)(train.command)
app.command("evaluate", epilog=evaluate.EXAMPLES)(evaluate.command)
app.command("predict", epilog=predict.EXAMPLES)(predict.command)
app.command("convert", epilog=convert.EXAMPLES)(convert.command)
app.command("inspect", epilog=inspect.EXAMPLES)(inspect.command)
app.command("mask", epilog=mask.EXAMPLES)(mask.command)
app.add_typer(analyse.app, name="analyse", epilog=analyse.EXAMPLES)
app.add_typer(dictionary.app, name="dictionary")
app.command("demo", epilog=demo.EXAMPLES)(demo.command)
app.command("benchmark", epilog=benchmark.EXAMPLES)(benchmark.command)
app.command("methods", epilog=methods.EXAMPLES)(methods.command)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gleanner {version('gleanner')}")
        raise typer.Exit


@app.callback()
def gleanner(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Train named-entity recognisers from incomplete annotations: a dictionary and raw text, or labels left unfinished."""


def main() -> None:
    """The entry point. What is piped is UTF-8, whatever the system thinks."""
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty():
        sys.stdout.reconfigure(encoding="utf-8")
    app()


if __name__ == "__main__":
    main()
