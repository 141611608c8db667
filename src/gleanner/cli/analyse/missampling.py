"""`gleanner analyse missampling`: how many drawn negatives are hidden entities."""

from __future__ import annotations

from gleanner.cli.analyse import options
from gleanner.cli.analyse.options import (
    Config,
    Dev,
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
    "Examples:\n\n  gleanner analyse missampling --gold train.conll --rate 0.5 --method negative-sampling weighted-sampling"
    " --seed 1 2 3 --output figures"
    "\n\n  gleanner analyse missampling --gold gold.jsonl --train silver.jsonl --dev dev.jsonl --method plain training.epochs=5"
)


def command(
    overrides: Overrides = None,
    *,
    gold: Gold,
    rate: Rate = None,
    train: Train = None,
    dev: Dev = None,
    method: Methods = None,
    seed: Seeds = None,
    encoder: Encoder = None,
    config: Config = None,
    format_: Format = None,
    output: Output = None,
    plots: Plots = True,
    quiet: Quiet = False,
) -> None:
    """By epoch, the share of the negatives that a method trains on which are hidden entities; with --dev beside F1."""
    chosen = options.plan(method or ["negative-sampling"], seed, encoder, config, overrides)
    data = options.truth(gold, rate, train, chosen[0].seed, format_)
    judges = None if dev is None else options.whole(dev, format_)
    keep, reporter = options.ready(output, plots=plots, quiet=quiet)

    from gleanner.analyse.missampling import missampling

    options.show(missampling(data, chosen, keep, reporter, judges), output, plots=plots)
