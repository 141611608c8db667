import numpy as np
import pytest
import torch

from gleanner.errors import InputError
from gleanner.model.config import TaggerConfig
from gleanner.model.tagger import Tagger
from gleanner.model.transformer import Transformer
from gleanner.training.o_values import o_values, silent, smallest
from gleanner.types import Sentence, Span


@pytest.fixture
def make_tagger(tiny_encoder):
    def make(head):
        torch.manual_seed(0)
        tagger = Tagger(TaggerConfig(labels=("O", "PER"), head=head), Transformer.load(str(tiny_encoder), "first"))
        tagger.precision = "fp32"
        return tagger

    return make


SENTENCES = [
    Sentence(("Ada", "wrote", "to", "Euler", "."), (Span(0, 1, "PER"), Span(2, 3, "O"), Span(3, 4, "?"))),
    Sentence(("Euler", "wrote"), (Span(0, 1, "PER"),), complete=True),
    Sentence(()),
    Sentence(("Newton",)),
]


@pytest.mark.parametrize("head", ["linear", "angle", "crf", "angle-crf"])
def test_the_score_of_o_of_each_word(make_tagger, head):
    tagger = make_tagger(head)
    feed = tagger.feed(SENTENCES)
    values = o_values(tagger, feed)
    assert values.shape == (8,)
    second = feed.batch(np.array([1]))
    with torch.no_grad():
        alone = tagger.eval().head(tagger.encoder(second.inputs), second.units)
    torch.testing.assert_close(values[second.units.place], alone[:, 0], atol=1e-4, rtol=1e-4)


def test_only_words_have_o_values(make_tagger):
    tagger = make_tagger("biaffine")
    with pytest.raises(InputError, match=r"the head 'biaffine' scores spans; choose one for words: linear, angle, crf"):
        o_values(tagger, tagger.feed(SENTENCES))


def test_words_that_nobody_labelled(make_tagger):
    feed = make_tagger("linear").feed(SENTENCES)
    words = [word for sentence in SENTENCES for word in sentence.words]
    found = [word for word, is_silent in zip(words, silent(feed).tolist(), strict=True) if is_silent]
    assert found == ["wrote", ".", "Newton"]  # not the entities, the explicit O, the unknown and the complete sentence


def test_the_share_is_rounded_up_exactly():
    values = torch.arange(200.0).flip(0)
    candidate = torch.arange(200) % 2 == 0
    marked = smallest(values, candidate, 0.07)  # as floating point 0.07 * 100 is more than 7
    assert marked.nonzero().flatten().tolist() == list(range(186, 200, 2))
    assert smallest(values, candidate, 0.1 * 2**-5).sum() == 1
    assert smallest(values, candidate, 0.0).sum() == 0
    assert smallest(values, torch.zeros(200, dtype=torch.bool), 0.5).sum() == 0


def test_of_equal_values_the_first_words():
    candidate = torch.ones(6, dtype=torch.bool)
    assert smallest(torch.tensor([1.0, 0, 1, 0, 0, 1]), candidate, 0.6).tolist() == [
        True,
        True,
        False,
        True,
        True,
        False,
    ]
