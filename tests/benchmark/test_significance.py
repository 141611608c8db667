import numpy as np
import pytest

from gleanner.benchmark.counts import Counts, RunCounts
from gleanner.benchmark.significance import differences
from gleanner.evaluation.compare import compare
from gleanner.types import Sentence, Span

BOTH = {"a": "b", "b": "b"}


def sentences(*labelled):
    """A sentence each, of three words, with the numbered words as entities."""
    return [Sentence(("u", "v", "w"), tuple(Span(k, k + 1, "X") for k in words)) for words in labelled]


def run(right, found=None):
    return RunCounts(np.array(right), np.array(right if found is None else found))


def test_worked_out_by_hand():
    # a finds both, b only the first: the difference is 0 if the first sentence is drawn twice (1/4), 1 if the
    # second is (1/4), and 1 - 2/3 otherwise. The p-value is twice 1/4.
    found = differences(np.array([1, 1]), {"a": {1: run([1, 1])}, "b": {1: run([1, 0])}}, BOTH, samples=20_000)
    assert list(found) == ["a"]
    assert found["a"].f1 == pytest.approx(1 / 3)
    assert found["a"].p_value == pytest.approx(0.5, abs=0.02)
    assert found["a"].interval == (0.0, 1.0)


def test_one_seed_is_what_compare_finds():
    rng = np.random.default_rng(3)
    gold, a, b = (sentences(*(np.flatnonzero(row) for row in rng.random((80, 3)) < 0.5)) for _ in range(3))
    a = [truth if lucky else other for truth, other, lucky in zip(gold, a, rng.random(80) < 0.68, strict=True)]
    b = [truth if lucky else other for truth, other, lucky in zip(gold, b, rng.random(80) < 0.4, strict=True)]
    wanted = compare(gold, a, b, samples=20_000)
    of_a, of_b = Counts.of(gold, a), Counts.of(gold, b)
    found = differences(of_a.gold, {"a": {5: of_a.run}, "b": {5: of_b.run}}, BOTH, samples=20_000)["a"]
    assert 0.01 < wanted.p_value < 0.5  # else nothing is shown
    assert found.f1 == pytest.approx(wanted.difference)
    assert found.interval == pytest.approx(wanted.interval, abs=0.01)
    assert found.p_value == pytest.approx(wanted.p_value, abs=0.02)


def test_seeds_are_drawn_too():
    # Every sentence is alike, so that only seeds matter: of two, one is better by 1/3 and one worse by 1/3. Drawn twice,
    # both are the bad one, both the good one or one each with probability 1/4, 1/4, 1/2: never clearly on one side.
    gold = np.full(50, 2)
    good, bad = run(np.full(50, 2)), run(np.full(50, 1))
    found = differences(gold, {"a": {1: good, 2: bad}, "b": {1: bad, 2: good}}, BOTH)["a"]
    assert found.f1 == pytest.approx(0.0)
    assert found.interval == pytest.approx((-1 / 3, 1 / 3))
    assert found.p_value == 1.0
    assert found.seeds == 2


def test_only_common_seeds_are_compared():
    gold = np.full(9, 2)
    good, bad = run(np.full(9, 2)), run(np.full(9, 1))
    found = differences(gold, {"a": {1: good, 2: bad}, "b": {1: bad, 3: good}}, BOTH)["a"]
    assert (found.seeds, round(found.f1, 3)) == (1, 0.333)
    assert differences(gold, {"a": {1: good}, "b": {2: bad}}, BOTH) == {}


def test_what_has_no_seed_is_compared_with_every_run():
    gold = np.full(9, 2)
    good, bad = run(np.full(9, 2)), run(np.full(9, 1))
    found = differences(gold, {"a": {0: bad}, "b": {1: bad, 2: good}}, BOTH)["a"]
    assert (found.seeds, round(found.f1, 3)) == (2, -0.167)


def test_nothing_is_known_of_nothing():
    assert differences(np.array([], dtype=np.int64), {}, {}) == {}
    assert differences(np.array([1]), {"a": {}, "b": {1: run([1])}}, BOTH) == {}
