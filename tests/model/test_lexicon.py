from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gleanner.model import lexicon as module
from gleanner.model.lexicon import Lexicon, frequent
from gleanner.model.spelling import LONGEST, Hashes, Spelling, written
from gleanner.model.vocabulary import Vocabulary

WORDS = st.sampled_from(
    ["北", "京", "大", "New", "York", "a", "b", "ab", "", ",", "ß", "\ud83d", "\U00020000", "x" * 30]
)
ROWS = st.lists(st.lists(WORDS, min_size=1, max_size=9), min_size=1, max_size=4)
ENTRIES = st.lists(st.text("北京大ab ,ß\U00020000", min_size=2, max_size=5), unique=True, max_size=20)


def numbered(rows):
    """The rows as encoders are given them: spelled words, their numbers, and the length of each row."""
    vocabulary = Vocabulary()
    numbers = [number for row in rows for number in vocabulary.add(row)]
    lengths = np.array([len(row) for row in rows], np.int64)
    return Spelling.of(vocabulary.words), np.array(numbers, np.int32), lengths


def as_written(words):
    """Words with a space between two of letters that are not Chinese."""
    text = words[0]
    for before, word in pairwise(words):
        spaced = [
            part.isalnum() and not "\u2e80" <= part < "\uffff" and part < "\U00020000"
            for part in (before[-1:], word[:1])
        ]
        text += " " * all(spaced) + word
    return text


def by_brute_force(words, rows):
    numbers = {word: k for k, word in enumerate(words)}
    found, first = [], 0
    for row in rows:
        for a in range(len(row)):
            for b in range(a + 1, len(row) + 1):
                entry = numbers.get(as_written(row[a:b]))
                if entry is not None and row[a] and row[b - 1]:
                    found.append((first + a, b - a, entry))
        first += len(row)
    return found


def found_by(lexicon, rows):
    return list(zip(*(column.tolist() for column in lexicon.find(*numbered(rows))), strict=True))


@given(ENTRIES, ROWS)
@example(["北京", "京大", "北京大", "New York", "x" * 20], [["北", "京", "大"], ["New", "York"], ["x" * 30]])
@example(["aa"], [["a", "", "a"]])
def test_every_place_and_no_other(words, rows):
    assert found_by(Lexicon(words), rows) == by_brute_force(words, rows)


def test_words_of_rows_and_stretches_of_text():
    lexicon = Lexicon(["together", "to get", "北京", "iPhone手机"])
    assert found_by(lexicon, [["to", "get", "her"]]) == [(0, 2, 1)]
    assert found_by(lexicon, [["together"]]) == [(0, 1, 0)]
    assert found_by(lexicon, [["北"], ["京"], ["北京"], ["北京人"]]) == [(2, 1, 2)]
    assert found_by(lexicon, [["iPhone", "手", "机"]]) == [(0, 3, 3)]


def test_hashes_that_are_all_the_same_find_nothing_false(monkeypatch):
    lexicon = Lexicon(["北京"])
    (only,) = lexicon._hashes
    monkeypatch.setattr(Hashes, "__call__", lambda self, begin, end: np.full(len(begin), only, np.uint64))
    assert found_by(lexicon, [["上", "海"], ["北", "京", "人"], ["京", "北"]]) == [(2, 2, 0)]


def test_words_whose_hashes_are_the_same_get_others(monkeypatch):
    monkeypatch.setattr(module, "BASE", 1)  # the sum of the characters
    words = ["ab", "ba", "aab", "aba"]
    assert found_by(Lexicon(words), [["a", "b"], ["ba"], ["a", "ba"]]) == by_brute_force(
        words, [["a", "b"], ["ba"], ["a", "ba"]]
    )


def test_an_empty_lexicon():
    lexicon = Lexicon([])
    assert len(lexicon) == 0
    assert lexicon.words == []
    assert found_by(lexicon, [["北", "京"]]) == []


@given(st.lists(st.text(min_size=2, max_size=LONGEST), unique=True))
def test_words_come_back(words):
    assert Lexicon(words).words == words


def test_a_word_twice():
    with pytest.raises(ValueError, match="twice"):
        Lexicon(["北京", "北京"])


@given(st.text("北京ab", max_size=8))
def test_a_hash_is_that_of_the_characters_alone(text):
    chars = np.array([ord(c) for c in "京b" + text + "a"], np.uint32)
    inside = Hashes(chars, module.BASE)(np.array([2]), np.array([2 + len(text)]))
    alone = Hashes(chars[2 : 2 + len(text)], module.BASE)(np.array([0]), np.array([len(text)]))
    assert inside == alone


def test_no_words_are_written():
    text = written(Spelling.of([]), np.empty(0, np.int32))
    assert len(text.chars) == len(text.begin) == 0


@given(ROWS.map(lambda rows: rows * 2))
def test_sequences_that_a_text_repeats(rows):
    counts = {}
    for row in rows:
        for a in range(len(row)):
            for b in range(a + 2, min(a + 4, len(row)) + 1):
                sequence = as_written(row[a:b])
                if (
                    row[a]
                    and row[b - 1]
                    and len(sequence) <= LONGEST
                    and all(c.isalnum() or c == " " for c in sequence)
                ):
                    counts[sequence] = counts.get(sequence, 0) + 1
    assert sorted(frequent(*numbered(rows))) == sorted(sequence for sequence, times in counts.items() if times >= 3)


def test_sequences_stand_in_the_order_of_the_text():
    assert frequent(*numbered([list("上海北京")] * 3)) == ["上海", "上海北", "上海北京", "海北", "海北京", "北京"]
