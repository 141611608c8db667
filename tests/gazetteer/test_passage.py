import pytest

from gleanner.data.text import sentences
from gleanner.errors import InputError
from gleanner.gazetteer.passage import Label, Passage
from gleanner.types import Sentence, Span


def test_words_without_a_text_stay_so():
    sentence = Sentence(("King", "'s", "College"), meta={"id": 1})
    assert Passage.of(sentence).sentence([]) == sentence


def test_a_text_with_its_words_stays_so():
    (_, sentence), *_ = sentences("Ada met  O'Brien.")
    passage = Passage.of(sentence)
    assert passage.sentence([]) == sentence
    assert Passage(sentence.text).sentence([]) == sentence


def test_labels_become_spans_in_order():
    passage = Passage("Ada Lovelace met Mary.")
    labels = [Label(17, 21, "PER", "b", 0.5), Label(0, 3, "?", "a"), Label(0, 12, "PER", "a")]
    spans = passage.sentence(labels).spans
    assert spans == (Span(0, 2, "PER", "a"), Span(0, 1, "?", "a"), Span(3, 4, "PER", "b", 0.5))


def test_a_label_inside_a_word_is_refused():
    with pytest.raises(InputError, match=r"rule:x labels characters \[0, 2\), 'Ad', which are not whole words"):
        Passage("Ada").sentence([Label(0, 2, "PER", "rule:x")])
