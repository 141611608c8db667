"""`gleanner evaluate`: predictions against gold."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gleanner.cli import models
from gleanner.cli.render import counted, heading, note, out, row, table
from gleanner.cli.scores import scores
from gleanner.data.files import FORMATS, ReadOptions, corpus, detect
from gleanner.errors import InputError
from gleanner.types import Sentence

if TYPE_CHECKING:
    from rich.console import Console

    from gleanner.evaluation.confusions import Confusion
    from gleanner.evaluation.report import Report

EXAMPLES = (
    "Examples:\n\n  gleanner evaluate model test.conll\n\n  gleanner evaluate predictions.jsonl test.jsonl --json"
)

_CONFUSIONS = 10


def command(
    predictions: Annotated[
        str, typer.Argument(metavar="MODEL|FILE", help="A model's folder or name, or a file of the same sentences.")
    ],
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="An annotated file.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with more in it.")] = False,
    format_: Annotated[
        str | None, typer.Option("--format", help=f"The files' format, where nothing tells: {', '.join(FORMATS)}.")
    ] = None,
    bootstrap: Annotated[int, typer.Option(help="Samples for the 95% intervals; 0 for none.")] = 1000,
    incomplete: Annotated[
        bool, typer.Option("--incomplete", help='GOLD is incomplete: silence in it does not mean "not an entity".')
    ] = False,
) -> None:
    """Score a model, or a file of predictions, on annotated sentences. An entity is right if its words and its type are."""
    truth = corpus([gold], format_, ReadOptions(complete=not incomplete))
    found: Iterable[Sentence]
    types: Sequence[str] | None = None
    if _is_model(predictions):
        tagger = models.tagger(predictions)
        found, types = tagger.annotate(truth), tagger.labels
    else:
        found = corpus([predictions], format_)

    from gleanner.evaluation.report import evaluate

    report = evaluate(truth, found, bootstrap=bootstrap, known_types=types)
    for warning in report.warnings:
        note(warning)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=2))
    else:
        _print(report, out())


def _is_model(name: str) -> bool:
    """Whether a name is a model's folder or repository, and not annotated text."""
    path = Path(name)
    if path.is_file():
        return False
    if (path / "config.json").exists():
        return True
    try:
        detect(path, for_writing=not path.exists())
    except InputError:
        return True
    return False


def _print(report: Report, console: Console) -> None:
    console.print(f"{counted(report.sentences, 'sentence')}, {counted(report.words, 'word')}")
    console.print(scores(report))
    if report.confusions:
        console.print(heading("Errors"))
        errors = table("gold", "predicted", "times", "for example", text=("predicted", "for example"))
        for confusion in report.confusions[:_CONFUSIONS]:
            row(errors, confusion.gold or "-", confusion.predicted or "-", confusion.count, _example(confusion))
        console.print(errors)


def _example(confusion: Confusion) -> str:
    example = confusion.examples[0]
    sides = (repr(side) for side in (example.gold, example.predicted) if side is not None)
    return f"{' -> '.join(sides)} (sentence {example.sentence})"
