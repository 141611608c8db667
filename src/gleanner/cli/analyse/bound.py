"""`gleanner analyse bound`: Theorem 1 beside what happens."""

from __future__ import annotations

from typing import Annotated

import typer

from gleanner.cli.analyse import options
from gleanner.cli.analyse.options import Format, Gold, Least, Output, Plots, Rate, Train

EXAMPLES = "Examples:\n\n  gleanner analyse bound --gold train.conll --rate 0.5 --output figures"


def command(
    gold: Gold,
    rate: Rate = None,
    train: Train = None,
    negatives: Annotated[
        float, typer.Option("--lambda", min=0.001, help="Drawn negatives for each word of a sentence.")
    ] = 0.35,
    draws: Annotated[int, typer.Option(min=1, help="How often is drawn from each sentence.")] = 50,
    max_width: Annotated[
        int | None,
        typer.Option(min=1, help="The longest span that is drawn, in words; else any, as the theorem has it."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the hiding and the drawing.")] = 0,
    least: Least = 20,
    format_: Format = None,
    output: Output = None,
    plots: Plots = True,
) -> None:
    """How probably negative sampling draws no hidden entity of a sentence: lower bound, exact and observed, by length."""
    options.check(output, plots=plots)
    data = options.truth(gold, rate, train, seed, format_)

    from gleanner.analyse.bound import bound

    found = bound(data, negatives, draws=draws, max_width=max_width, seed=seed, least=least)
    options.show(found, output, plots=plots)
