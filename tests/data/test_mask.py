"""Hiding labels."""

import pytest

from gleanner.data.mask import mask
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

SENTENCE = Sentence(
    ("Ada", "Lovelace", "of", "London", "wrote"),
    (Span(0, 2, "PER"), Span(3, 4, "LOC"), Span(0, 1, "O"), Span(4, 5, "?")),
    complete=True,
    meta={"id": 7},
)
CORPUS = [Sentence((f"Ada{n % 50}", "met", "Bob"), (Span(0, 1, "PER"), Span(2, 3, "PER"))) for n in range(2000)]


def test_everything_and_nothing():
    (hidden,) = mask([SENTENCE], 1)
    assert hidden.spans == (Span(0, 1, "O"), Span(4, 5, "?"))
    assert not hidden.complete
    assert hidden.meta == {"id": 7}
    (kept,) = mask([SENTENCE], 0)
    assert kept.spans == SENTENCE.spans
    assert not kept.complete


def test_rate_and_independence():
    left = [{span.start for span in s.spans} for s in mask(CORPUS, 0.3, seed=1)]
    count = len(CORPUS)
    assert abs(sum(0 in kept for kept in left) / count - 0.7) < 0.04
    assert abs(sum(2 in kept for kept in left) / count - 0.7) < 0.04
    assert abs(sum(kept == {0, 2} for kept in left) / count - 0.49) < 0.04


def test_the_same_sentence_is_masked_anew():
    left = [len(s.spans) for s in mask([CORPUS[0]] * 1000, 0.5)]
    assert abs(sum(left) / 1000 - 1) < 0.1


def test_seeds():
    assert list(mask(CORPUS, 0.5, seed=1)) == list(mask(iter(CORPUS), 0.5, seed=1))
    assert list(mask(CORPUS, 0.5, seed=1)) != list(mask(CORPUS, 0.5, seed=2))


def test_a_higher_rate_hides_more_of_the_same():
    for little, much in zip(mask(CORPUS, 0.3), mask(CORPUS, 0.6), strict=True):
        assert set(much.spans) <= set(little.spans)


def test_order_does_not_matter():
    distinct = CORPUS[:50]
    turned = list(mask(distinct[25:], 0.5)), list(mask(distinct[:25], 0.5))
    assert turned[1] + turned[0] == list(mask(distinct, 0.5))


def test_streams():
    def endless():
        while True:
            yield SENTENCE

    assert next(mask(endless(), 0.5)).words == SENTENCE.words


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_a_rate_that_is_no_probability(rate):
    with pytest.raises(InputError, match="from 0 to 1"):
        mask([], rate)
