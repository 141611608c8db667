"""The losses and samplers that need no method."""

import math

import pytest
import torch

from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, HeadShape
from gleanner.model.units import Targets, Units
from gleanner.training.scores import Scores
from gleanner.training.stage import Progress, cross_entropy, everything

PROGRESS = Progress(step=0, steps_per_epoch=1, epochs=1)


class Table(Head):
    """Scores that are given."""

    unit = "spans"

    def __init__(self, logits):
        super().__init__(HeadShape(1, ("O", "PER"), 1, None))
        self.logits = logits

    def forward(self, words, units, index=None):
        return self.logits if index is None else self.logits[index]


def scores(logits):
    count = len(logits)
    words = WordVectors(torch.zeros(count, 1), torch.zeros(count, 1))
    place = torch.arange(count)
    units = Units(
        torch.zeros(count, dtype=torch.long), place, place, torch.tensor([count]), torch.tensor([count]), place
    )
    return Scores(Table(torch.tensor(logits, requires_grad=True)), words, units)


def targets(label, weight):
    return Targets(torch.tensor(label), torch.ones(len(label), dtype=torch.bool), torch.tensor(weight))


def test_cross_entropy_by_hand():
    # Odds of 1 : 3, 1 : 1 and 4 : 1 for (O, PER).
    found = scores([[0.0, math.log(3)], [0.0, 0.0], [math.log(4), 0.0]])
    wanted = targets([1, 0, 1], [1.0, 0.0, 2.0])
    weights = everything(found, wanted, PROGRESS)
    loss = cross_entropy(found, wanted, weights, PROGRESS)
    assert loss.item() == pytest.approx(1 * -math.log(3 / 4) + 2 * -math.log(1 / 5))
    (gradient,) = torch.autograd.grad(loss, found.head.logits)
    # d/dz of -log p is p - y: of the first unit (1/4, -1/4), of the last (4/5, -4/5) * 2.
    torch.testing.assert_close(gradient, torch.tensor([[1 / 4, -1 / 4], [0.0, 0.0], [8 / 5, -8 / 5]]))


def test_nothing_to_learn_from_is_a_loss_of_nothing():
    found = scores([[0.0, 1.0]])
    loss = cross_entropy(found, targets([1], [0.0]), torch.zeros(1), PROGRESS)
    assert loss.item() == 0.0
    (gradient,) = torch.autograd.grad(loss, found.head.logits)
    assert not gradient.any()


def test_probabilities_have_no_gradient():
    probability = scores([[0.0, math.log(3)]]).probabilities()
    assert probability[0].tolist() == pytest.approx([0.25, 0.75])
    assert not probability.requires_grad


@pytest.mark.parametrize(("step", "epoch"), [(0, 0), (3, 0), (4, 1), (11, 2), (12, 2)])
def test_the_epoch_of_a_step(step, epoch):
    assert Progress(step, steps_per_epoch=4, epochs=3).epoch == epoch
