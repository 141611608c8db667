"""`gleanner analyse o-values`: when hidden entities look like O to a model."""

from __future__ import annotations

from typing import Annotated

import typer

from gleanner.cli.analyse import options
from gleanner.cli.analyse.options import (
    Config,
    Encoder,
    Format,
    Gold,
    Output,
    Overrides,
    Plots,
    Quiet,
    Rate,
    Seeds,
    Train,
)

EXAMPLES = (
    "Examples:\n\n  gleanner analyse o-values --gold train.conll --rate 0.5 --head linear crf --output figures"
    " training.epochs=30"
)


def command(
    overrides: Overrides = None,
    *,
    gold: Gold,
    rate: Rate = None,
    train: Train = None,
    head: Annotated[list[str] | None, typer.Option(metavar="NAME...", help="Token heads. Default: linear.")] = None,
    share: Annotated[
        list[float] | None,
        typer.Option(
            "--lambda", metavar="SHARE...", help="Shares of the words labelled O to mark. Default: 0.1 / 2^5 to 0.1."
        ),
    ] = None,
    after: Annotated[int, typer.Option(min=1, help="The epoch of the table and the figure of detection.")] = 2,
    seed: Seeds = None,
    encoder: Encoder = None,
    config: Config = None,
    format_: Format = None,
    output: Output = None,
    plots: Plots = True,
    quiet: Quiet = False,
) -> None:
    """By epoch of ordinary training, the scores for O of hidden entities and of true negatives, and how well they part them."""
    from gleanner.analyse.o_values import SHARES, o_values, of_heads

    chosen = of_heads(options.plan(["plain"], seed, encoder, config, overrides), head or ["linear"])
    data = options.truth(gold, rate, train, chosen[0].seed, format_)
    keep, reporter = options.ready(output, plots=plots, quiet=quiet)
    options.show(o_values(data, chosen, keep, reporter, shares=share or SHARES, after=after), output, plots=plots)
