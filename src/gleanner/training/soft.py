"""Soft targets: a distribution taken apart into "entity or not" and "of which type", and the divergence from one to another."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Parts(NamedTuple):
    """The log-probabilities of two questions whose product is the whole distribution."""

    binary: Tensor  # units, 2: no entity, entity
    types: Tensor  # units, classes - 1: which, if an entity


def parts(log_probabilities: Tensor) -> Parts:
    """Of (units, classes), O first. In the log domain throughout, so that a sure O leaves the types' distribution whole.

    >>> found = parts(torch.tensor([[0.2, 0.6, 0.2]]).log())
    >>> found.binary.exp(), found.types.exp()
    (tensor([[0.2000, 0.8000]]), tensor([[0.7500, 0.2500]]))
    """
    entity = torch.logsumexp(log_probabilities[:, 1:], dim=1, keepdim=True)  # units, 1
    return Parts(torch.cat((log_probabilities[:, :1], entity), dim=1), log_probabilities[:, 1:] - entity)


def divergence(target: Tensor, log_probabilities: Tensor) -> Tensor:
    """`KL(target || p)` of each unit; `0 log 0` is 0, and a row of zeros counts nothing: (units,).

    >>> divergence(torch.tensor([[1.0, 0.0], [0.0, 0.0]]), torch.tensor([[0.5, 0.5], [0.5, 0.5]]).log())
    tensor([0.6931, 0.0000])
    """
    return (torch.xlogy(target, target) - target * log_probabilities).sum(dim=1)
