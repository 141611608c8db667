"""Units without a model, for samplers that are looked at alone."""

import pytest
import torch
from torch import nn

from gleanner.model.encoder import WordVectors
from gleanner.model.units import Targets, Units
from gleanner.training.scores import Scores


class Table(nn.Module):
    """A head whose probabilities are given, and which remembers whom it was asked for."""

    def __init__(self, probabilities):
        super().__init__()
        self.register_buffer("logits", probabilities.log())
        self.asked = []
        self.modes = []

    def forward(self, words, units, index=None):
        self.asked.append(list(range(len(self.logits))) if index is None else index.tolist())
        self.modes.append(self.training)
        return self.logits if index is None else self.logits[index]


@pytest.fixture
def units_of():
    """Scores and targets of sentences of `owned` words with `per_row` units each; everything is silence."""

    def units_of(owned, per_row, probabilities=None, head=None):
        row = torch.repeat_interleave(torch.arange(len(owned)), torch.tensor(per_row))
        count = len(row)
        if probabilities is None:
            probabilities = torch.full((count, 2), 0.5)
        place = torch.zeros(count, dtype=torch.long)
        words = WordVectors(torch.zeros(1, 1), torch.zeros(1, 1))
        scores = Scores(
            head or Table(probabilities),
            words,
            Units(row, place, place, torch.tensor(owned), torch.tensor(owned), torch.arange(count)),
        )
        return scores, Targets(place, torch.zeros(count, dtype=torch.bool), torch.ones(count))

    return units_of
