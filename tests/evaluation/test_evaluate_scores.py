import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.evaluation.scores import Macro, Score, ratios, score_arrays
from gleanner.evaluation.spans import SpanArrays

counts = st.integers(0, 50).flatmap(
    lambda right: st.tuples(st.just(right), st.integers(right, 60), st.integers(right, 60))
)


def arrays(*rows):
    return SpanArrays(*np.array(rows, dtype=np.int64).reshape(-1, 4).T)


def test_a_score_worked_out_by_hand():
    score = Score(true_positives=3, predicted=4, gold=6)
    assert (score.precision, score.recall, score.f1) == (0.75, 0.5, 0.6)
    assert score.to_dict() == {
        "precision": 0.75,
        "recall": 0.5,
        "f1": 0.6,
        "true_positives": 3,
        "predicted": 4,
        "gold": 6,
    }


@pytest.mark.parametrize("score", [Score(0, 0, 0), Score(0, 3, 0), Score(0, 0, 3), Score(0, 3, 3)])
def test_a_ratio_over_nothing_is_zero(score):
    assert (score.precision, score.recall, score.f1) == (0.0, 0.0, 0.0)


@given(st.lists(counts, min_size=1, max_size=20))
def test_ratios_of_many_rows_equal_scores_to_the_last_digit(rows):
    precision, recall, f1 = ratios(np.array(rows))
    scores = [Score(*row) for row in rows]
    assert precision.tolist() == [score.precision for score in scores]
    assert recall.tolist() == [score.recall for score in scores]
    assert f1.tolist() == [score.f1 for score in scores]


def test_macro_weighs_types_alike():
    # P 1, 0.5; R 0.5, 1; F1 2/3 each
    macro = Macro.of([Score(1, 1, 2), Score(100, 200, 100)])
    assert (macro.precision, macro.recall, macro.f1) == (0.75, 0.75, 2 / 3)
    assert Macro.of([]) == Macro(0.0, 0.0, 0.0)


def test_arrays_count_duplicates_once_and_tell_every_column_apart():
    gold = arrays((0, 1, 2, 5), (0, 1, 2, 5), (1, 1, 2, 5), (0, 0, 2, 5), (0, 1, 3, 5), (0, 1, 2, 6))
    assert score_arrays(gold, arrays((0, 1, 2, 5), (0, 1, 2, 5), (2, 1, 2, 5))) == Score(1, 2, 5)


def test_arrays_without_rows():
    assert score_arrays(arrays(), arrays()) == Score(0, 0, 0)
    assert score_arrays(arrays((0, 0, 1, 2)), arrays()) == Score(0, 0, 1)


def test_columns_of_any_size_do_not_overflow():
    huge = 2**62
    gold = arrays((huge, huge, huge, huge), (huge, huge, huge, 0))
    assert score_arrays(gold, arrays((huge, huge, huge, huge))) == Score(1, 1, 2)


span = st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(1, 4), st.integers(0, 2))


@given(st.lists(span), st.lists(span))
def test_arrays_score_as_python_sets_do(gold, predicted):
    expected = Score(len({*gold} & {*predicted}), len({*predicted}), len({*gold}))
    assert score_arrays(arrays(*gold), arrays(*predicted)) == expected
