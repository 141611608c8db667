import json

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.errors import InputError
from gleanner.model.choices import FlatOptions, LexiconOptions
from gleanner.model.examples import encode
from gleanner.model.flat import Flat
from gleanner.model.vocabulary import Vocabulary
from gleanner.types import Sentence

SMALL = FlatOptions(heads=2, head_size=4, feed_forward=12, char_size=6)
SENTENCES = [Sentence(tuple("李白住在北京。")), Sentence(("New", "York"))]


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory):
    path = tmp_path_factory.mktemp("lexicon") / "words.txt"
    path.write_text("北京\n李白\nNew York\n李白住\n在北京。\n", encoding="utf-8")
    return LexiconOptions(file=str(path), size=5)


@pytest.fixture(scope="module", params=[1, 2])
def encoder(request, lexicon):
    torch.manual_seed(0)
    options = FlatOptions(heads=2, head_size=4, feed_forward=12, char_size=6, layers=request.param)
    return Flat.build(encode(SENTENCES), options, lexicon).eval()


def inputs_of(encoder, rows):
    vocabulary = Vocabulary()
    numbers = np.array([number for row in rows for number in vocabulary.add(row)], np.int32)
    return encoder.collate(encoder.table(vocabulary.words), numbers, np.array([len(row) for row in rows], np.int64))


def read(encoder, rows):
    with torch.no_grad():
        vectors = encoder(inputs_of(encoder, rows))
    assert vectors.start is vectors.end
    return vectors.start


def test_the_lattice_of_two_rows(encoder):
    batch = inputs_of(encoder, [list("李白住在北京。"), ["New"], ["北", "京"]])
    words = [encoder.words.lexicon.words[number - 1] for number in batch["words"].tolist()]
    assert words == ["李白", "李白住", "在北京。", "北京", "北京"]
    assert batch["counts"].tolist() == [4, 0, 1]
    assert batch["head"].tolist() == [0, 0, 3, 4, 0]
    assert (batch["head"] + batch["widths"][batch["kind"]]).tolist() == [1, 2, 6, 5, 1]
    assert batch["widths"].tolist() == [0, 1, 2, 3]


def test_one_vector_a_character(encoder):
    vectors = read(encoder, [list("李白住在北京。"), ["天"]])
    assert vectors.shape == (8, encoder.size) == (8, 8)
    assert vectors.isfinite().all()


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.lists(st.sampled_from(["李", "白", "住", "北", "京", "New", "York", "", "\u200b"]), min_size=1), min_size=2
    )
)
def test_neighbours_in_a_batch_change_nothing(encoder, rows):
    together = read(encoder, rows).split([len(row) for row in rows])
    for row, found in zip(rows, together, strict=True):
        torch.testing.assert_close(found, read(encoder, [row]), rtol=1e-4, atol=1e-5)


def test_words_matter_where_they_stand(encoder):
    before = read(encoder, [list("李白住在北京。")])
    weight = encoder.words.embedding.weight
    kept = weight.detach().clone()
    with torch.no_grad():
        weight[1 + encoder.words.lexicon.words.index("New York")] += 1
        assert torch.equal(read(encoder, [list("李白住在北京。")]), before)
        weight[1 + encoder.words.lexicon.words.index("北京")] += 1
        assert not torch.allclose(read(encoder, [list("李白住在北京。")]), before, atol=1e-3)
        weight.copy_(kept)


def test_numbers_of_characters():
    encoder = Flat.build(encode(SENTENCES), SMALL, LexiconOptions())
    assert encoder.table(["李", "new", "York", "天", ""]).values.tolist() == [1, 0, 9, 0, 0]
    lower = Flat.build(encode([Sentence(("york",))]), SMALL, LexiconOptions())
    assert lower.table(["York"]).values.tolist() == [1]


def test_every_weight_learns(lexicon):
    torch.manual_seed(0)
    encoder = Flat.build(encode(SENTENCES), SMALL, lexicon)
    encoder(inputs_of(encoder, [list("李白住在北京。"), ["New", "York"]])).start.sin().sum().backward()
    assert [name for name, parameter in encoder.named_parameters() if parameter.grad is None] == []
    assert not encoder.words.embedding.weight.grad[0].any()


def test_half_precision(encoder):
    with torch.autocast("cpu", torch.bfloat16):
        found = read(encoder, [list("李白住在北京。"), ["天"]])
    torch.testing.assert_close(found.float(), read(encoder, [list("李白住在北京。"), ["天"]]), rtol=0.1, atol=0.1)


def test_vectors_of_characters(tmp_path):
    path = tmp_path / "chars.txt"
    path.write_text("天 1 2 3\n北 4 5 6\n天 7 8 9\n", encoding="utf-8")
    options = FlatOptions(heads=2, head_size=4, feed_forward=12, vectors=str(path))
    encoder = Flat.build(encode(SENTENCES), options, LexiconOptions())
    assert encoder.chars[:3] == ["天", "北", "李"]
    assert encoder.char.weight[1:3].tolist() == [[1, 2, 3], [4, 5, 6]]
    assert encoder.options.char_size == 3
    assert read(encoder.eval(), [list("北天")]).shape == (2, 8)


def test_save_and_restore(encoder, tmp_path):
    encoder.save(tmp_path / "encoder")
    restored = Flat.restore(tmp_path / "encoder").eval()
    restored.load_state_dict(encoder.state_dict())
    rows = [list("李白住在北京。"), ["New", "York", "\ud83d"]]
    assert torch.equal(read(restored, rows), read(encoder, rows))
    assert json.loads((tmp_path / "encoder" / "vocabulary.json").read_text())["word_size"] == 5


def test_a_lexicon_with_uneven_vectors(tmp_path):
    path = tmp_path / "lexicon.txt"
    path.write_text("北京 1 2\n李白 1 2 3\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"lexicon.txt:2: a word and 2 numbers were expected, found '李白 1 2 3'"):
        Flat.build(encode(SENTENCES), SMALL, LexiconOptions(file=str(path)))
