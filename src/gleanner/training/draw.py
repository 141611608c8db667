"""Drawing without replacement, row by row, for a whole batch at once."""

from __future__ import annotations

from fractions import Fraction

import torch
from torch import Tensor

from gleanner.model.units import Targets, Units


def known_and_drawn(keys: Tensor, rate: float, units: Units, targets: Targets) -> Tensor:
    """A sampler's weights: what is annotated, and of each sentence's other units the `ceil(rate * n)` of the highest keys."""
    candidate = ~targets.known & (targets.weight > 0)
    drawn = highest(keys, units.row, candidate, quota(rate, units.owned))
    return targets.weight * (targets.known | drawn)


def known_and_share(keys: Tensor, share: float, targets: Targets) -> Tensor:
    """A sampler's weights: what is annotated, and of the batch's N other units the `ceil(share * N)` of the highest keys."""
    candidate = ~targets.known & (targets.weight > 0)
    batch = torch.zeros_like(targets.label)  # all of it is one row
    drawn = highest(keys, batch, candidate, quota(share, candidate.sum()[None]))
    return targets.weight * (targets.known | drawn)


def quota(rate: float, words: Tensor) -> Tensor:
    """`ceil(rate * words)` of the rate as it is written, in whole numbers: as floating point 0.07 * 100 is more than 7.

    >>> quota(0.07, torch.tensor([100, 101]))
    tensor([7, 8])
    """
    exact = Fraction(rate).limit_denominator(1_000_000_000)
    return -(-words * exact.numerator // exact.denominator)


def highest(keys: Tensor, rows: Tensor, candidate: Tensor, count: Tensor) -> Tensor:
    """In each row the `count` candidates with the highest keys: a mask over units. A row with fewer gives all it has.

    Random keys make this a draw without replacement: uniform keys a uniform draw, log weights plus Gumbel noise a draw in
    proportion to the weights (Gumbel top-k, Kool et al. 2019).

    >>> highest(torch.tensor([.1, .9, .5, .7]), torch.tensor([0, 0, 0, 1]), torch.ones(4, dtype=torch.bool),
    ...         torch.tensor([2, 5]))
    tensor([False,  True,  True,  True])
    """
    some = candidate.nonzero().squeeze(1)
    order = some[torch.argsort(keys[some], descending=True, stable=True)]
    order = order[torch.argsort(rows[order], stable=True)]  # by row, then by key
    row = rows[order]
    per_row = torch.bincount(row, minlength=len(count))
    rank = torch.arange(len(order), device=keys.device) - (torch.cumsum(per_row, 0) - per_row)[row]
    drawn = torch.zeros_like(candidate)
    drawn[order[rank < count[row]]] = True
    return drawn


def different(sizes: Tensor, count: Tensor) -> Tensor:
    """For each row `count` different numbers below its size, drawn uniformly; of a row with fewer, all.

    The numbers of all rows stand on one line: those of a row begin at the sum of the sizes before it. Time and memory grow
    with what is drawn, not with the sizes.

    >>> different(torch.tensor([2, 0, 3]), torch.tensor([2, 1, 5]))
    tensor([0, 1, 2, 3, 4])
    """
    begin = torch.cumsum(sizes, 0) - sizes
    count = torch.minimum(count, sizes)
    # Where half of a row's numbers are wanted, all of them get keys, which are at most twice as many.
    dense = (2 * count >= sizes).nonzero().squeeze(1)
    row = torch.repeat_interleave(torch.arange(len(dense)), sizes[dense])
    first = torch.cumsum(sizes[dense], 0) - sizes[dense]
    number = begin[dense][row] + torch.arange(len(row)) - first[row]
    keys = torch.rand(len(row), dtype=torch.float64)
    parts = [number[highest(keys, row, torch.ones(len(row), dtype=torch.bool), count[dense])]]
    # Elsewhere each number is new with a chance of at least one half: they are drawn until there are enough.
    rows = (2 * count < sizes).nonzero().squeeze(1)
    missing, drawn = count[rows], number[:0]
    while len(rows):
        row = torch.repeat_interleave(rows, missing)
        more = begin[row] + (torch.rand(len(row), dtype=torch.float64) * sizes[row]).long()
        drawn = torch.unique(torch.cat((drawn, more)))
        own = torch.searchsorted(begin[rows], drawn, right=True) - 1
        missing = count[rows] - torch.bincount(own, minlength=len(rows))
        full = missing == 0
        parts.append(drawn[full[own]])
        rows, missing, drawn = rows[~full], missing[~full], drawn[~full[own]]
    return torch.cat(parts).sort().values


def gumbel(like: Tensor) -> Tensor:
    """Standard Gumbel noise in double precision, so that small weights are not rounded away."""
    noise = torch.empty(like.shape, dtype=torch.float64, device=like.device).exponential_()
    return -noise.log()
