"""Spans of certain words only, drawn uniformly in all sentences of a corpus at once."""

from __future__ import annotations

import torch
from torch import Tensor

from gleanner.training.draw import different


def draw_spans(free: Tensor, row: Tensor, count: Tensor) -> tuple[Tensor, Tensor]:
    """In each row `count` different spans made of free words only (or all there are): first words, and one past the last.

    `free` and `row` have an entry for each word; a row's words stand together. Every such span of a row is equally likely,
    whatever its length. The spans are numbered run by run, and only those drawn are ever looked at.
    """
    begins = free.clone()
    begins[1:] &= ~free[:-1] | (row[1:] != row[:-1])
    begin = begins.nonzero().squeeze(1)  # runs of free words
    length = torch.bincount(torch.cumsum(begins, 0)[free] - 1, minlength=len(begin))
    spans = length * (length + 1) // 2
    in_row = torch.zeros_like(count).index_add(0, row[begin], spans)  # rows: how many spans there are
    number = different(in_row, count)
    run = torch.searchsorted(torch.cumsum(spans, 0), number, right=True)
    number = number - (torch.cumsum(spans, 0) - spans)[run]
    # Those that end at a run's word b are numbered from b (b + 1) / 2. The root of a square is exact.
    last = ((torch.sqrt(8.0 * number.double() + 1) - 1) / 2).long()
    first = number - last * (last + 1) // 2
    return begin[run] + first, begin[run] + last + 1


def apart(start: Tensor, end: Tensor) -> Tensor:
    """A mask of spans that do not overlap: in random order, a span is taken unless it overlaps one that is taken already."""
    rank = torch.randperm(len(start))
    length = end - start
    which = torch.repeat_interleave(torch.arange(len(start)), length)  # words of all spans
    word = torch.arange(len(which)) + (start - torch.cumsum(length, 0) + length)[which]
    words = int(end.max()) if len(end) else 0
    taken, undecided = torch.zeros(len(start), dtype=torch.bool), torch.ones(len(start), dtype=torch.bool)
    while undecided.any():
        inside = undecided[which]
        # A span is taken if it comes before all that are undecided and overlap it; every round takes some of each group.
        earliest = torch.full((words,), len(start)).scatter_reduce(0, word[inside], rank[which[inside]], "amin")
        before = rank.scatter_reduce(0, which[inside], earliest[word[inside]], "amin")
        won = undecided & (before == rank)
        taken |= won
        covered = torch.zeros(words, dtype=torch.bool)
        covered[word[won[which]]] = True
        undecided = undecided.index_put((which[covered[word]],), torch.tensor(False))
    return taken
