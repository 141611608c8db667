"""The options of commands whose work the engine does."""

from __future__ import annotations

from typing import Annotated

import typer

from gleanner.engine.run import Engine

Workers = Annotated[
    int | None, typer.Option(min=1, help="Work in so many processes; the records and their order stay the same.")
]
Shards = Annotated[int | None, typer.Option(min=1, help="Write so many files: out-00000-of-00004.jsonl for out.jsonl.")]
ChosenEngine = Annotated[
    Engine | None,
    typer.Option(help="Where: processes of this machine, or a Ray cluster (RAY_ADDRESS; else one is started here)."),
]
