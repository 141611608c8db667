"""Drawing without replacement, against loops and exact probabilities."""

from collections import Counter
from itertools import combinations, permutations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.training.draw import different, gumbel, highest

DRAWS = 20_000


def by_loop(keys, rows, candidate, count):
    drawn = [False] * len(keys)
    for row, limit in enumerate(count):
        own = [k for k in range(len(keys)) if rows[k] == row and candidate[k]]
        for k in sorted(own, key=lambda k: (-keys[k], k))[:limit]:
            drawn[k] = True
    return drawn


@st.composite
def batches(draw):
    count = draw(st.lists(st.integers(0, 5), min_size=1, max_size=4))
    row = st.integers(0, len(count) - 1)
    unit = st.tuples(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 7.0]), row, st.booleans())
    units = draw(st.lists(unit, max_size=20))
    keys, rows, candidate = ([unit[k] for unit in units] for k in range(3))
    return keys, rows, candidate, count


@settings(max_examples=150)
@given(batches())
def test_is_what_a_loop_over_the_rows_finds(batch):
    keys, rows, candidate, count = batch
    drawn = highest(
        torch.tensor(keys), torch.tensor(rows).long(), torch.tensor(candidate).bool(), torch.tensor(count).long()
    )
    assert drawn.tolist() == by_loop(*batch)


def test_a_row_without_candidates_gives_none_and_a_small_row_all():
    drawn = highest(
        torch.rand(5),
        torch.tensor([0, 0, 2, 2, 2]),
        torch.tensor([False, False, True, True, False]),
        torch.tensor([3, 3, 3]),
    )
    assert drawn.tolist() == [False, False, True, True, False]


def many_draws(log_weights, count):
    """How often each set was drawn, in `DRAWS` rows with the same candidates."""
    size = len(log_weights)
    keys = torch.tensor(log_weights, dtype=torch.float64).repeat(DRAWS)
    rows = torch.arange(DRAWS).repeat_interleave(size)
    drawn = highest(keys + gumbel(keys), rows, torch.ones(len(keys), dtype=torch.bool), torch.full((DRAWS,), count))
    return Counter(tuple(row.nonzero().squeeze(1).tolist()) for row in drawn.view(DRAWS, size))


def assert_frequency(times, probability):
    deviation = (probability * (1 - probability) / DRAWS) ** 0.5
    assert times / DRAWS == pytest.approx(probability, abs=4.5 * deviation + 1e-12)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_gumbel_keys_draw_in_proportion_to_the_weights_one_after_the_other(count):
    torch.manual_seed(1)
    weights = [0.5, 1.0, 3.0, 8.0]
    times = many_draws(torch.tensor(weights).log().tolist(), count)
    for chosen in combinations(range(len(weights)), count):
        probability = 0.0
        for order in permutations(chosen):
            left, share = sum(weights), 1.0
            for k in order:
                share *= weights[k] / left
                left -= weights[k]
            probability += share
        assert_frequency(times[chosen], probability)


def test_uniform_keys_draw_each_candidate_equally_often():
    torch.manual_seed(2)
    size, count = 5, 2
    keys = torch.rand(DRAWS * size)
    rows = torch.arange(DRAWS).repeat_interleave(size)
    candidate = torch.tensor([True, True, False, True, True]).repeat(DRAWS)
    drawn = highest(keys, rows, candidate, torch.full((DRAWS,), count)).view(DRAWS, size)
    assert (drawn.sum(dim=1) == count).all()
    for k, times in enumerate(drawn.sum(dim=0).tolist()):
        assert_frequency(times, 0.0 if k == 2 else 0.5)


def test_noise_is_double_and_tiny_weights_are_not_rounded_away():
    torch.manual_seed(3)
    assert gumbel(torch.zeros(3)).dtype == torch.float64
    times = many_draws([-200.0, -201.0, -1000.0], 2)
    assert times[0, 1] == DRAWS


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 12)), min_size=1, max_size=8), st.integers(0, 9))
def test_different_numbers_of_each_row(rows, seed):
    torch.manual_seed(seed)
    sizes, count = (torch.tensor(column) for column in zip(*rows, strict=True))
    drawn = different(sizes, count).tolist()
    assert drawn == sorted(set(drawn))
    begin = 0
    for size, wanted in rows:
        assert sum(begin <= number < begin + size for number in drawn) == min(size, wanted)
        begin += size
    assert all(0 <= number < begin for number in drawn)


@pytest.mark.parametrize(("size", "count"), [(3, 1), (4, 2), (5, 2), (5, 4), (7, 3)])
def test_all_sets_of_different_numbers_are_equally_frequent(size, count):
    torch.manual_seed(4)
    drawn = different(torch.full((DRAWS,), size), torch.full((DRAWS,), count)).view(DRAWS, count) % size
    times = Counter(tuple(row) for row in drawn.tolist())
    sets = list(combinations(range(size), count))
    assert set(times) <= set(sets)
    for numbers in sets:
        assert_frequency(times[numbers], 1 / len(sets))


def test_a_few_numbers_of_very_many():
    sizes = torch.tensor([10**12, 1, 10**12])
    drawn = different(sizes, torch.tensor([1000, 1, 1000]))
    assert len(drawn) == 2001
    assert abs((drawn[:1000].double() / 10**12).mean().item() - 0.5) < 0.05
    assert abs((drawn[1001:].double() / 10**12).mean().item() - 1.5) < 0.05
