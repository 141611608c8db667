"""What the samplers of the negative sampling methods have in common."""

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gleanner.training.samplers.uniform import Uniform
from gleanner.training.samplers.weighted import Weighted
from gleanner.training.stage import Progress

PROGRESS = Progress(step=3, steps_per_epoch=2, epochs=4)

UNKNOWN, SILENCE, KNOWN = range(3)


@pytest.fixture(params=["uniform", "weighted", "weighted, evaluation mode"])
def sampler(request):
    def sampler(rate):
        if request.param == "uniform":
            return Uniform(rate)
        return Weighted(rate, mu=8.0, evaluation_mode="," in request.param)

    return sampler


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(st.integers(1, 30), st.lists(st.integers(0, 2), max_size=12)), min_size=1, max_size=4),
    percent=st.integers(1, 200),
)
def test_each_row_gives_what_is_known_and_so_many_of_the_rest(units_of, sampler, rows, percent):
    scores, targets = units_of([words for words, _ in rows], [len(kinds) for _, kinds in rows])
    kind = torch.tensor([k for _, kinds in rows for k in kinds], dtype=torch.long)
    targets = targets._replace(known=kind == KNOWN, weight=(kind != UNKNOWN).float())
    weights = sampler(percent / 100)(scores, targets, PROGRESS)
    assert weights.dtype == torch.float32
    assert weights.shape == kind.shape
    assert set(weights.tolist()) <= {0.0, 1.0}
    assert (weights[kind == KNOWN] == 1).all()
    assert not weights[kind == UNKNOWN].any()
    for row, (words, kinds) in enumerate(rows):
        silent = (scores.units.row == row) & (kind == SILENCE)
        assert weights[silent].sum() == min(-(-percent * words // 100), kinds.count(SILENCE))


def test_a_complete_sentence_is_used_whole(units_of, sampler):
    scores, targets = units_of([3, 3], [6, 6])
    targets = targets._replace(known=scores.units.row == 0)
    weights = sampler(0.35)(scores, targets, PROGRESS)
    assert weights[:6].tolist() == [1.0] * 6
    assert weights[6:].sum() == 2


def test_each_reading_draws_anew(units_of, sampler):
    scores, targets = units_of([10], [55])
    torch.manual_seed(4)
    draws = {tuple(sampler(0.35)(scores, targets, PROGRESS).tolist()) for _ in range(5)}
    assert len(draws) == 5
