"""Dropout whose mask costs little on a CPU."""

from __future__ import annotations

import torch
from torch import Tensor, nn

LEVELS = 1 << 16
"""A share is rounded to so many parts: 0.1 is 6554 of them, and the rest is scaled up by just that."""


class Dropout(nn.Dropout):
    """As `nn.Dropout`; on a CPU four elements share one 64-bit random number.

    Torch draws one number for each element there, one after the other, which a small encoder's training step waits for.
    The numbers come from torch's global generator, as its own do.
    """

    def forward(self, values: Tensor) -> Tensor:
        """The values, in training with some of them at 0 and the others scaled up."""
        if not self.training or self.p == 0.0 or values.device.type != "cpu":
            return super().forward(values)
        dropped = round(self.p * LEVELS)
        if dropped >= LEVELS:
            return values * 0.0
        return values * (LEVELS / (LEVELS - dropped)) * kept(values, dropped)


def kept(values: Tensor, dropped: int) -> Tensor:
    """A mask like `values`, with True for each element with probability `1 - dropped / LEVELS`."""
    count = values.numel()
    random = torch.empty(-(-count // 4), dtype=torch.int64).random_(-(1 << 63), None)  # the whole range
    return (random.view(torch.int16)[:count] >= dropped - LEVELS // 2).view(values.shape)


def quicken(model: nn.Module) -> None:
    """Puts `Dropout` in the place of each `nn.Dropout` of a model made elsewhere."""
    for module in model.modules():
        for name, child in module.named_children():
            if type(child) is nn.Dropout:
                setattr(module, name, Dropout(child.p).train(child.training))
