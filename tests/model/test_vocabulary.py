import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gleanner.model.vocabulary import Ragged, Vocabulary, ranges

ROWS = st.lists(st.lists(st.integers(0, 2**31 - 1), max_size=5), max_size=8)


@given(st.lists(st.lists(st.text(max_size=3), max_size=6), max_size=4))
def test_words_are_numbered_once(sentences):
    vocabulary = Vocabulary()
    numbers = [vocabulary.add(words) for words in sentences]
    distinct = list(dict.fromkeys(word for words in sentences for word in words))
    assert vocabulary.words == distinct
    assert len(vocabulary) == len(distinct)
    assert [[distinct[number] for number in row] for row in numbers] == sentences


@given(ROWS, st.data())
def test_taken_rows(rows, data):
    ragged = Ragged.of(rows)
    chosen = data.draw(st.lists(st.sampled_from(range(len(rows))), max_size=10) if rows else st.just([]))
    values, lengths = ragged.take(np.array(chosen, np.int64))
    assert values.tolist() == [value for row in chosen for value in rows[row]]
    assert lengths.tolist() == [len(rows[row]) for row in chosen]
    assert ragged.lengths.tolist() == [len(row) for row in rows]


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 6)), max_size=10))
def test_ranges(pairs):
    begins, lengths = (np.array([pair[k] for pair in pairs], np.int64) for k in range(2))
    expected = [number for begin, length in pairs for number in range(begin, begin + length)]
    assert ranges(begins, lengths).tolist() == expected
