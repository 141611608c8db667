"""The angle-based classifier (Zhang and Liu 2014): k classes are told apart by k - 1 numbers, and the scores sum to zero."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from gleanner.model.heads.linear import Linear


def vertices(classes: int) -> Tensor:
    """The corners of a regular simplex around the origin, a row a class: (classes, classes - 1), in double precision.

    `W_1 = (k-1)^(-1/2) 1` and `W_j = -(1 + sqrt(k)) / (k-1)^(3/2) 1 + sqrt(k / (k-1)) e_(j-1)` for k classes. All have length
    1, and the cosine of any two is -1 / (k-1).

    >>> vertices(3) @ vertices(3).T
    tensor([[ 1.0000, -0.5000, -0.5000],
            [-0.5000,  1.0000, -0.5000],
            [-0.5000, -0.5000,  1.0000]], dtype=torch.float64)
    """
    others = classes - 1
    corners = torch.full((classes, others), others**-0.5, dtype=torch.float64)
    corners[1:] = -(1 + math.sqrt(classes)) / others**1.5
    corners[1:] += math.sqrt(classes / others) * torch.eye(others, dtype=torch.float64)
    return corners


class Simplex(nn.Module):
    """`f = A h + b` of one dimension less than there are classes; a class's score is `f . W_j`."""

    corners: Tensor

    def __init__(self, size: int, classes: int) -> None:
        super().__init__()
        self.output = nn.Linear(size, classes - 1)
        self.register_buffer("corners", vertices(classes).float(), persistent=False)  # classes, classes - 1

    def forward(self, vectors: Tensor) -> Tensor:
        """(units, classes)."""
        output: Tensor = self.output(vectors)
        # Not in bf16, in which the scores of a word would no longer sum to zero.
        with torch.autocast(output.device.type, enabled=False):
            return output.to(torch.promote_types(output.dtype, torch.float32)) @ self.corners.T


class Angle(Linear):
    """`f . W_j`: the scores of a word always sum to zero, so that those of different words can be compared."""

    layer = Simplex
