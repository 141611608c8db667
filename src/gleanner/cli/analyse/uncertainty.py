"""`gleanner analyse uncertainty`: which negatives teach most."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gleanner.cli.analyse import options
from gleanner.cli.analyse.options import (
    Config,
    Dev,
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
    "Examples:\n\n  gleanner analyse uncertainty --gold train.conll --rate 0.5 --dev dev.conll --test test.conll"
    " --seed 1 2 3 --output figures method.rate=0.35"
)


def command(
    overrides: Overrides = None,
    *,
    gold: Gold,
    test: Annotated[Path, typer.Option(metavar="FILE", help="Completely annotated sentences that give the scores.")],
    rate: Rate = None,
    train: Train = None,
    dev: Dev = None,
    seed: Seeds = None,
    encoder: Encoder = None,
    config: Config = None,
    format_: Format = None,
    output: Output = None,
    plots: Plots = True,
    quiet: Quiet = False,
) -> None:
    """F1 after training on the most, middling or least uncertain negatives, hidden entities left out."""
    chosen = options.plan(["negative-sampling"], seed, encoder, config, overrides)
    data = options.truth(gold, rate, train, chosen[0].seed, format_)
    judges = None if dev is None else list(options.whole(dev, format_))
    last = list(options.whole(test, format_))
    keep, reporter = options.ready(output, plots=plots, quiet=quiet)

    from gleanner.analyse.uncertainty import uncertainty

    options.show(uncertainty(data, chosen, keep, reporter, test=last, dev=judges), output, plots=plots)
