import numpy as np
import pytest

from gleanner.errors import InputError
from gleanner.model.examples import UNKNOWN_LABEL, encode
from gleanner.model.vocabulary import Vocabulary
from gleanner.types import NOT_ENTITY, UNKNOWN, Sentence, Span

SENTENCES = (
    Sentence(("Ada", "met", "Ada"), (Span(2, 3, "PER"), Span(0, 1, UNKNOWN)), complete=True),
    Sentence(()),
    Sentence(("Basel", "met"), (Span(0, 1, "LOC"), Span(1, 2, NOT_ENTITY))),
)


def test_arrays():
    examples = encode(SENTENCES)
    assert len(examples) == 3
    assert examples.vocabulary.words == ["Ada", "met", "Basel"]
    assert examples.words.tolist() == [0, 1, 0, 2, 1]
    assert examples.starts.tolist() == [0, 3, 3, 5]
    assert examples.lengths.tolist() == [3, 0, 2]
    assert examples.complete.tolist() == [True, False, False]
    assert examples.span_starts.tolist() == [0, 2, 2, 4]
    assert examples.span_start.tolist() == [2, 0, 0, 1]
    assert examples.span_end.tolist() == [3, 1, 1, 2]


def test_labels_are_sorted_behind_o():
    examples = encode(SENTENCES)
    assert examples.labels == ("O", "LOC", "PER")
    assert examples.span_label.tolist() == [2, UNKNOWN_LABEL, 1, 0]


def test_given_labels_keep_their_numbers_and_others_follow():
    examples = encode(SENTENCES, labels=("O", "PER", "ORG"))
    assert examples.labels == ("O", "PER", "ORG", "LOC")
    assert examples.span_label.tolist() == [1, UNKNOWN_LABEL, 3, 0]


def test_entities_are_neither_negatives_nor_unknown():
    spans = encode(SENTENCES).spans()
    columns = (spans.sentence, spans.start, spans.end, spans.label)
    assert [column.tolist() for column in columns] == [[0, 2], [2, 0], [3, 1], [2, 1]]


def test_a_shared_vocabulary_grows():
    vocabulary = Vocabulary()
    vocabulary.add(["met"])
    assert encode(SENTENCES, vocabulary=vocabulary).words.tolist() == [1, 0, 1, 2, 0]
    assert vocabulary.words == ["met", "Ada", "Basel"]


def test_read_once_from_a_generator():
    assert encode(sentence for sentence in SENTENCES).words.tolist() == encode(SENTENCES).words.tolist()


def test_nothing():
    examples = encode([])
    assert (len(examples), examples.labels, examples.starts.tolist()) == (0, ("O",), [0])
    assert len(examples.spans()) == 0


def test_state_bytes():
    # 5 words of 4 bytes, 3 flags, twice 4 starts of 8 bytes, 4 spans of 3 numbers of 4 bytes
    assert encode(SENTENCES).state_bytes == 5 * 4 + 3 + 2 * 4 * 8 + 4 * 12


def test_a_word_takes_four_bytes():
    many = encode(Sentence(("a", "b") * 500) for _ in range(100))
    assert many.state_bytes / len(many.words) < 4.1
    assert many.words.dtype == np.int32


@pytest.mark.parametrize(("start", "end"), [(1, 1), (2, 1), (-1, 1), (0, 3), (5, 6)])
def test_a_span_that_is_not_in_its_sentence(start, end):
    wrong = Sentence(("Ada", "wrote"), (Span(0, 1, "PER"), Span(start, end, "PER")))
    with pytest.raises(InputError, match=rf"^sentence 4: span \[{start}, {end}\) does not lie in its 2 words; "):
        encode([*SENTENCES, wrong])
