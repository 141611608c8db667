"""`gleanner convert`: from one format to another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from gleanner.cli.output import Force, fresh
from gleanner.cli.render import counted, note_dropped, say
from gleanner.data.files import FORMATS, ReadOptions, read, write
from gleanner.types import Sentence

EXAMPLES = (
    "Examples:\n\n  gleanner convert train.conll train.jsonl"
    "\n\n  gleanner convert export.json train.jsonl --from label-studio --incomplete"
    "\n\n  gleanner convert ner.txt ner.bioes --from conll --column 3"
)
_FORMATS = ", ".join(FORMATS)


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="What to read.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="What to write.")],
    from_: Annotated[
        str | None, typer.Option("--from", help=f"Its format, where neither ending nor content tells: {_FORMATS}.")
    ] = None,
    to: Annotated[str | None, typer.Option("--to", help="The format to write, where the ending does not tell.")] = None,
    complete: Annotated[
        bool | None,
        typer.Option("--complete/--incomplete", help='Whether silence means "not an entity"; else what the file says.'),
    ] = None,
    column: Annotated[
        int | None, typer.Option(help="CoNLL: the column of the labels, counted from 0; else the last.")
    ] = None,
    force: Force = False,
) -> None:
    """Convert annotated text from one format to another, and say what the new format cannot hold."""
    sentences = read(source, from_, ReadOptions(complete=complete, column=column))
    fresh(target, force=force)
    read_so_far = {"sentence": 0, "entity": 0}

    def tallied() -> Iterator[Sentence]:
        for sentence in sentences:
            read_so_far["sentence"] += 1
            read_so_far["entity"] += len(sentence.entities)
            yield sentence

    dropped = write(tallied(), target, to)
    say(", ".join(counted(number, noun) for noun, number in read_so_far.items()) + f" -> {target}")
    note_dropped(dropped)
