"""The loss of ordinary training, against numbers worked out by hand."""

import math

import pytest
import torch

from gleanner.training.losses.cross_entropy import CrossEntropy
from gleanner.training.stage import Progress

PROGRESS = Progress(step=0, steps_per_epoch=1, epochs=1)


def test_by_hand(scores, targets):
    # Odds of 1 : 3, 1 : 1 and 4 : 1 for (O, PER).
    found = scores([[0.0, math.log(3)], [0.0, 0.0], [math.log(4), 0.0]])
    wanted = targets([1, 0, 1], [1.0, 0.0, 2.0])
    loss = CrossEntropy()(found, wanted, wanted.weight, PROGRESS)
    assert loss.item() == pytest.approx(1 * -math.log(3 / 4) + 2 * -math.log(1 / 5))
    (gradient,) = torch.autograd.grad(loss, found.head.logits)
    # d/dz of -log p is p - y: of the first unit (1/4, -1/4), of the last (4/5, -4/5) * 2.
    torch.testing.assert_close(gradient, torch.tensor([[1 / 4, -1 / 4], [0.0, 0.0], [8 / 5, -8 / 5]]))


def test_nothing_to_learn_from_is_a_loss_of_nothing(scores, targets):
    found = scores([[0.0, 1.0]])
    loss = CrossEntropy()(found, targets([1], [0.0]), torch.zeros(1), PROGRESS)
    assert loss.item() == 0.0
    (gradient,) = torch.autograd.grad(loss, found.head.logits)
    assert not gradient.any()
