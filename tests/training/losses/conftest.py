"""Scores that are given, for losses that are looked at alone."""

import pytest
import torch

from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, HeadShape
from gleanner.model.units import Targets, Units
from gleanner.training.scores import Scores


class Table(Head):
    """Scores that are given."""

    unit = "spans"

    def __init__(self, logits):
        super().__init__(HeadShape(1, ("O", "PER"), 1, None))
        self.logits = logits

    def forward(self, words, units, index=None):
        return self.logits if index is None else self.logits[index]


@pytest.fixture
def scores():
    """scores([[0.0, 1.0]]) are those of one unit."""

    def scores(logits):
        count = len(logits)
        words = WordVectors(torch.zeros(count, 1), torch.zeros(count, 1))
        place = torch.arange(count)
        units = Units(
            torch.zeros(count, dtype=torch.long), place, place, torch.tensor([count]), torch.tensor([count]), place
        )
        return Scores(Table(torch.tensor(logits, requires_grad=True)), words, units)

    return scores


@pytest.fixture
def targets():
    """targets(labels, weights); everything is known where nothing else is said."""

    def targets(label, weight, known=None):
        known = torch.ones(len(label)) if known is None else torch.tensor(known)
        return Targets(torch.tensor(label), known.bool(), torch.tensor(weight))

    return targets
