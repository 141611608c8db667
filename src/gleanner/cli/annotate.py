"""`gleanner annotate`: dictionaries and text in, training data out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gleanner.cli.output import Force
from gleanner.cli.progress import Bytes
from gleanner.cli.render import counted, say
from gleanner.cli.work import ChosenEngine, Shards, Workers, written_by_blocks
from gleanner.data.files import FORMATS
from gleanner.data.lines import lines
from gleanner.errors import InputError
from gleanner.types import UNKNOWN

if TYPE_CHECKING:
    from gleanner.engine.output import Manifest

EXAMPLES = (
    "Examples:\n\n  gleanner annotate --dictionary drugs.csv --text corpus/*.txt -o silver.jsonl"
    "\n\n  gleanner annotate --dictionary drugs.csv phrases.txt:? --case ignore --text a.txt.gz -o silver.jsonl.gz"
    "\n\n  gleanner annotate --dictionary names.tsv --annotator rules.py:dosage --text train.conll -o silver.jsonl"
    "\n\n  gleanner annotate --dictionary drugs.csv --text 'corpus/*.txt' --workers 8 --shards 4 -o silver.jsonl.zst"
)


def command(
    text: Annotated[
        list[str],
        typer.Option(
            "--text", "-t", metavar="FILE...", help="Plain text, or annotated text: its words and labels stay."
        ),
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="A .jsonl, .jsonl.gz, .jsonl.zst or .parquet.")
    ],
    dictionary: Annotated[
        list[str] | None,
        typer.Option(
            "--dictionary", "-d", metavar="FILE[:TYPE]...", help="Terms: CSV, TSV, JSON, lists, Wikidata, ..."
        ),
    ] = None,
    annotator: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.py:NAME...", help="A Python function that labels, too; its file is run."),
    ] = None,
    case: Annotated[
        Literal["exact", "ignore", "acronym"],
        typer.Option(help="Whether capitals matter; acronym: only in terms that are all capitals."),
    ] = "exact",
    ignore_above: Annotated[
        int, typer.Option(min=0, metavar="LENGTH", help="Terms of at most so many characters keep their case.")
    ] = 0,
    form: Annotated[
        Literal["none", "nfc", "nfkc"], typer.Option(help="Unicode normalisation; nfkc takes ﬁ for fi too.")
    ] = "nfc",
    width: Annotated[bool, typer.Option("--width", help="Take full-width letters for ordinary ones.")] = False,
    accents: Annotated[bool, typer.Option("--ignore-accents", help="Take é for e.")] = False,
    hyphens: Annotated[
        Literal["exact", "fold", "space"], typer.Option(help="fold: all dashes are one; space: they are white space.")
    ] = "fold",
    plural: Annotated[bool, typer.Option("--plural", help="Find English plurals of terms.")] = False,
    possessive: Annotated[bool, typer.Option("--possessive", help="Find terms with 's inside a given word.")] = False,
    distance: Annotated[
        int, typer.Option(min=0, help="Letters that may be wrong in long terms (needs rapidfuzz).")
    ] = 0,
    min_length: Annotated[int, typer.Option(min=1, help="Leave out shorter terms.")] = 1,
    stop_list: Annotated[Path | None, typer.Option(metavar="FILE", help="Terms to leave out, one a line.")] = None,
    ambiguity: Annotated[
        Literal["drop", "priority", "frequent", "alternatives"],
        typer.Option(help="What a term of several types becomes; drop: unknown."),
    ] = "drop",
    order: Annotated[
        list[str] | None, typer.Option("--type-order", metavar="TYPE...", help="For priority: types, the first wins.")
    ] = None,
    candidates: Annotated[
        str, typer.Option(metavar="capitals|spacy:MODEL", help="Label candidates only; the others become unknown.")
    ] = "",
    combine: Annotated[
        Literal["priority", "vote"], typer.Option(help="How dictionaries and functions become one annotation.")
    ] = "priority",
    format_: Annotated[
        str | None, typer.Option("--format", help=f"The text's format, where nothing tells: {', '.join(FORMATS)}.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after so many sentences.")] = None,
    sample: Annotated[float, typer.Option(min=0.0, max=1.0, help="Annotate a random share of the sentences.")] = 1.0,
    seed: Annotated[int, typer.Option(help="For --sample.")] = 0,
    workers: Workers = None,
    engine: ChosenEngine = None,
    shards: Shards = None,
    force: Force = False,
) -> None:
    """Label text with dictionaries and rules. Every label says where it comes from; what has none is unknown.

    A run that is stopped goes on when the same command is given again.
    """
    from gleanner.engine.inputs import sources
    from gleanner.engine.run import How, run
    from gleanner.gazetteer.annotating import Annotating
    from gleanner.gazetteer.compiled import compiled
    from gleanner.gazetteer.recipe import Recipe
    from gleanner.gazetteer.rules import Rules

    _check(output, dictionary, annotator)
    inputs = sources(text, format_)
    rules = Rules(
        case=case,
        ignore_above=ignore_above,
        form=form,
        width=width,
        accents=accents,
        hyphens=hyphens,
        plural=plural,
        possessive=possessive,
        distance=distance,
        min_length=min_length,
        stop=_terms(stop_list),
    )
    given = dictionary or []
    # In a vote each dictionary has a voice; otherwise they are one, whose ambiguous terms one rule decides.
    groups = [[name] for name in given] if combine == "vote" else [given] if given else []
    recipe = Recipe(
        tuple(compiled(group, rules) for group in groups),
        tuple(annotator or ()),
        ambiguity=ambiguity,
        order=tuple(order or ()),
        candidates=candidates,
        by=combine,
    )
    how = How(engine or "processes", workers or 1, force)
    with Bytes(sum(source.size for source in inputs), "sentences") as watch:
        made = run(
            Annotating(recipe, sample, seed), inputs, output, how=how, shards=shards or 1, limit=limit, watch=watch
        )
    say(_summary(made, output))


def _check(output: str, dictionary: list[str] | None, annotator: list[str] | None) -> None:
    if not dictionary and not annotator:
        raise InputError("no dictionary is given", remedy="name one with --dictionary, or a function with --annotator")
    written_by_blocks(output)


def _terms(stop_list: Path | None) -> tuple[str, ...]:
    return () if stop_list is None else tuple(line.strip() for _, line in lines(stop_list) if line.strip())


def _summary(made: Manifest, output: str) -> str:
    labels = {name: count for name, count in sorted(made.counts.items(), key=lambda one: -one[1]) if name != UNKNOWN}
    shown = [f"{name} {count:,}" for name, count in labels.items()]
    shown += [f"unknown {made.counts[UNKNOWN]:,}"] if UNKNOWN in made.counts else []
    told = f" ({', '.join(shown)})" if shown else ""
    return f"{counted(made.records, 'sentence')}, {counted(sum(labels.values()), 'label')}{told} -> {output}"
