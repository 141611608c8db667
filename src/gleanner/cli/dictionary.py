"""`gleanner dictionary`: what is in dictionaries."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from gleanner.cli.progress import Bytes
from gleanner.cli.render import counted, heading, out, row, table
from gleanner.cli.rules import with_rules
from gleanner.cli.several import SeveralCommand
from gleanner.cli.work import TextFormat
from gleanner.gazetteer.rules import Rules

if TYPE_CHECKING:
    from gleanner.gazetteer.check.findings import Report

EXAMPLES = (
    "Examples:\n\n  gleanner dictionary check drugs.csv --text corpus/*.txt"
    "\n\n  gleanner dictionary check people.txt:PER places.tsv --case ignore --text notes.jsonl --strict --json"
)

_SHOWN, _SHOWN_JSON = 10, 1000

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Look at dictionaries before they label anything.",
    epilog="Examples:\n\n  gleanner dictionary check drugs.csv --text corpus/*.txt",
)


@app.callback()
def dictionary() -> None:
    """Look at dictionaries before they label anything."""


@app.command("check", cls=SeveralCommand, epilog=EXAMPLES)
@with_rules
def check(
    *,
    dictionaries: Annotated[
        list[str],
        typer.Argument(metavar="DICTIONARY", help="Files of terms: drugs.csv, or names.txt:PER for one type."),
    ],
    text: Annotated[
        list[str],
        typer.Option("--text", "-t", metavar="FILE...", help="The text that they are for, plain or annotated."),
    ],
    format_: TextFormat = None,
    rules: Rules,
    show: Annotated[
        int | None, typer.Option(min=0, help=f"Findings shown of each kind; {_SHOWN}, or {_SHOWN_JSON:,} with --json.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if there is a problem.")] = False,
) -> None:
    """Read dictionaries against a text: duplicates, conflicts, damaged letters, terms that match never or too often."""
    from gleanner.engine.inputs import sources
    from gleanner.gazetteer.check import check as checking
    from gleanner.gazetteer.files import read_all
    from gleanner.gazetteer.lexicon import Lexicon
    from gleanner.gazetteer.reading import passages

    inputs = sources(text, format_)
    lexicon = Lexicon.compile(read_all(dictionaries), rules)
    limit = show if show is not None else _SHOWN_JSON if as_json else _SHOWN
    with Bytes(sum(source.size for source in inputs), "sentences") as watch:
        report = checking.check(lexicon, passages(inputs, watch.add), limit)
    if as_json:
        typer.echo(json.dumps(report.to_dict(), ensure_ascii=False, indent=2))
    else:
        _print(report, out())
    if strict and report.problems:
        raise typer.Exit(1)


def _print(report: Report, console: Console) -> None:
    from gleanner.gazetteer.encodings import visible

    sizes = f"{counted(report.sentences, 'sentence')}, {counted(report.words, 'word')}"
    console.print(f"{counted(report.terms, 'term')} against {sizes}: {counted(report.problems, 'problem')}\n")
    for found in report.kinds:
        if not found.total:
            continue
        console.print(heading(f"{found.kind.name}: {found.total:,}"))
        console.print(found.kind.about, soft_wrap=True)
        if found.first:
            columns = ("term", "where it stands", "what")[: 3 if found.first[0].note else 2]
            made = table(*columns, text=columns)
            for finding in found.first:
                cells = (finding.text, finding.place, finding.note)
                row(made, *map(visible, cells[: len(columns)]))
            console.print(made)
        if found.total > len(found.first):
            console.print(f"and {found.total - len(found.first):,} more\n")
