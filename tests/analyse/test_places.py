import pytest
import torch

from gleanner import Sentence, Span
from gleanner.analyse.places import kinds, listing, with_gold
from gleanner.model.examples import encode
from gleanner.model.feed import Feed
from gleanner.model.transformer import Transformer
from gleanner.model.units import SpanUnits, TokenUnits

WORDS = ("Ada", "Lovelace", "lived", "in", "New", "York")
GOLD = [
    Sentence(WORDS, (Span(0, 2, "PER"), Span(4, 6, "LOC")), complete=True),
    Sentence(("London",), (Span(0, 1, "LOC"),)),
]
TRAIN = [Sentence(WORDS, (Span(0, 2, "PER"), Span(2, 3, "O"), Span(3, 4, "?"))), Sentence(("London",))]


@pytest.fixture
def feed(tiny_encoder):
    def feed(kind, sentences=TRAIN):
        return Feed(encode(sentences), Transformer.load(str(tiny_encoder), "first"), kind)

    return feed


@pytest.mark.parametrize("kind", [SpanUnits(3), TokenUnits("BIO")])
def test_every_unit_is_listed_once_where_it_stands(feed, kind):
    units = listing(feed(kind))
    assert len(units.place.unique()) == len(units.place)
    found = set(zip(units.sentence.tolist(), units.start.tolist(), units.end.tolist(), strict=True))
    widths = range(1, 4) if isinstance(kind, SpanUnits) else [1]
    assert found == {(s, a, a + w) for s, n in ((0, 6), (1, 1)) for w in widths for a in range(n - w + 1)}
    width = units.end - units.start
    first = torch.tensor([0, 6])[units.sentence] + units.start  # words before
    assert torch.equal(units.place, first * kind.places + width - 1)


def test_a_long_sentence_that_is_cut_is_listed_whole(feed):
    long = Sentence(tuple(WORDS * 30), (Span(60, 62, "PER"),))
    units = listing(feed(SpanUnits(2), [TRAIN[0], long]))
    of_it = units.sentence == 1
    assert sorted(units.start[of_it & (units.end - units.start == 1)].tolist()) == list(range(180))
    assert units.start[of_it & (units.label > 0)].tolist() == [60]


def test_hidden_and_negative_spans(feed):
    data = feed(SpanUnits(3))
    what = kinds(data, GOLD)
    assert what.hidden.nonzero().squeeze(1).tolist() == [4 * 3 + 1, 6 * 3]  # New York, London
    units = listing(data)
    assert what.negative.sum() == len(units.place) - 4  # Ada Lovelace, the unknown one, and the hidden ones
    assert not (what.hidden & what.negative).any()


def test_hidden_and_negative_words(feed):
    what = kinds(feed(TokenUnits("BIO")), GOLD)
    assert what.hidden.nonzero().squeeze(1).tolist() == [4, 5, 6]
    assert what.negative.nonzero().squeeze(1).tolist() == [2]  # "in" is unknown, the rest labelled


def test_the_gold_may_have_types_that_training_never_sees(feed):
    data = feed(SpanUnits(3))
    assert data.examples.labels == ("O", "PER")
    assert (listing(with_gold(data, GOLD)).label > 0).sum() == 3
