"""Options that take several values, as in `--train a.jsonl b.jsonl`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from typer.core import TyperCommand


class SeveralCommand(TyperCommand):
    """Takes several values after one option, wherever the option may be repeated."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """As always, after `spread`."""
        several = [name for option in self.params if getattr(option, "multiple", False) for name in option.opts]
        return super().parse_args(ctx, spread(args, several))


def spread(args: Sequence[str], several: Collection[str]) -> list[str]:
    """Every value that follows one of these options gets an option of its own, up to the next option or override.

    >>> spread(["--train", "a.jsonl", "b.jsonl", "training.epochs=3"], ["--train"])
    ['--train', 'a.jsonl', '--train', 'b.jsonl', 'training.epochs=3']
    """
    found: list[str] = []
    option, given = "", False
    for arg in args:
        if arg.startswith("-"):
            name, equals, _ = arg.partition("=")
            option, given = (name if name in several else ""), bool(equals)
        elif option and given and "=" in arg:
            option = ""
        elif option and given:
            found.append(option)
        else:
            given = True
        found.append(arg)
    return found
