import json
from dataclasses import asdict

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.model.bilstm import LONGEST_WORD, BiLSTM
from gleanner.model.choices import BiLSTMOptions
from gleanner.model.vocabulary import Vocabulary

SMALL = BiLSTMOptions(word_size=6, char_size=4, hidden=5, layers=2)


def build(words=("Ada", "lived", "in", "London"), options=SMALL):
    torch.manual_seed(0)
    return BiLSTM.build(words, options).eval()


def inputs_of(encoder, sentences):
    vocabulary = Vocabulary()
    words = [number for sentence in sentences for number in vocabulary.add(sentence)]
    table = encoder.table(vocabulary.words)
    return encoder.collate(table, np.array(words, np.int32), np.array([len(s) for s in sentences], np.int64))


def read(encoder, sentences):
    with torch.no_grad():
        vectors = encoder(inputs_of(encoder, sentences))
    assert vectors.start is vectors.end
    return vectors.start


def test_one_vector_a_word():
    encoder = build()
    vectors = read(encoder, [["Ada", "lived"], ["London"], ["in", "in", "in"]])
    assert vectors.shape == (6, encoder.size) == (6, 10)
    assert vectors.isfinite().all()


@settings(deadline=None, max_examples=30)
@given(st.lists(st.lists(st.sampled_from(["Ada", "a", "", "unbelievably", "日本", "x" * 90]), min_size=1), min_size=2))
def test_neighbours_in_a_batch_change_nothing(sentences):
    encoder = build()
    together = read(encoder, sentences).split([len(sentence) for sentence in sentences])
    for sentence, found in zip(sentences, together, strict=True):
        torch.testing.assert_close(found, read(encoder, [sentence]), rtol=1e-4, atol=1e-5)


def test_unknown_words_differ_by_their_characters_only():
    encoder = build()
    table = encoder.table(["Ada", "ada", "London", "LIVED", "Adal", "Q\u200b"])
    rows = [table.values[a:b].tolist() for a, b in zip(table.starts, table.starts[1:], strict=False)]
    assert [row[0] for row in rows] == [1, 0, 4, 2, 0, 0]  # "LIVED" is known in lower case
    assert rows[5][1:] == [1, 1]
    assert rows[0][1:] == rows[4][1:4]
    encoder.char.weight.data[1] = encoder.char.weight.data[encoder.table(["d"]).values[1]]
    torch.testing.assert_close(read(encoder, [["dd"]]), read(encoder, [["QQ"]]))


def test_the_characters_of_a_word_are_limited():
    assert build().table(["x" * 1000]).lengths.tolist() == [1 + LONGEST_WORD]


def test_training_forgets_words_now_and_then():
    options = BiLSTMOptions(word_size=6, char_size=4, hidden=5, dropout=0.0, word_dropout=0.999999)
    encoder = build(options=options)
    forgotten = encoder.train()(inputs_of(encoder, [["Ada", "in"]])).start
    encoder.word.weight.data[1:] = encoder.word.weight.data[0]
    torch.testing.assert_close(forgotten.detach(), read(encoder.eval(), [["Ada", "in"]]))


def test_every_weight_learns():
    encoder = build().train()
    encoder(inputs_of(encoder, [["Ada", "lived"], ["nowhere"]])).start.sum().backward()
    assert all(parameter.grad is not None for parameter in encoder.parameters())
    assert not encoder.char.weight.grad[0].any()  # padding


def test_half_precision_is_not_for_a_recurrence():
    encoder = build()
    with torch.autocast("cpu", torch.bfloat16):
        assert read(encoder, [["Ada"]]).dtype == torch.float32


def test_save_and_restore(tmp_path):
    encoder = build(("Ada", "Göttingen", "日本", "\ud83d"))
    encoder.save(tmp_path / "encoder")
    restored = BiLSTM.restore(tmp_path / "encoder").eval()
    restored.load_state_dict(encoder.state_dict())
    sentences = [["Ada", "日本", "new"], ["\ud83d"]]
    assert torch.equal(read(restored, sentences), read(encoder, sentences))
    assert (restored.words, restored.chars, restored.options) == (encoder.words, encoder.chars, encoder.options)
    assert json.loads((tmp_path / "encoder" / "vocabulary.json").read_text())["options"] == asdict(SMALL)


def test_vectors_decide_the_width_and_come_first(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("2 3\nin 1 2 3\nnever -1 0 0.5\n", encoding="utf-8")
    encoder = build(("Ada", "in"), BiLSTMOptions(word_size=50, char_size=4, hidden=5, vectors=str(path)))
    assert encoder.words == ["in", "never", "Ada"]
    assert encoder.options.word_size == 3
    assert encoder.word.weight.shape == (4, 3)
    assert encoder.word.weight[1:3].tolist() == [[1, 2, 3], [-1, 0, 0.5]]
    assert read(encoder, [["never", "in"]]).shape == (2, 10)
