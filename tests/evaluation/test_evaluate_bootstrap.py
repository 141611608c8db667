import numpy as np
import pytest

from gleanner.evaluation.bootstrap import Interval, Patterns, intervals, patterns, resample
from gleanner.evaluation.scores import ratios
from gleanner.evaluation.sides import lay_side_by_side
from gleanner.evaluation.spans import SpanArrays


def of(gold, predicted, samples=1000, seed=0):
    return intervals(lay_side_by_side(gold, {"p": predicted}), samples, seed)


def test_perfect_predictions_cannot_move(build):
    gold = [build("a b", (0, 1, "X"), (1, 2, "Y"))] * 5
    found = of(gold, gold)
    assert found.precision == found.recall == found.f1 == found.types["X"] == found.types["Y"] == Interval(1.0, 1.0)


@pytest.mark.parametrize("gold_spans, spans", [([(0, 1, "X")], []), ([], [(0, 1, "X")])])
def test_one_empty_side_gives_zero(build, gold_spans, spans):
    found = of([build("a", *gold_spans)] * 3, [build("a", *spans)] * 3)
    assert found.precision == found.recall == found.f1 == found.types["X"] == Interval(0.0, 0.0)


def test_two_empty_sides_have_no_types(build):
    found = of([build("a")], [build("a")])
    assert found.f1 == Interval(0.0, 0.0)
    assert found.types == {}


def test_one_sentence_is_always_drawn(build):
    gold = [build("a b c", (0, 1, "X"), (1, 2, "X"), (2, 3, "X"))]
    predicted = [build("a b c", (0, 1, "X"))]
    found = of(gold, predicted)
    assert found.precision == Interval(1.0, 1.0)
    assert found.recall == Interval(1 / 3, 1 / 3)
    assert found.f1 == found.types["X"] == Interval(0.5, 0.5)


def test_two_sentences_worked_out_by_hand():
    # One sentence is right, one is missed: F1 is 1, 2/3 or 0 with probability 1/4, 1/2, 1/4.
    drawn = resample(Patterns(np.array([[1, 1, 1], [0, 0, 1]]), np.array([1, 1])), 20_000, np.random.default_rng(0))
    values, counts = np.unique(ratios(drawn)[2], return_counts=True)
    assert values.tolist() == [0.0, 2 / 3, 1.0]
    assert counts / 20_000 == pytest.approx([0.25, 0.5, 0.25], abs=0.01)
    assert Interval.of(ratios(drawn)[2]) == (0.0, 1.0)


def test_patterns_group_equal_sentences_and_count_empty_ones():
    spans = SpanArrays(*np.array([[0, 0, 1, 2], [2, 0, 1, 2], [3, 0, 1, 2], [3, 1, 2, 2]]).T)
    counted = np.array([[True, True, False, True], [True, True, True, True]])
    found = patterns(spans, counted, 6)
    rows = dict(zip(map(tuple, found.counts.tolist()), found.sentences.tolist(), strict=True))
    assert rows == {(1, 1): 2, (1, 2): 1, (0, 0): 3}


def test_the_same_distribution_as_drawing_sentences():
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 5, 60)
    predicted = rng.integers(0, 5, 60)
    table = np.stack([np.minimum(gold, predicted) * rng.integers(0, 2, 60), predicted, gold], axis=1)
    distinct, counts = np.unique(table, axis=0, return_counts=True)
    quick = ratios(resample(Patterns(distinct, counts), 10_000, rng))[2]
    plain = ratios(table[rng.integers(0, 60, (10_000, 60))].sum(axis=1))[2]
    assert quick.mean() == pytest.approx(plain.mean(), abs=0.003)
    assert np.percentile(quick, [2.5, 97.5]) == pytest.approx(np.percentile(plain, [2.5, 97.5]), abs=0.01)


def test_the_size_of_a_sample_is_the_number_of_sentences():
    drawn = resample(Patterns(np.array([[1], [1]]), np.array([3, 4])), 50, np.random.default_rng(0))
    assert drawn.tolist() == [[7]] * 50


def test_a_large_draw_is_made_in_pieces_with_the_same_numbers(monkeypatch):
    table = Patterns(np.array([[1], [2], [0]]), np.array([3, 4, 5]))
    whole = resample(table, 100, np.random.default_rng(0))
    monkeypatch.setattr("gleanner.evaluation.bootstrap._CELLS_AT_ONCE", 21)
    assert np.array_equal(resample(table, 100, np.random.default_rng(0)), whole)


def test_the_seed_decides(build):
    gold = [build("a b", (0, 1, "X"), (1, 2, "X"))] * 30 + [build("a b", (0, 1, "X"))] * 30
    predicted = [build("a b", (0, 1, "X"))] * 45 + [build("a b")] * 15
    assert of(gold, predicted, seed=3) == of(gold, predicted, seed=3)
    assert of(gold, predicted, seed=3) != of(gold, predicted, seed=4)
