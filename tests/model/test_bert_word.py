import numpy as np
import pytest
import torch

from gleanner.model.bert_word import BertWord
from gleanner.model.lexicon import Lexicon
from gleanner.model.lexicon_vectors import LexiconVectors
from gleanner.model.recurrence import states_of
from gleanner.model.transformer import Transformer

ROW = list("李白住在北京。")


@pytest.fixture
def encoder(tiny_encoder):
    torch.manual_seed(0)
    transformer = Transformer.load(str(tiny_encoder), "edges")
    words = LexiconVectors(Lexicon(["北京", "李白"]), 5)
    return BertWord(transformer, words, most=3, hidden=6, layers=2, dropout=0.2).eval()


def collate(encoder, row, lengths):
    return encoder.collate(encoder.table(row), np.arange(len(row), dtype=np.int32), np.array(lengths))


def test_the_encoder_and_the_words_side_by_side(encoder):
    batch = collate(encoder, ROW, [7])
    with torch.no_grad():
        own = encoder.transformer(batch).start
        words = torch.tensor([2, 2, 0, 0, 1, 1, 0])
        vectors = encoder.words.embedding(words)[:, None]
        joined = torch.cat((own, encoder.attention(own, vectors, (words > 0)[:, None])), dim=1)
        assert not joined[[2, 3, 6], 32:].any()
        found = encoder(batch)
        torch.testing.assert_close(found.start, states_of(encoder.lstm, joined, torch.tensor([7])))
    assert found.start is found.end
    assert found.start.shape == (7, encoder.size) == (7, 12)


def test_neighbours_in_a_batch_change_nothing(encoder):
    with torch.no_grad():
        together = encoder(collate(encoder, ROW, [2, 5])).start
        alone = encoder(collate(encoder, ROW[2:], [5])).start
    torch.testing.assert_close(together[2:], alone, rtol=1e-4, atol=1e-5)


def test_half_precision(encoder):
    with torch.autocast("cpu", torch.bfloat16), torch.no_grad():
        found = encoder(collate(encoder, ROW, [7])).start
    assert found.dtype == torch.float32
    assert found.isfinite().all()


def test_its_rate_is_that_of_the_encoder(encoder):
    assert encoder.rate == encoder.transformer.rate == 2e-4
