"""The options of `gleanner annotate` for text that was annotated before its dictionaries changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gleanner.data import jsonl
from gleanner.data.packed import plain_name
from gleanner.errors import InputError

if TYPE_CHECKING:
    from gleanner.engine.inputs import Source
    from gleanner.gazetteer.reannotating import Reannotating
    from gleanner.gazetteer.recipe import Recipe
    from gleanner.gazetteer.report.gold import Gold
    from gleanner.gazetteer.rules import Rules

Again = Annotated[
    list[str] | None,
    typer.Option(
        "--again",
        metavar="FILE...",
        help="In the place of --text: what this command wrote before the dictionaries changed. Only sentences that a changed "
        "term touches are annotated again. Needs --was; all other options as they were.",
    ),
]
Was = Annotated[
    list[str] | None,
    typer.Option("--was", metavar="FILE[:TYPE]...", help="For --again: the dictionaries as they were."),
]


def check(
    again: Sequence[str] | None,
    was: Sequence[str] | None,
    dictionaries: Sequence[str],
    *,
    combine: str,
    gold: Path | None,
    common: float | None,
    sample: float,
) -> None:
    """Refuses what goes only with annotating everything anew."""
    if not again:
        raise InputError("--was without --again", remedy="name what was annotated with it, or leave it out")
    if not was:
        raise InputError("--again without --was", remedy="name the dictionaries as they were with --was")
    if not dictionaries:
        raise InputError("--again without a dictionary", remedy="give --dictionary, or annotate the text anew")
    depends = {
        "--common": common is not None,
        "--sample": sample < 1,
        "a vote weighted by --gold": combine == "vote" and gold is not None,
        "a vote of another number of dictionaries": combine == "vote" and len(was) != len(dictionaries),
    }
    for what, is_so in depends.items():
        if is_so:
            raise InputError(f"--again with {what}, on which every sentence depends", remedy="annotate the text anew")


def sources_of(again: Sequence[str]) -> tuple[Source, ...]:
    """The files, to be read line by line."""
    from gleanner.engine.inputs import sources

    found = sources(again, "text")
    for source in found:
        if Path(plain_name(source.path)).suffix.lower() not in jsonl.ENDINGS:
            raise InputError(
                "only .jsonl, packed or not, is annotated again", path=source.path, remedy="annotate the text anew"
            )
    return found


def task(
    recipe: Recipe,
    was: Sequence[str],
    dictionaries: Sequence[str],
    rules: Rules,
    inputs: Sequence[Source],
    *,
    counted: bool,
    gold: Gold | None,
) -> Reannotating:
    """What the engine does with each block of them."""
    from gleanner.gazetteer.changes import Changes
    from gleanner.gazetteer.compiled import compiled
    from gleanner.gazetteer.reannotating import Reannotating
    from gleanner.gazetteer.store import load

    old, new = compiled(was, rules), compiled(dictionaries, rules)
    changes = Changes.between(load(old), load(new), renamed=renamed(_names(was), _names(dictionaries)))
    paths = tuple(source.path for source in inputs)
    return Reannotating(recipe, changes, f"{old.name} {new.name}", paths, counted, gold)


def renamed(old: Sequence[str], new: Sequence[str]) -> dict[str, str]:
    """Which dictionary is which: those that have another name now, in their order.

    >>> renamed(["drugs.old.csv", "names.tsv"], ["names.tsv", "drugs.csv"])
    {'drugs.old.csv': 'drugs.csv'}
    """
    gone, come = ([name for name in one if name not in other] for one, other in ((old, new), (new, old)))
    return dict(zip(gone, come, strict=False))


def _names(dictionaries: Sequence[str]) -> list[str]:
    from gleanner.gazetteer.dictionary_file import DictionaryFile

    return [DictionaryFile.parse(text).name for text in dictionaries]
