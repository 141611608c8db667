from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.data.characters import entities_in_text, from_characters, located, to_characters
from gleanner.types import Sentence, Span

TEXT = "Ada  Lovelace wrote."
TOKENS = ((0, 3), (5, 13), (14, 19), (19, 20))


def read(*spans, text=TEXT, tokens=TOKENS):
    return from_characters(
        text, [(a, b, label, "", None) for a, b, label in spans], complete=False, meta={}, tokens=tokens
    )


def test_everything_given_is_kept():
    sentence = from_characters(TEXT, [(0, 13, "PER", "me", 0.5)], complete=True, meta={"id": 3}, tokens=TOKENS)
    assert sentence == Sentence(
        ("Ada", "Lovelace", "wrote", "."), (Span(0, 2, "PER", "me", 0.5),), True, TEXT, TOKENS, {"id": 3}
    )


@pytest.mark.parametrize(("start", "end"), [(5, 13), (4, 13), (3, 14), (4, 14)])
def test_white_space_at_the_edges_is_not_part_of_a_span(start, end):
    assert read((start, end, "PER")).spans == (Span(1, 2, "PER"),)


@pytest.mark.parametrize(
    ("start", "end", "phrase"),
    [
        (0, 7, "cuts the word 'Lovelace'"),
        (6, 13, "cuts the word 'Lovelace'"),
        (7, 9, "cuts the word 'Lovelace'"),
        (3, 5, "holds no word"),
        (5, 5, "reversed or empty"),
        (13, 5, "reversed or empty"),
        (-1, 3, "out of range: the text has 20 characters"),
        (14, 21, "out of range: the text has 20 characters"),
    ],
)
def test_a_span_that_is_not_whole_words_is_an_error(start, end, phrase):
    with pytest.raises(ValueError, match=phrase) as error:
        read((start, end, "PER"))
    assert f"span [{start}, {end}) PER" in str(error.value)


def test_characters_that_belong_to_no_word_are_not_silently_left_out():
    with pytest.raises(ValueError, match="begins or ends with '\\.', which belongs to no word"):
        read((14, 20, "X"), tokens=TOKENS[:-1])


@pytest.mark.parametrize(
    ("tokens", "phrase"),
    [
        ([(0, 3), (2, 5)], "begins before the token in front of it ends"),
        ([(0, 0)], "is empty or outside"),
        ([(0, 99)], "is empty or outside the text of 20 characters"),
    ],
)
def test_bad_tokens_are_an_error(tokens, phrase):
    with pytest.raises(ValueError, match=phrase):
        read(tokens=tokens)


def test_what_the_sentence_says_is_wrong_is_an_error():
    with pytest.raises(ValueError, match="labelled twice: PER and LOC"):
        read((0, 3, "PER"), (0, 3, "LOC"))


def test_without_a_text_the_words_are_joined_by_spaces():
    sentence = Sentence(("a", "bc", "d"), (Span(1, 3, "X"),))
    assert to_characters(sentence) == ("a bc d", [(2, 6, "X")])
    assert located(sentence)[1] == [(0, 1), (2, 4), (5, 6)]


def test_words_that_a_reader_would_cut_otherwise_are_counted():
    dropped = Counter()
    own, others = Sentence(("well", "-", "known")), Sentence(("well-known",), (Span(0, 1, "X"),))
    assert entities_in_text(own, dropped) == ("well - known", [])
    assert not dropped
    assert entities_in_text(others, dropped) == ("well-known", [(0, 10, "X")])
    assert dropped == {"sentences whose words are cut in another way": 1}


@given(st.data())
def test_to_characters_and_back_is_the_identity(data):
    gaps = data.draw(st.lists(st.sampled_from(["", " ", "\n", " \t"]), min_size=1, max_size=6))
    words = [data.draw(st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=3)) for _ in gaps]
    text, offsets = "", []
    for gap, word in zip(gaps, words, strict=True):
        offsets.append((len(text) + len(gap), len(text) + len(gap) + len(word)))
        text += gap + word
    edges = sorted(data.draw(st.tuples(st.integers(0, len(words)), st.integers(0, len(words)))))
    spans = (Span(*edges, "X"),) if edges[0] < edges[1] else ()
    sentence = Sentence(tuple(words), spans, True, text, tuple(offsets), {"id": 1})
    again, marked = to_characters(sentence)
    assert (
        from_characters(again, [(*span, "", None) for span in marked], complete=True, meta={"id": 1}, tokens=offsets)
        == sentence
    )
