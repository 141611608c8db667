"""`gleanner methods`: what there is to train with."""

from __future__ import annotations

from inspect import cleandoc
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from gleanner.cli.fields import parts, settings, settings_table
from gleanner.cli.render import heading, out, row, table
from gleanner.named import Named

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
    for field, named in parts(method).items():
        console.print(heading(f"method.{field}.name"))
        console.print(parts_table(named, f"method.{field}."))
    console.print(Text(f"gleanner train --method {name} method.KEY=VALUE ... --train FILE --dev FILE --output FOLDER"))


def parts_table(named: Named[Any], prefix: str) -> Table:
    """What a part of a method may be: a row for each, and one for each of its settings."""
    made = table(named.kind, "setting", "type", "default", "meaning", text=("setting", "type", "default", "meaning"))
    for name in named.names():
        row(made, name, "", "", "", named.summary(name))
        for setting in settings(named.load(name), prefix):
            row(made, "", *setting)
    return made
