"""`gleanner analyse confidence`: how sure a model is of chosen spans while it learns."""

from __future__ import annotations

from typing import Annotated

import typer

from gleanner.cli.analyse import options
from gleanner.cli.analyse.options import (
    Config,
    Encoder,
    Format,
    Gold,
    Methods,
    Output,
    Overrides,
    Plots,
    Quiet,
    Rate,
    Seeds,
    Train,
)

EXAMPLES = (
    "Examples:\n\n  gleanner analyse confidence --gold train.conll --rate 0.8 --method plain negative-sampling --output figures"
    "\n\n  gleanner analyse confidence --gold gold.jsonl --train silver.jsonl --span 12:0-2 12:5-6 --every 0.5"
)


def command(
    overrides: Overrides = None,
    *,
    gold: Gold,
    rate: Rate = None,
    train: Train = None,
    span: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SENTENCE:START-END...",
            help="Sentences counted from 1, words from 0, END one past the last. Default: some hidden entities are found.",
        ),
    ] = None,
    find: Annotated[int, typer.Option(min=1, help="Hidden entities to find, and as many spans that are none.")] = 3,
    every: Annotated[float, typer.Option(help="Epochs between two looks.")] = 0.25,
    method: Methods = None,
    seed: Seeds = None,
    encoder: Encoder = None,
    config: Config = None,
    format_: Format = None,
    output: Output = None,
    plots: Plots = True,
    quiet: Quiet = False,
) -> None:
    """The probability that chosen spans are entities, while models learn, for several methods side by side."""
    chosen = options.plan(method or ["plain"], seed, encoder, config, overrides)
    data = options.truth(gold, rate, train, chosen[0].seed, format_)
    keep, reporter = options.ready(output, plots=plots, quiet=quiet)

    from gleanner.analyse.confidence import confidence, look_for, parsed

    width = min(run.settings.model.max_width for run in chosen)
    spans = [parsed(text, data) for text in span] if span else look_for(data, find, width, chosen[0].seed)
    options.show(confidence(data, chosen, spans, keep, reporter, every=every), output, plots=plots)
