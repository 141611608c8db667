"""The sampler of ordinary training."""

from gleanner.training.samplers.everything import Everything
from gleanner.training.stage import Progress


def test_only_what_no_method_may_use_is_left_out(units_of):
    scores, targets = units_of([2], [3])
    targets.weight[1] = 0.0
    assert Everything()(scores, targets, Progress(0, 1, 1)).tolist() == [1.0, 0.0, 1.0]
    assert scores.head.asked == []
