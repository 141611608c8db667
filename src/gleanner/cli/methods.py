"""`gleanner methods`: what there is to train with."""

from __future__ import annotations

from inspect import cleandoc
from typing import Annotated

import typer
from rich.text import Text

from gleanner.cli.fields import settings, settings_table
from gleanner.cli.render import heading, out, row, table

EXAMPLES = "Examples:\n\n  gleanner methods\n\n  gleanner methods negative-sampling"


def command(name: Annotated[str | None, typer.Argument(help="A method to explain.")] = None) -> None:
    """List the methods, or explain one and its hyperparameters."""
    from gleanner.methods.load import load, names, summary

    console = out()
    if name is None:
        made = table("method", "what it does", text=("what it does",))
        for each in names():
            row(made, each, summary(each))
        console.print(made)
        return
    method = load(name)
    console.print(heading(name))
    console.print(Text(cleandoc(method.__doc__ or "")), "\n")
    console.print(heading("Hyperparameters"))
    console.print(settings_table(settings(method, "method.")))
    console.print(Text(f"gleanner train --method {name} method.KEY=VALUE ... --train FILE --dev FILE --output FOLDER"))
