import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gleanner.benchmark.counts import Counts, packed, unpacked
from gleanner.evaluation.scores import Score
from gleanner.types import Sentence, Span


@given(st.lists(st.integers(0, 2000)))
def test_packed_numbers_come_back(numbers):
    assert unpacked(packed(np.array(numbers, dtype=np.int64))).tolist() == numbers


def test_counts_of_each_sentence_add_up_to_the_score():
    words = ("a", "b", "c")
    gold = [Sentence(words, (Span(0, 1, "X"), Span(1, 2, "Y"))), Sentence(words), Sentence(words, (Span(0, 3, "X"),))]
    found = [Sentence(words, (Span(0, 1, "X"), Span(1, 2, "X"))), Sentence(words, (Span(2, 3, "X"),)), Sentence(words)]
    counts = Counts.of(gold, found)
    assert [column.tolist() for column in (*counts.run, counts.gold)] == [[1, 0, 0], [2, 1, 0], [2, 0, 1]]
    assert counts.score == Score(1, 3, 3)
