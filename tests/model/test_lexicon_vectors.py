import numpy as np
import pytest
import torch

from gleanner.errors import InputError
from gleanner.model import lexicon_vectors as module
from gleanner.model.choices import LexiconOptions
from gleanner.model.examples import encode
from gleanner.model.lexicon import Lexicon
from gleanner.model.lexicon_vectors import LexiconVectors
from gleanner.model.spelling import Spelling
from gleanner.types import Sentence

SENTENCES = [Sentence(tuple("李白住在北京大学")), Sentence(tuple("北京")), Sentence(())]


@pytest.fixture
def build(tmp_path):
    def build(text=None, sentences=SENTENCES):
        path = tmp_path / "lexicon.txt"
        if text is not None:
            path.write_text(text, encoding="utf-8")
        return LexiconVectors.build(encode(sentences), LexiconOptions(file=None if text is None else str(path), size=3))

    return build


def test_all_words_that_have_vectors_are_kept(build):
    words = build("北京 1 2\n京 0 0\n上海 3 4\n北京 5 6\n" + "长" * 21 + " 7 8\n大学 9 9\n")
    assert words.lexicon.words == ["北京", "上海", "大学"]
    assert words.embedding.weight.tolist() == [[0, 0], [1, 2], [3, 4], [9, 9]]
    assert words.size == 2


def test_of_words_without_vectors_those_of_the_corpus_are_kept(build):
    words = build("上海\n大学\n北京\n大学\n学\n")
    assert words.lexicon.words == ["大学", "北京"]
    assert words.embedding.weight.shape == (3, 3)
    assert words.embedding.weight[1:].all()
    assert not words.embedding.weight[0].any()


def test_without_a_file_the_text_has_words_of_its_own(build):
    assert build(sentences=SENTENCES * 3).lexicon.words[:3] == ["李白", "李白住", "李白住在"]
    assert build().lexicon.words == []


@pytest.mark.parametrize("text", ["上海\n天津\n", "上海 1 2\n", "京\n"])
def test_a_lexicon_without_any_word_of_the_data(build, text):
    with pytest.raises(
        InputError, match=r"lexicon.txt: none of its \d words of 2 to 20 characters stands in the training"
    ):
        build(text)


@pytest.fixture
def rows():
    words = list("李白住在北京大学") + list("北京")
    spelling = Spelling.of(words)
    return spelling, np.arange(10, dtype=np.int32), np.array([8, 2])


@pytest.fixture
def words():
    return LexiconVectors(Lexicon(["北京", "北京大学", "大学", "京大", "京大学", "上海"]), 4)


def test_the_words_that_cover_a_word(words, rows):
    table = words.covering(*rows, 5).tolist()
    assert [row[:4] for row in table] == [
        *[[0] * 4] * 4,
        [2, 1, 0, 0],  # 北: the longest first
        [2, 5, 1, 4],  # 京: of two of the same width the one that begins before
        [2, 5, 4, 3],
        [2, 5, 3, 0],
        [1, 0, 0, 0],
        [1, 0, 0, 0],
    ]
    assert len(table[0]) == 4
    assert words.covering(*rows, 2).tolist() == [row[:2] for row in table]


def test_nothing_covers_a_text_without_matches(words):
    spelling = Spelling.of(["天"])
    assert words.covering(spelling, np.zeros(3, np.int32), np.array([3]), 5).tolist() == [[0], [0], [0]]


@pytest.mark.parametrize("block", [1, 3, 9, 1 << 14])
def test_the_rows_that_a_corpus_needs(words, rows, monkeypatch, block):
    monkeypatch.setattr(module, "BLOCK", block)
    assert sorted(words.rows(*rows)) == [0, 1, 2, 3, 4, 5]
    assert sorted(words.rows(rows[0], rows[1][8:], np.array([0, 2, 0]))) == [0, 1]
    assert words.rows(rows[0], rows[1][:0], np.array([], np.int64)).tolist() == [0]


def test_vectors_are_about_one_long():
    torch.manual_seed(0)
    lengths = LexiconVectors(Lexicon([f"{k:03}" for k in range(500)]), 50).embedding.weight[1:].norm(dim=1)
    assert lengths.mean().item() == pytest.approx(1, abs=0.02)
