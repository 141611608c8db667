"""`gleanner annotate`: dictionaries and text in, training data out."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gleanner.cli import again as again_
from gleanner.cli import annotators
from gleanner.cli.annotation import Counting, GoldSample, Page
from gleanner.cli.output import Force, fresh
from gleanner.cli.progress import Bytes
from gleanner.cli.render import counted, out, say
from gleanner.cli.rules import with_rules
from gleanner.cli.work import ChosenEngine, Shards, TextFormat, Workers, written_by_blocks
from gleanner.data.files import read
from gleanner.errors import InputError
from gleanner.gazetteer.rules import Rules
from gleanner.types import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gleanner.engine.inputs import Source
    from gleanner.engine.output import Manifest
    from gleanner.gazetteer.common_words import CommonWord
    from gleanner.gazetteer.reannotating import Reannotating

EXAMPLES = (
    "Examples:\n\n  gleanner annotate --dictionary drugs.csv --text corpus/*.txt -o silver.jsonl"
    "\n\n  gleanner annotate --dictionary drugs.csv phrases.txt:? --case ignore --text a.txt.gz -o silver.jsonl.gz"
    "\n\n  gleanner annotate --dictionary names.tsv --annotator rules.py:dosage --text train.conll -o silver.jsonl"
    "\n\n  gleanner annotate --dictionary drugs.csv --text 'corpus/*.txt' --workers 8 --shards 4 -o silver.jsonl.zst"
    "\n\n  gleanner annotate --dictionary drugs.csv --was old/drugs.csv --again silver.jsonl -o new.jsonl"
)


@with_rules
def command(
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="A .jsonl, .jsonl.gz, .jsonl.zst or .parquet.")
    ],
    text: Annotated[
        list[str] | None,
        typer.Option(
            "--text", "-t", metavar="FILE...", help="Plain text, or annotated text: its words and labels stay."
        ),
    ] = None,
    dictionary: Annotated[
        list[str] | None,
        typer.Option(
            "--dictionary", "-d", metavar="FILE[:TYPE]...", help="Terms: CSV, TSV, JSON, lists, Wikidata, ..."
        ),
    ] = None,
    again: again_.Again = None,
    was: again_.Was = None,
    functions: annotators.Functions = None,
    functions_first: annotators.FunctionsFirst = False,
    rules: Rules,
    ambiguity: annotators.AmbiguityOption = "drop",
    type_order: annotators.TypeOrder = None,
    common: annotators.Common = None,
    candidates: annotators.Candidates = None,
    combine: annotators.Combine = "priority",
    gold: GoldSample = None,
    report: Page = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Count nothing for a report: one line at the end.")
    ] = False,
    format_: TextFormat = None,
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
    from gleanner.engine.output import shard_names
    from gleanner.engine.run import How, run
    from gleanner.gazetteer.annotating import Annotating
    from gleanner.gazetteer.compiled import compiled
    from gleanner.gazetteer.report.gold import Gold
    from gleanner.gazetteer.store import load

    given = dictionary or []
    _check(output, given, functions, text, again, gold)
    if report is not None:
        _writable(report, force=force)
    if quiet and (gold or report):
        raise InputError("--quiet, and a report is wanted", remedy="leave out --quiet, or --gold and --report")
    if again or was:
        again_.check(again, was, given, combine=combine, gold=gold, common=common, sample=sample)
    inputs = again_.sources_of(again) if again else sources(text or (), format_)
    # In a vote each dictionary has a voice; otherwise they are one, whose ambiguous terms one rule decides.
    groups = [[name] for name in given] if combine == "vote" else [given] if given else []
    folders = [compiled(group, rules) for group in groups]
    truth = None if gold is None else Gold.read(gold)
    words = [] if common is None else _common_words(given, rules, inputs, common)
    recipe = annotators.recipe(
        folders,
        ambiguity=ambiguity,
        type_order=type_order,
        functions=functions,
        functions_first=functions_first,
        combine=combine,
        candidates=candidates,
        common=[word.term for word in words],
        gold=None if gold is None else read(gold),
    )
    counting = None if quiet else Counting([load(folder, check=False) for folder in folders], truth)
    task: Annotating | Reannotating = Annotating(recipe, sample, seed, counted=not quiet, gold=truth)
    if was:
        task = again_.task(recipe, was, given, rules, inputs, counted=not quiet, gold=truth)
    with Bytes(sum(source.size for source in inputs), "sentences") as watch:
        made = run(
            task,
            inputs,
            output,
            how=How(engine or "processes", workers or 1, force),
            shards=shards or 1,
            limit=limit,
            watch=watch,
            note=(lambda line: None) if counting is None else counting.note,
        )
    if counting is not None:
        counting.report(out(), report, words)
    say(_summary(made, shard_names(output, shards or 1), is_again=bool(again)))


def _common_words(given: Sequence[str], rules: Rules, inputs: Sequence[Source], share: float) -> list[CommonWord]:
    """The terms that the text has in lower case so often that they are no names there. The text is read for it."""
    from gleanner.gazetteer.common_words import common_words, counted, lexicon
    from gleanner.gazetteer.files import read_all
    from gleanner.gazetteer.reading import passages

    capitalised = lexicon(read_all(given), rules)
    with Bytes(sum(source.size for source in inputs), "sentences read for common words") as watch:
        return common_words(counted(chain.from_iterable(passages(inputs, watch.add)), capitalised), capitalised, share)


def _writable(page: Path, *, force: bool) -> None:
    """Refuses now what would be refused when all the work is done."""
    if page.suffix.lower() not in (".html", ".htm"):
        raise InputError("the report is a page", path=page, remedy="give it a name that ends with .html")
    fresh(page, force=force)
    if not page.resolve().parent.is_dir():
        raise InputError("cannot be written: there is no such folder", path=page, remedy="make the folder first")


def _check(
    output: str,
    dictionaries: Sequence[str],
    functions: Sequence[str] | None,
    text: Sequence[str] | None,
    again: Sequence[str] | None,
    gold: Path | None,
) -> None:
    from gleanner.gazetteer.dictionary_file import DictionaryFile

    if not dictionaries and not functions:
        raise InputError("no dictionary is given", remedy="name one with --dictionary, or a function with --annotator")
    if bool(text) == bool(again):
        what = "--text and --again are both given" if text else "no text is given"
        raise InputError(what, remedy="name it with --text, or with --again what was annotated before")
    written_by_blocks(output)
    read_too = [DictionaryFile.parse(name).path for name in dictionaries] + ([] if gold is None else [gold])
    if Path(output).resolve() in [path.resolve() for path in read_too]:
        raise InputError("the output is a file that is read, too", path=output, remedy="choose another name")


def _summary(made: Manifest, files: Sequence[str], *, is_again: bool) -> str:
    from gleanner.gazetteer.reannotating import AGAIN

    again = f", {counted(made.counts.get(AGAIN, 0), 'sentence')} annotated again" if is_again else ""
    types = {name: count for name, count in made.counts.items() if name not in (UNKNOWN, AGAIN)}
    labels = dict(sorted(types.items(), key=lambda one: -one[1]))
    shown = [f"{name} {count:,}" for name, count in labels.items()]
    shown += [f"unknown {made.counts[UNKNOWN]:,}"] if UNKNOWN in made.counts else []
    where = files[0] if len(files) == 1 else f"{files[0]} and {len(files) - 1:,} more"
    told = f" ({', '.join(shown)})" if shown else ""
    return f"{counted(made.records, 'sentence')}, {counted(sum(labels.values()), 'label')}{told}{again} -> {where}"
