import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gleanner.model.windows import cut

ROOM = 16


def windows_of(sentences, room=ROOM):
    """Windows of sentences that are given as the costs of their words."""
    costs = np.array([cost for sentence in sentences for cost in sentence], np.int64)
    starts = np.cumsum([0, *map(len, sentences)])
    return cut(np.arange(len(costs), dtype=np.int32), starts, costs, room)


def rows(windows):
    columns = (windows.sentence, windows.begin, windows.length, windows.core_begin, windows.core_end, windows.cost)
    return list(zip(*(column.tolist() for column in columns), strict=True))


@given(st.lists(st.lists(st.integers(1, ROOM // 4), max_size=60), max_size=4))
def test_every_word_is_owned_once_and_every_window_fits(sentences):
    owned = []
    windows = windows_of(sentences)
    for sentence, begin, length, core_begin, core_end, cost in rows(windows):
        costs = sentences[sentence]
        assert 0 <= core_begin < core_end <= length
        assert begin + length <= len(costs)
        assert cost == sum(costs[begin : begin + length]) <= ROOM
        owned += [(sentence, begin + word) for word in range(core_begin, core_end)]
    assert owned == [(k, word) for k, sentence in enumerate(sentences) for word in range(len(sentence))]


@given(st.lists(st.integers(1, ROOM // 4), min_size=20, max_size=80))
def test_owned_words_have_context(costs):
    context = ROOM // 4
    for _, begin, length, core_begin, core_end, _ in rows(windows_of([costs])):
        core, end = begin + core_begin, begin + length
        if begin:  # one word more would be too much
            assert sum(costs[begin - 1 : core]) > context
        if end < len(costs):
            assert sum(costs[begin + core_end : end]) >= context


def test_sentences_that_fit_are_not_cut():
    assert rows(windows_of([[4, 4, 4, 4], [], [1]])) == [(0, 0, 4, 0, 4, 16), (2, 0, 1, 0, 1, 1)]


def test_a_long_sentence_by_hand():
    # Room 8, so context of 2: the first window owns all but two words, the others six less two on each side.
    assert rows(windows_of([[1] * 14], room=8)) == [
        (0, 0, 8, 0, 6, 8),
        (0, 4, 8, 2, 6, 8),
        (0, 8, 6, 2, 6, 6),
    ]


def test_twenty_thousand_words():
    costs = np.random.default_rng(0).integers(1, 5, 20_000).tolist()
    windows = windows_of([costs], room=64)
    assert int((windows.core_end - windows.core_begin).sum()) == 20_000
    assert windows.cost.max() <= 64


def test_nothing():
    assert len(windows_of([])) == 0
    assert len(windows_of([[], []])) == 0
