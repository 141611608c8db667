"""`gleanner inspect`: what is in annotated files."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from gleanner.cli.render import counted, heading, out, row, table
from gleanner.data.files import FORMATS, ReadOptions, corpus

if TYPE_CHECKING:
    from gleanner.data.inspect import Distribution, Inspection

EXAMPLES = "Examples:\n\n  gleanner inspect silver.jsonl\n\n  gleanner inspect train.conll dev.conll --json"

_MENTIONS = 5  # a type
_SOURCES = 10


def command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Annotated files, looked at as one corpus.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with more in it.")] = False,
    format_: Annotated[
        str | None, typer.Option("--format", help=f"The files' format, where nothing tells: {', '.join(FORMATS)}.")
    ] = None,
    column: Annotated[
        int | None, typer.Option(help="CoNLL: the column of the labels, counted from 0; else the last.")
    ] = None,
) -> None:
    """Describe a corpus: counts, lengths, and labels that contradict each other or seem to be missing."""
    from gleanner.data.inspect import inspect

    found = inspect(corpus(files, format_, ReadOptions(column=column)))
    if as_json:
        typer.echo(json.dumps(found.to_dict(), ensure_ascii=False, indent=2))
    else:
        _print(found, out())


def _print(found: Inspection, console: Console) -> None:
    counts = table("corpus", "")
    row(counts, "sentences", f"{found.sentences:,}")
    row(counts, 'where silence means "not an entity"', f"{found.complete_sentences:,}")
    row(counts, "without an entity", f"{found.share_without_entities:.1%}")
    row(counts, "repeated", f"{found.duplicate_sentences:,}")
    row(counts, "words", f"{found.words:,}")
    row(counts, "entities", f"{found.entities:,}")
    row(counts, "per 100 words", f"{found.entities_per_100_words:.1f}")
    row(counts, "different phrases", f"{found.distinct_mentions:,}")
    row(counts, "inside another", f"{found.nested:,}")
    row(counts, "spans said to be no entity", f"{found.explicit_negatives:,}")
    row(counts, "spans said to be unknown", f"{found.unknowns:,}")
    console.print(counts)

    lengths = table("length in words", "least", "median", "mean", "95 %", "most")
    _length(lengths, "sentences", found.sentence_lengths)
    _length(lengths, "entities", found.entity_lengths)
    console.print(lengths)

    types = table("type", "entities", "commonest", text=("commonest",))
    for name, number in found.types.items():
        common = found.common_mentions.get(name, [])[:_MENTIONS]
        row(types, name, f"{number:,}", ", ".join(f"{phrase} ({times:,})" for phrase, times in common))
    console.print(types)

    if set(found.sources) - {""}:
        sources = table("label made by", "spans")
        for name, number in islice(found.sources.items(), _SOURCES):
            row(sources, name or "(not said)", f"{number:,}")
        others = list(found.sources.values())[_SOURCES:]
        if others:
            row(sources, f"({counted(len(others), 'other')})", f"{sum(others):,}")
        console.print(sources)
    if found.ambiguous:
        console.print(heading(f"{counted(found.ambiguous_phrases, 'phrase')} of several types"))
        ambiguous = table("phrase", "as", text=("as",))
        for phrase in found.ambiguous:
            row(ambiguous, phrase.phrase, ", ".join(f"{name} ({times:,})" for name, times in phrase.counts.items()))
        console.print(ambiguous)
    if found.gaps:
        phrases = counted(found.phrases_with_gaps, "phrase")
        console.print(heading(f"{phrases} labelled here and bare there; bare occurrences: {found.bare_occurrences:,}"))
        gaps = table("phrase", "labelled", "bare", "where it is bare", text=("where it is bare",))
        for gap in found.gaps:
            row(gaps, gap.phrase, f"{gap.labelled:,}", f"{gap.bare:,}", gap.example)
        console.print(gaps)


def _length(lengths: Table, what: str, spread: Distribution) -> None:
    row(lengths, what, spread.min, spread.median, f"{spread.mean:.1f}", spread.p95, spread.max)
