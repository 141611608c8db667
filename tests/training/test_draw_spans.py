"""Spans of free words, against enumeration."""

from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.training.draw_spans import apart, draw_spans


def all_spans(sentences):
    """Every span of free words of each sentence; `sentences` are lists of bools."""
    begin, found = 0, []
    for free in sentences:
        found.append(
            {
                (begin + start, begin + end)
                for start in range(len(free))
                for end in range(start + 1, len(free) + 1)
                if all(free[start:end])
            }
        )
        begin += len(free)
    return found


def flat(sentences):
    free = torch.tensor([word for sentence in sentences for word in sentence], dtype=torch.bool)
    row = torch.repeat_interleave(torch.arange(len(sentences)), torch.tensor([len(s) for s in sentences]))
    return free, row


SENTENCES = st.lists(st.lists(st.booleans(), max_size=9), min_size=1, max_size=5)


@settings(max_examples=150)
@given(SENTENCES.filter(any), st.lists(st.integers(0, 50), min_size=5, max_size=5), st.integers(0, 9))
def test_different_spans_of_free_words_as_many_as_wanted(sentences, count, seed):
    torch.manual_seed(seed)
    count = count[: len(sentences)]
    start, end = draw_spans(*flat(sentences), torch.tensor(count))
    drawn = list(zip(start.tolist(), end.tolist(), strict=True))
    assert len(set(drawn)) == len(drawn)
    for spans, wanted in zip(all_spans(sentences), count, strict=True):
        assert len(spans & set(drawn)) == min(wanted, len(spans))
    assert set(drawn) <= set.union(*all_spans(sentences))


def test_every_span_is_equally_likely():
    free, row = flat([[True, True, False, True, True, True]] * 9000)  # 3 + 6 spans
    start, end = draw_spans(free, row, torch.full((9000,), 2))
    times = Counter(zip((start % 6).tolist(), ((end - 1) % 6).tolist(), strict=True))
    assert len(times) == 9
    for share in (number / 9000 for number in times.values()):
        assert share == pytest.approx(2 / 9, abs=4.5 * (2 / 9 * 7 / 9 / 9000) ** 0.5)


def test_a_long_sentence_is_not_enumerated():
    """Of half a billion spans a few: with a list of all the memory would not do."""
    words = 1_000_000
    start, end = draw_spans(
        torch.ones(words, dtype=torch.bool), torch.zeros(words, dtype=torch.long), torch.tensor([50])
    )
    assert len(start) == 50
    assert bool(((start >= 0) & (start < end) & (end <= words)).all())


@pytest.mark.parametrize("sentences", [[[]], [[], []], [[False, False]], [[False], [], [False]]])
def test_without_free_words_there_are_no_spans(sentences):
    start, end = draw_spans(*flat(sentences), torch.full((len(sentences),), 3))
    assert len(start) == len(end) == 0
    assert len(apart(start, end)) == 0


def by_loop(spans, rank):
    """One span after the other, by rank."""
    taken = []
    for k in sorted(range(len(spans)), key=lambda k: rank[k]):
        if all(spans[k][1] <= spans[j][0] or spans[j][1] <= spans[k][0] for j in taken):
            taken.append(k)
    return [k in taken for k in range(len(spans))]


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 8)), max_size=12), st.integers(0, 9))
def test_spans_are_taken_in_random_order_unless_they_overlap(given_spans, seed):
    spans = [(start, start + length) for start, length in given_spans]
    torch.manual_seed(seed)
    rank = torch.randperm(len(spans)).tolist()
    torch.manual_seed(seed)
    start, end = (torch.tensor([span[k] for span in spans], dtype=torch.long) for k in range(2))
    assert apart(start, end).tolist() == by_loop(spans, rank)
