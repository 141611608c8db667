import pytest
import torch

from gleanner.errors import InputError
from gleanner.model.vectors import read_vectors, read_words


def test_vectors_without_a_header(tmp_path):
    path = tmp_path / "vectors.txt"
    path.write_text("日本 1 2 \n\u00a0x 3 4\n", encoding="utf-8")
    names, vectors = read_vectors(path)
    assert names == ["日本", "\u00a0x"]
    assert vectors.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a 1 2\nb 1\n", 2, "a word and 2 numbers were expected, found 'b 1'"),
        ("2 3\na 1 2 3\nb 1 2 3 4\n", 3, "a word and 3 numbers were expected, found 'b 1 2 3 4'"),
        ("a 1 x\n", 1, "a word and numbers were expected, found 'a 1 x'"),
        ("a 1\n\n", 2, "a word and 1 numbers were expected, found ''"),
        ("a\n", 1, "a word and numbers were expected, found 'a'"),
    ],
)
def test_bad_vectors(tmp_path, text, line, what):
    path = tmp_path / "vectors.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_vectors(path)
    assert str(caught.value).startswith(f"{path}:{line}: {what}; every line is 'word v1 v2 ...'")


@pytest.mark.parametrize("value", ["nan", "inf", "1e60"])
def test_vectors_must_be_finite(tmp_path, value):
    path = tmp_path / "vectors.txt"
    path.write_text(f"a 1 2\nb 1 {value}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_words(path)
    assert str(caught.value) == f"{path}:2: 'b 1 {value}' has values that are no finite numbers; mend them"


@pytest.mark.parametrize("content", [None, b"", b"3 2\n", b"\xff\xfe 1\n"])
def test_no_vectors(tmp_path, content):
    path = tmp_path / "vectors.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_vectors(path)
    assert caught.value.path == path
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words", "width"),
    [
        ("北京 1 2\n上海 3 4\n", ["北京", "上海"], 2),
        ("2 2\n北京 1 2\n上海 3 4\n", ["北京", "上海"], 2),
        ("北京\n\n  上海 \r\n", ["北京", "上海"], None),
        ("New York\n北京\n", ["New York", "北京"], None),
        ("Boeing 747\n北京\n", ["Boeing 747", "北京"], None),
    ],
)
def test_words_with_vectors_or_without(tmp_path, text, words, width):
    path = tmp_path / "words.txt"
    path.write_text(text, encoding="utf-8")
    found, vectors = read_words(path)
    assert found == words
    assert (None if vectors is None else vectors.shape) == (None if width is None else torch.Size((len(words), width)))


def test_a_file_of_vectors_is_one_to_its_end(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("北京 1 2\n上海 3\n", encoding="utf-8")
    with pytest.raises(InputError, match="2: a word and 2 numbers were expected, found '上海 3'"):
        read_words(path)


@pytest.mark.parametrize("content", [None, b"", b"\n \n", b"\xff\n"])
def test_no_words(tmp_path, content):
    path = tmp_path / "words.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_words(path)
    assert caught.value.path == path
    assert "\n" not in str(caught.value)
