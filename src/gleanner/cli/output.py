"""What a command may write to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gleanner.data.files import detect
from gleanner.errors import InputError

Force = Annotated[bool, typer.Option("--force", "-f", help="Replace the output if it exists.")]


def fresh(path: Path, *, force: bool) -> Path:
    """The path, if nothing is there that the user might want to keep."""
    if path.exists() and not force:
        raise InputError("the output exists", path=path, remedy="choose another name, or add --force to replace it")
    if path.is_dir() and any(path.iterdir()):
        try:
            detect(path, for_writing=False)
        except InputError:
            what = "this folder holds other things than annotated text; all of it would be lost"
            raise InputError(what, path=path, remedy="choose another name") from None
    return path
