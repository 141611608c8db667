"""`gleanner mask`: hide labels on purpose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from gleanner.cli.output import Force, fresh
from gleanner.cli.render import note_dropped, say
from gleanner.data.files import FORMATS, read, write
from gleanner.data.mask import mask
from gleanner.types import Sentence

EXAMPLES = "Examples:\n\n  gleanner mask train.conll masked.jsonl --rate 0.5 --seed 1"


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="An annotated file.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    rate: Annotated[float, typer.Option(help="How probably an entity is hidden, from 0 to 1.")],
    seed: Annotated[int, typer.Option(help="Of the choice.")] = 0,
    format_: Annotated[
        str | None, typer.Option("--format", help=f"Both files' format, where nothing tells: {', '.join(FORMATS)}.")
    ] = None,
    force: Force = False,
) -> None:
    """Hide a share of the entities, drawn at random, to see what a method makes of the rest."""
    entities = {"before": 0, "after": 0}

    def tallied(sentences: Iterable[Sentence], when: str) -> Iterator[Sentence]:
        for sentence in sentences:
            entities[when] += len(sentence.entities)
            yield sentence

    masked = mask(tallied(read(source, format_), "before"), rate, seed)
    dropped = write(tallied(masked, "after"), fresh(target, force=force), format_)
    hidden = entities["before"] - entities["after"]
    say(f"{hidden:,} of {entities['before']:,} entities hidden -> {target}")
    note_dropped(dropped)
