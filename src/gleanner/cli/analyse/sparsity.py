"""`gleanner analyse sparsity`: how many entities sentences have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gleanner.cli.analyse import options
from gleanner.cli.analyse.options import Format, Least, Output, Plots
from gleanner.data.files import corpus

EXAMPLES = "Examples:\n\n  gleanner analyse sparsity train.conll --output figures"


def command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Completely annotated files.")],
    least: Least = 20,
    format_: Format = None,
    output: Output = None,
    plots: Plots = True,
) -> None:
    """The mean number of entities by sentence length, against the square root of the length."""
    options.check(output, plots=plots)

    from gleanner.analyse.sparsity import sparsity

    options.show(sparsity(corpus(files, format_), least), output, plots=plots)
