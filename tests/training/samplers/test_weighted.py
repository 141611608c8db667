"""The distribution of weighted negative sampling, against numbers worked out by hand."""

import math

import pytest
import torch

from gleanner.training.samplers.weighted import Weighted, uncertain_negatives
from gleanner.training.stage import Progress

SURE_NEGATIVE, SURE_ENTITY = (0.7, 0.2, 0.1), (0.2, 0.7, 0.1)
# Both have the entropy u = 0.249672 + 0.321888 + 0.230259 = 0.801819 (Eq. 3); v is 0.7 - 0.2 = 0.5, and 0.2 - 0.7 = -0.5.
# With mu = 2, r is 0.801819 * 1.5^2 and 0.801819 * 0.5^2 (Eq. 4).
R = (1.804092, 0.200455)


def test_r_by_hand():
    assert uncertain_negatives(torch.tensor([SURE_NEGATIVE, SURE_ENTITY]), mu=2).tolist() == pytest.approx(R, rel=1e-5)


def test_mu_1_by_hand():
    found = uncertain_negatives(torch.tensor([SURE_NEGATIVE, SURE_ENTITY]), mu=1)
    assert found.tolist() == pytest.approx([0.801819 * 1.5, 0.801819 * 0.5], rel=1e-5)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("mu", [1.0, 8.0, 8.5, 50.0])
def test_certainty_is_no_accident(dtype, mu):
    z = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1e-30, 1 - 1e-7, 1e-7]], dtype=dtype)
    r = uncertain_negatives(z, mu)
    assert r.isfinite().all()
    assert r[:2].tolist() == [0.0, 0.0]


def share_of_first(units_of, sampler, progress, draws=20_000):
    """How often the first of two candidates is drawn where one is."""
    pair = torch.tensor([SURE_NEGATIVE, SURE_ENTITY]).repeat(draws, 1)
    scores, targets = units_of([1] * draws, [2] * draws, pair)
    torch.manual_seed(5)
    weights = sampler(scores, targets, progress).view(draws, 2)
    assert (weights.sum(dim=1) == 1).all()
    return weights[:, 0].mean().item()


# Eq. 5: exp(r / T), normalised, T = sqrt(epochs - epoch): with 4 epochs
# T = 2      in epoch 0: exp(0.902046) = 2.464640 to exp(0.100228) = 1.105423
# T = 1.7321 in epoch 1: exp(1.041593) = 2.833727 to exp(0.115733) = 1.122696
# T = 1      in epoch 3: exp(1.804092) = 6.074455 to exp(0.200455) = 1.221959
@pytest.mark.parametrize(
    ("step", "share"), [(0, 0.690365), (9, 0.690365), (10, 0.716233), (39, 0.832528), (40, 0.832528)]
)
def test_drawn_in_proportion_and_ever_more_sharply(units_of, step, share):
    progress = Progress(step=step, steps_per_epoch=10, epochs=4)
    found = share_of_first(units_of, Weighted(rate=1.0, mu=2.0, evaluation_mode=False), progress)
    assert found == pytest.approx(share, abs=4.5 * math.sqrt(share * (1 - share) / 20_000))


@pytest.mark.parametrize("evaluation_mode", [False, True])
def test_the_head_is_left_in_the_mode_it_was_in(units_of, evaluation_mode):
    scores, targets = units_of([4], [4])
    Weighted(0.5, 8.0, evaluation_mode)(scores, targets, Progress(0, 1, 1))
    assert scores.head.modes == [not evaluation_mode]
    assert scores.head.training


def test_hopeless_candidates_are_drawn_where_there_are_no_others(units_of):
    scores, targets = units_of([8], [3], torch.tensor([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]]))
    assert Weighted(0.25, 8.0, False)(scores, targets, Progress(0, 1, 1)).sum() == 2
