"""Services that record runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gleanner.errors import InputError

TRACKERS = ("tensorboard", "mlflow", "wandb", "trackio")


def check(names: Sequence[str], output: str | Path | None) -> None:
    """Whether they can be used, before anything starts."""
    for name in names:
        if name not in TRACKERS:
            raise InputError(f"no tracker is called {name!r}", remedy=f"choose one of: {', '.join(TRACKERS)}")
        if name == "tensorboard" and output is None:
            raise InputError("tensorboard writes into the output folder, and there is none", remedy="name an output")
        try:
            __import__("torch.utils.tensorboard" if name == "tensorboard" else name)
        except ImportError as error:
            raise InputError(
                f"the tracker {name!r} is not installed", remedy=f"pip install 'gleanner[{name}]'"
            ) from error


def numbers(entry: dict[str, Any]) -> dict[str, int | float]:
    """What of an evaluation can be drawn as a curve."""
    return {name: value for name, value in entry.items() if isinstance(value, int | float)}
