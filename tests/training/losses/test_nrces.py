"""NRCES against numbers worked out by hand, its gradient against finite differences."""

import math

import pytest
import torch

from gleanner.training.losses.nrces import Nrces
from gleanner.training.stage import Progress

# Odds of 3 : 1 and 1 : 4 for (O, PER): an entity, silence that looks like silence, silence that looks like an entity.
LOGITS = [[math.log(3), 0.0], [math.log(3), 0.0], [0.0, math.log(4)]]
LABELS, KNOWN = [1, 0, 0], [True, False, False]
CE = (math.log(4), math.log(4 / 3), math.log(5))
S = (1 / 2, 1 / 4, 1 / 2)  # 1 - sigmoid(z) of the label's score: z = 0, log 3, 0; sigmoid(log 3) = 3 / 4


def progress(epoch):
    return Progress(step=10 * epoch + 9, steps_per_epoch=10, epochs=20)


def robust(unit, epoch, w):
    beta = math.exp(-epoch / w)
    return beta * CE[unit] + (1 - beta) * S[unit]


@pytest.mark.parametrize("w", [2.0, 5.0, 10.0])
@pytest.mark.parametrize("epoch", [0, 1, 7])
def test_by_hand(scores, targets, w, epoch):
    found = scores(LOGITS)
    wanted = targets(LABELS, [1.0, 1.0, 2.0], KNOWN)
    loss = Nrces(w)(found, wanted, wanted.weight, progress(epoch))
    assert loss.item() == pytest.approx(CE[0] + robust(1, epoch, w) + 2 * robust(2, epoch, w), rel=1e-5)


def test_the_first_epoch_is_ordinary_training(scores, targets):
    wanted = targets(LABELS, [1.0] * 3, KNOWN)
    assert Nrces()(scores(LOGITS), wanted, wanted.weight, progress(0)).item() == pytest.approx(sum(CE), rel=1e-5)


@pytest.mark.parametrize(
    ("without", "entity", "silence"),
    [
        (None, "ce", "robust"),
        ("sigmoid", "ce", "ce"),
        ("separation", "robust", "robust"),
        ("negative-indicator", "ce + robust", "robust"),
        ("positive-indicator", "ce", "ce + robust"),
    ],
)
def test_table_5(without, entity, silence):
    loss, epoch = Nrces(5.0, without), 4
    units = loss.losses(torch.tensor(LOGITS), torch.tensor(LABELS), ~torch.tensor(KNOWN), epoch)
    for unit, terms in enumerate((entity, silence, silence)):
        values = {"ce": CE[unit], "robust": robust(unit, epoch, 5.0)}
        assert units[unit].item() == pytest.approx(sum(values[term] for term in terms.split(" + ")), rel=1e-5)


def test_an_annotated_negative_is_as_good_as_an_entity(scores, targets):
    wanted = targets([0], [1.0], [True])
    loss = Nrces()(scores(LOGITS[2:]), wanted, wanted.weight, progress(10))
    assert loss.item() == pytest.approx(CE[2], rel=1e-5)


def test_the_gradient_pushes_up_what_silence_says_and_lets_go_of_what_is_surely_an_entity():
    z = torch.tensor([[0.0, 0.0], [-12.0, 12.0]], requires_grad=True)  # unsure; surely an entity
    label, silent = torch.zeros(2, dtype=torch.long), torch.ones(2, dtype=torch.bool)
    (late,) = torch.autograd.grad(Nrces(1.0).losses(z, label, silent, epoch=50).sum(), z)
    assert late[0].tolist() == pytest.approx([-0.25, 0.0])  # -sigmoid'(0); nothing for the other labels
    assert late[1].abs().max() < 1e-4
    (early,) = torch.autograd.grad(Nrces(1.0).losses(z, label, silent, epoch=0).sum(), z)
    assert early[1].tolist() == pytest.approx([-1.0, 1.0])


@pytest.mark.parametrize("without", [None, "sigmoid", "separation", "negative-indicator", "positive-indicator"])
def test_gradient_by_finite_differences(without):
    torch.manual_seed(0)
    z = 3 * torch.randn(6, 4, dtype=torch.float64, requires_grad=True)
    label, silent = torch.tensor([0, 1, 0, 3, 0, 2]), torch.tensor([1, 0, 1, 0, 0, 0]).bool()
    assert torch.autograd.gradcheck(lambda z: Nrces(5.0, without).losses(z, label, silent, epoch=3), (z,))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_certainty_is_no_accident(scores, targets, dtype):
    found = scores([[200.0, -200.0], [-200.0, 200.0]] * 2)
    logits = found.head.logits = found.head.logits.detach().to(dtype).requires_grad_()
    wanted = targets([0, 0, 1, 1], [1.0] * 4, [False, False, True, True])
    loss = Nrces()(found, wanted, wanted.weight, progress(10))
    assert loss.dtype == torch.float32
    assert loss.isfinite()
    (gradient,) = torch.autograd.grad(loss, logits)
    assert gradient.isfinite().all()


def test_nothing_to_learn_from_is_a_loss_of_nothing(scores, targets):
    found = scores([[0.0, 1.0]])
    loss = Nrces()(found, targets([1], [0.0]), torch.zeros(1), progress(1))
    assert loss.item() == 0.0
    (gradient,) = torch.autograd.grad(loss, found.head.logits)
    assert not gradient.any()
