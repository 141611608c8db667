"""Dropout whose masks cost little on a CPU."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import dropout
from torch.overrides import TorchFunctionMode

LEVELS = 1 << 16
"""A share is rounded to so many parts: 0.1 is 6554 of them, and the rest is scaled up by just that."""


def quick_dropout(device: torch.device) -> AbstractContextManager[Any]:
    """Within it, dropout anywhere on a CPU draws one 64-bit random number for four elements.

    Torch draws one number for each element there, one after the other, which a small encoder's training step waits for. The
    numbers come from torch's global generator, as its own do.
    """
    return _Quick() if device.type == "cpu" else nullcontext()


class _Quick(TorchFunctionMode):
    """Takes the place of torch's function, so that modules and attentions written elsewhere have it, too."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        if func is dropout:
            func = _dropout
        return func(*args, **(kwargs or {}))


def _dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:  # noqa: A002
    """As `torch.nn.functional.dropout`, with its arguments."""
    dropped = round(p * LEVELS)
    if not training or inplace or not 0 < dropped < LEVELS or input.device.type != "cpu":
        return dropout(input, p, training, inplace)
    # The scale goes into the mask, and the mask has the input's type: forward and backward are one plain product each.
    return input * (_kept(input, dropped).to(input.dtype) * (LEVELS / (LEVELS - dropped)))


def _kept(values: Tensor, dropped: int) -> Tensor:
    """A mask like `values`, with True for each element with probability `1 - dropped / LEVELS`."""
    count = values.numel()
    random = torch.empty(-(-count // 4), dtype=torch.int64).random_(-(1 << 63), None)  # the whole range
    return (random.view(torch.int16)[:count] >= dropped - LEVELS // 2).view(values.shape)
