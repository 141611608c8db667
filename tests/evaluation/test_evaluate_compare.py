import json

import pytest

from gleanner.errors import InputError
from gleanner.evaluation.compare import compare
from gleanner.evaluation.scores import Score


def test_the_same_predictions_do_not_differ(build):
    gold = [build("a b", (0, 1, "X"), (1, 2, "X"))] * 4
    half = [build("a b", (0, 1, "X"))] * 4
    found = compare(gold, half, half, samples=200)
    assert found.a == found.b == Score(4, 4, 8)
    assert (found.difference, found.mean, found.interval, found.p_value) == (0.0, 0.0, (0.0, 0.0), 1.0)


def test_a_p_value_worked_out_by_hand(build):
    # a finds both, b only the first: the difference is 0 if the first sentence is drawn twice (1/4), 1 if the
    # second is (1/4), and 1 - 2/3 otherwise. The p-value is twice 1/4, the mean 1/4 + 1/6.
    gold = [build("a", (0, 1, "X")), build("b", (0, 1, "X"))]
    found = compare(gold, gold, [gold[0], build("b")], samples=20_000)
    assert found.difference == pytest.approx(1 / 3)
    assert found.p_value == pytest.approx(0.5, abs=0.02)
    assert found.mean == pytest.approx(5 / 12, abs=0.01)
    assert found.interval == (0.0, 1.0)


def test_swapping_the_sides_changes_the_sign_only(build):
    gold = [build("a", (0, 1, "X"))] * 6 + [build("b", (0, 1, "X"))] * 6
    few = [build("a", (0, 1, "X"))] * 6 + [build("b")] * 6
    one, other = compare(gold, gold, few, samples=500), compare(gold, few, gold, samples=500)
    assert one.difference == -other.difference == pytest.approx(1 / 3)
    assert (one.a, one.b) == (other.b, other.a)
    assert one.interval.low > 0 > other.interval.high


def test_the_samples_are_paired(build):
    # Sentences differ widely, but a is better than b by one span in each: never a sample in which it is not.
    sentences = ["w " * 3, "w " * 9, "w " * 20]
    gold = [build(words, *((i, i + 1, "X") for i in range(len(words) // 2))) for words in sentences]
    worse = [build(words, *((i, i + 1, "X") for i in range(1, len(words) // 2))) for words in sentences]
    assert compare(gold, gold, worse, samples=999).p_value == pytest.approx(2 / 1000)


def test_the_seed_decides(build):
    gold = [build("a b", (0, 1, "X"), (1, 2, "X"))] * 20
    a = [build("a b", (0, 1, "X"))] * 9 + gold[:11]
    b = gold[:10] + [build("a b", (0, 1, "X"))] * 10
    assert compare(gold, a, b, samples=300, seed=1) == compare(gold, a, b, samples=300, seed=1)
    assert compare(gold, a, b, samples=300, seed=1) != compare(gold, a, b, samples=300, seed=2)


def test_errors(build):
    with pytest.raises(InputError, match="samples is 0; give at least 1"):
        compare([build("a")], [build("a")], [build("a")], samples=0)
    with pytest.raises(InputError, match="'x' in the second predictions"):
        compare([build("a")], [build("a")], [build("x")])


def test_json(build):
    gold = [build("a", (0, 1, "X"))]
    found = json.loads(json.dumps(compare(gold, gold, gold, samples=10).to_dict()))
    assert list(found) == ["a", "b", "difference", "mean", "interval", "p_value"]
    assert found["interval"] == [0.0, 0.0]
