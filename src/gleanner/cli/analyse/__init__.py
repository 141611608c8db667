"""`gleanner analyse`: why a method does what it does, as tables and figures. Each analysis is a module beside."""

from __future__ import annotations

import typer

from gleanner.cli.analyse import bound, confidence, missampling, o_values, sparsity, uncertainty
from gleanner.cli.several import SeveralCommand

EXAMPLES = (
    "Examples:\n\n  gleanner analyse sparsity train.conll --output figures"
    "\n\n  gleanner analyse missampling --gold train.conll --rate 0.5 --method plain weighted-sampling --output figures"
)

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode="rich", help="Look into a corpus or a method: tables and figures."
)
for _module, _name in (
    (missampling, "missampling"),
    (uncertainty, "uncertainty"),
    (sparsity, "sparsity"),
    (bound, "bound"),
    (o_values, "o-values"),
    (confidence, "confidence"),
):
    app.command(_name, cls=SeveralCommand, epilog=_module.EXAMPLES)(_module.command)
