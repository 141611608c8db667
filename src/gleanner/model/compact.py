"""Embedding rows that cannot change are not carried through training.

A corpus uses a few thousand of an encoder's fifty thousand pieces. The rows of the others get no gradient, yet a plain
embedding fills and reads a gradient and two Adam moments for each of them at every step. With
no weight decay on embeddings, leaving them out changes nothing: the weights come out the same, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.functional import embedding
from transformers import PreTrainedModel

from gleanner.model.vocabulary import Ragged


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
def compact(model: PreTrainedModel, tables: Sequence[Ragged], special: Sequence[int]) -> Iterator[None]:
    """Within, the model has only the embedding rows that these tables need; afterwards all of them, the used ones trained."""
    whole = model.get_input_embeddings()
    if not isinstance(whole, nn.Embedding):  # an embedding of some other kind: leave it
        yield
        return
    values = [torch.from_numpy(table.values).long() for table in tables]
    used = torch.unique(torch.cat([torch.tensor(list(special)), *values])).to(whole.weight.device)
    small = CompactEmbedding(whole, used)
    model.set_input_embeddings(small)
    try:
        yield
    finally:
        with torch.no_grad():
            whole.weight[used] = small.weight.detach().to(whole.weight.device)
        model.set_input_embeddings(whole)
