"""The yardstick: an encoder with the least that training or prediction can be, on batches made beforehand."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_

from gleanner.model.dropout import quick_dropout
from gleanner.model.feed import Batch
from gleanner.model.precision import autocast
from gleanner.model.transformer import Transformer

CPU = torch.device("cpu")
IGNORED = -100


class BareTokenModel(nn.Module):
    """A linear layer over every piece of a Hugging Face encoder."""

    def __init__(self, encoder: nn.Module, size: int, classes: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.dropout = nn.Dropout(0.1)
        self.scorer = nn.Linear(size, classes)

    def forward(self, ids: Tensor, mask: Tensor, labels: Tensor) -> Tensor:
        """The loss."""
        states = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        scores = self.scorer(self.dropout(states))  # rows, pieces, classes
        return cross_entropy(scores.flatten(0, 1).float(), labels.flatten(), ignore_index=IGNORED)


class BareStep:
    """Forward, backward, clipping and optimiser of the bare token model."""

    def __init__(self, encoder: Transformer, classes: int) -> None:
        self.model = BareTokenModel(encoder.model, encoder.size, classes).train()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=5e-5, fused=True)

    def __call__(self, ids: Tensor, mask: Tensor, labels: Tensor) -> None:
        """One step."""
        with autocast("auto", CPU), quick_dropout(CPU):
            loss = self.model(ids, mask, labels)
        loss.backward()
        clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)


def labelled_pieces(batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """A batch of token units as piece numbers, mask, and a label on the first piece of each word: (rows, pieces)."""
    ids, mask = batch.inputs["ids"], batch.inputs["mask"]
    labels = torch.full_like(ids, IGNORED)
    labels.view(-1)[batch.inputs["first"]] = batch.targets.label
    return ids, mask, labels


@torch.inference_mode()
def bare_forward(encoder: Transformer, batches: Sequence[tuple[Tensor, Tensor]]) -> None:
    """The encoder's states and nothing else."""
    with autocast("auto", CPU):
        for ids, mask in batches:
            encoder.model(input_ids=ids, attention_mask=mask)
