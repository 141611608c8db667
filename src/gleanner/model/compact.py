"""Embedding rows that cannot change are not carried through training.

A corpus uses a few thousand of an encoder's fifty thousand pieces, and of a lexicon's seven hundred thousand words. The rows
of the others get no gradient, yet a plain embedding fills and reads a gradient and two Adam moments for each of them at every
step. With no weight decay on embeddings, leaving them out changes nothing: the weights come out the same, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import embedding

from gleanner.model.vocabulary import Longs


class CompactEmbedding(nn.Module):
    """Some rows of an embedding, addressed by their numbers in the whole."""

    place: Tensor

    def __init__(self, whole: nn.Embedding, used: Tensor) -> None:
        super().__init__()
        self.weight = nn.Parameter(whole.weight.detach()[used].clone())  # used, size
        place = torch.full((whole.num_embeddings,), -1, device=used.device)
        place[used] = torch.arange(len(used), device=used.device)
        self.register_buffer("place", place, persistent=False)  # pieces of the whole; -1: not among the rows
        pad = whole.padding_idx
        self.padding_idx = int(place[pad]) if pad is not None and place[pad] >= 0 else None

    def forward(self, ids: Tensor) -> Tensor:
        """As `nn.Embedding`; a piece that is not among the rows fails as an index out of range."""
        return embedding(self.place[ids], self.weight, self.padding_idx)


@contextmanager
def compact(encoder: nn.Module, needed: Sequence[Mapping[str, Longs]]) -> Iterator[None]:
    """Within, the named embeddings have only the rows that are needed; afterwards all of them, the needed ones trained."""
    wholes: dict[str, tuple[nn.Embedding, Tensor]] = {}
    for name in needed[0]:
        whole = cast("nn.Embedding", encoder.get_submodule(name))
        numbers = torch.from_numpy(np.unique(np.concatenate([rows[name] for rows in needed])))
        wholes[name] = whole, numbers.to(whole.weight.device)
        encoder.set_submodule(name, CompactEmbedding(*wholes[name]))
    try:
        yield
    finally:
        with torch.no_grad():
            for name, (whole, numbers) in wholes.items():
                small = cast("CompactEmbedding", encoder.get_submodule(name))
                whole.weight[numbers] = small.weight.detach().to(whole.weight.device)
                encoder.set_submodule(name, whole)
