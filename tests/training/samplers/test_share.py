"""A share of a batch, drawn uniformly."""

import math

import pytest
import torch

from gleanner.training.samplers.share import Share
from gleanner.training.stage import Progress

PROGRESS = Progress(0, 1, 1)


@pytest.fixture
def batch(units_of):
    """Two sentences of 5 and 6 units: one entity, one annotated negative, one unit that no method may use, 8 in silence."""
    scores, targets = units_of([5, 6], [5, 6])
    targets.label[0] = 1
    targets.known[[0, 7]] = True
    targets.weight[3] = 0.0
    return scores, targets


@pytest.mark.parametrize(("share", "count"), [(0.5, 4), (0.51, 5), (1e-6, 1), (1.0, 8), (0.125, 1), (0.375, 3)])
def test_so_much_of_the_silence_of_the_whole_batch(batch, share, count):
    scores, targets = batch
    weights = Share(share)(scores, targets, PROGRESS)
    assert weights[[0, 7]].tolist() == [1.0, 1.0]
    assert weights[3] == 0.0
    assert weights.sum() == 2 + count
    assert scores.head.asked == []


def test_a_batch_in_which_nothing_is_silent(units_of):
    scores, targets = units_of([4], [4])
    targets.known[:] = True
    assert Share()(scores, targets, PROGRESS).tolist() == [1.0] * 4


def test_all_are_drawn_alike(batch):
    scores, targets = batch
    torch.manual_seed(1)
    draws = 4000
    counts = sum(Share(0.25)(scores, targets, PROGRESS) for _ in range(draws))
    silent = [1, 2, 4, 5, 6, 8, 9, 10]
    assert counts[silent] / draws == pytest.approx([0.25] * 8, abs=4.5 * math.sqrt(0.25 * 0.75 / draws))
