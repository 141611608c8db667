"""The options of commands that read and write as the engine does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gleanner.data import jsonl, parquet
from gleanner.data.files import FORMATS
from gleanner.data.packed import plain_name
from gleanner.engine.run import Engine
from gleanner.errors import InputError

TextFormat = Annotated[
    str | None, typer.Option("--format", help=f"The text's format, where nothing tells: {', '.join(FORMATS)}.")
]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Work in so many processes; the records and their order stay the same.")
]
Shards = Annotated[int | None, typer.Option(min=1, help="Write so many files: out-00000-of-00004.jsonl for out.jsonl.")]
ChosenEngine = Annotated[
    Engine | None,
    typer.Option(help="Where: processes of this machine, or a Ray cluster (RAY_ADDRESS; else one is started here)."),
]


def written_by_blocks(output: str) -> str:
    """The name of an output that the engine can write."""
    name = plain_name(output)
    if Path(name).suffix.lower() in jsonl.ENDINGS or (output.endswith(name) and name.endswith(parquet.ENDINGS)):
        return output
    raise InputError(
        "records are written as .jsonl, packed or not, or .parquet", path=output, remedy="then use `gleanner convert`"
    )
