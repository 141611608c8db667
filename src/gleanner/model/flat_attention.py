"""Attention over a flat lattice (Li et al. 2020): spans that know their distances by heads and by tails.

For span i as query and span j as key, with heads h and tails t (Eq. 4 to 11 of the paper):

    d = (h_i - h_j, h_i - t_j, t_i - h_j, t_i - t_j)
    R_ij = ReLU(W_f [p(d_1); p(d_2); p(d_3); p(d_4)])
    A_ij = (q_i + u) k_j + (q_i + v) W_R R_ij

R depends on the four distances only, and these on the difference of the heads and the two widths. A batch has few of them, so
R is made once for each and never for the pairs: a query is multiplied with all of them, and each pair picks its number.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn


class Lattice(NamedTuple):
    """Where the elements of a batch stand: characters first, then lexicon words, padded."""

    head: Tensor  # rows, elements: first character
    kind: Tensor  # rows, elements: which of `widths`
    mask: Tensor  # rows, elements: False is padding
    widths: Tensor  # kinds: tail - head; that of characters, 0, is the first
    chars: int  # how many of the elements, from the first, are characters


class Relations(nn.Module):
    """R of all combinations of distances and widths that a batch may have."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size
        self.fusion = nn.Linear(4 * size, size)

    def forward(self, lattice: Lattice, queries: int) -> Tensor:
        """R for the first `queries` kinds as queries: (queries, distances * kinds, size); see `codes`."""
        widths, reach = lattice.widths, 2 * (lattice.chars - 1)
        encoded = sinusoids(torch.arange(-reach, reach + 1, device=widths.device), self.size)
        encoded = encoded.to(self.fusion.weight.dtype)
        # W_f [a; b; c; d] is a sum of four products, each taken once for every distance.
        parts = [encoded @ weight.T for weight in self.fusion.weight.chunk(4, dim=1)]  # each: distances, size
        distance = torch.arange(1 - lattice.chars, lattice.chars, device=widths.device)[None, :, None]  # h_i - h_j
        own, other = widths[:queries, None, None], widths[None, None, :]
        four = (
            distance + 0 * own + 0 * other,
            distance + 0 * own - other,
            distance + own + 0 * other,
            distance + own - other,
        )
        fused = sum(part[index + reach] for part, index in zip(parts, four, strict=True)) + self.fusion.bias
        return torch.relu(fused).flatten(1, 2)


def codes(lattice: Lattice, queries: int) -> Tensor:
    """For each pair the number of its relation among those of the query's kind: (rows, queries, elements)."""
    distance = lattice.head[:, :queries, None] - lattice.head[:, None, :] + lattice.chars - 1
    found: Tensor = distance * len(lattice.widths) + lattice.kind[:, None, :]
    return found


def sinusoids(positions: Tensor, size: int) -> Tensor:
    """Sines and cosines of the positions in half of the columns each: (positions, size)."""
    half = (size + 1) // 2
    steps = torch.arange(half, device=positions.device, dtype=torch.float32)
    angles = positions[:, None] * torch.exp(steps * (-9.210340371976184 / max(half - 1, 1)))  # log 10,000
    return torch.cat((angles.sin(), angles.cos()), dim=1)[:, :size]


class LatticeAttention(nn.Module):
    """A, its softmax over the elements, and the weighted values. Not divided by the width's root, as in the released code."""

    def __init__(self, heads: int, head_size: int) -> None:
        super().__init__()
        size = heads * head_size
        self.heads, self.head_size = heads, head_size
        self.query, self.key, self.value = (nn.Linear(size, size) for _ in range(3))
        self.relation = nn.Linear(size, size, bias=False)  # a bias would be the same for all keys
        self.u, self.v = (nn.Parameter(torch.empty(heads, head_size)) for _ in range(2))
        for matrix in (self.query.weight, self.key.weight, self.value.weight, self.relation.weight, self.u, self.v):
            nn.init.xavier_uniform_(matrix)

    def forward(self, states: Tensor, relations: Tensor, code: Tensor, lattice: Lattice) -> Tensor:
        """New vectors of the first elements, as many as `code` has queries: (rows, queries, size)."""
        queries = code.shape[1]
        query = self._parted(self.query(states[:, :queries]))  # rows, queries, heads, head size
        key, value = self._parted(self.key(states)), self._parted(self.value(states))
        content = torch.einsum("bqhd,bkhd->bqhk", query + self.u, key)
        weight = self.relation.weight.view(self.heads, self.head_size, -1)
        turned = torch.einsum("bqhd,hds->bqhs", query + self.v, weight)  # W_R goes to the query: fewer than the pairs
        scores = content + self._relative(turned, relations, code, lattice.kind[:, :queries])
        scores = scores.masked_fill(~lattice.mask[:, None, None, :], torch.finfo(scores.dtype).min)
        mixed = torch.einsum("bqhk,bkhd->bqhd", scores.softmax(dim=3).to(value.dtype), value)
        return mixed.flatten(2)

    def _parted(self, states: Tensor) -> Tensor:
        return states.view(*states.shape[:-1], self.heads, self.head_size)

    def _relative(self, turned: Tensor, relations: Tensor, code: Tensor, kind: Tensor) -> Tensor:
        """The second term of A: (rows, queries, heads, elements)."""
        found = turned.new_empty(*turned.shape[:3], code.shape[2])
        for number, relation in enumerate(relations):  # characters alone have one kind
            chosen = kind == number
            scores = turned[chosen] @ relation.to(turned.dtype).T  # queries of that kind, heads, relations
            picked = scores.gather(2, code[chosen][:, None, :].expand(-1, self.heads, -1))
            found[chosen] = picked.to(found.dtype)
        return found


class LatticeLayer(nn.Module):
    """Attention and a feed-forward layer, each with a residual and a norm behind it."""

    def __init__(self, heads: int, head_size: int, feed_forward: int, dropout: float) -> None:
        super().__init__()
        size = heads * head_size
        self.attention = LatticeAttention(heads, head_size)
        self.inner, self.outer = nn.Linear(size, feed_forward), nn.Linear(feed_forward, size)
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, relations: Tensor, code: Tensor, lattice: Lattice) -> Tensor:
        """The first elements' new states: (rows, queries, size)."""
        mixed = self.attention(states, relations, code, lattice)
        states = self.norms[0](states[:, : code.shape[1]] + self.dropout(mixed))
        found: Tensor = self.norms[1](states + self.dropout(self.outer(self.dropout(torch.relu(self.inner(states))))))
        return found
