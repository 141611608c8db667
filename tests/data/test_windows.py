"""Pieces of a text: whole, the same wherever the reading begins, and errors with their line."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.data.windows import pieces
from gleanner.errors import InputError

PROSE = st.lists(st.sampled_from([*"aB.! é。", "\n", "\n\n", "\r\n", "word "]), max_size=80).map("".join)


def written(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("windows") / "a.txt"
    path.write_bytes(data)
    return path


@given(PROSE, st.integers(1, 40), st.booleans())
def test_pieces_are_the_whole_text(tmp_path_factory, text, size, whole_lines):
    path = written(tmp_path_factory, text.encode())
    found = list(pieces(path, size=size, whole_lines=whole_lines))
    assert "".join(piece.text for piece in found) == text.replace("\r\n", "\n")
    assert sum(piece.read for piece in found) == len(text.encode())
    numbers = [piece.window for piece in found]
    assert numbers == sorted(set(numbers))


@given(PROSE, st.integers(1, 40), st.integers(0, 12), st.integers(1, 12))
def test_they_are_the_same_when_the_reading_begins_in_the_middle(tmp_path_factory, text, size, first, count):
    path = written(tmp_path_factory, text.encode())
    every = {piece.window: piece.text for piece in pieces(path, size=size)}
    part = {piece.window: piece.text for piece in pieces(path, size=size, first=first, last=first + count)}
    assert part == {number: text for number, text in every.items() if first <= number < first + count}


@given(PROSE, st.integers(1, 40), st.integers(0, 5))
def test_a_packed_file_has_the_same_pieces(tmp_path_factory, text, size, first):
    plain = written(tmp_path_factory, text.encode())
    packed = plain.with_name("a.txt.gz")
    packed.write_bytes(gzip.compress(text.encode()))
    whole, again = (
        [(piece.window, piece.text) for piece in pieces(path, size=size, first=first)] for path in (plain, packed)
    )
    assert whole == again


@given(PROSE, st.integers(1, 40))
def test_whole_lines_are_never_cut(tmp_path_factory, text, size):
    path = written(tmp_path_factory, text.encode())
    assert all(piece.text.endswith("\n") for piece in list(pieces(path, size=size, whole_lines=True))[:-1])


def test_a_piece_ends_with_a_paragraph_else_with_a_sentence_else_with_a_line(tmp_path):
    path = tmp_path / "a.txt"
    for text, first in (
        ("0123456789 one\ntwo.\nthree\n\nfour", "0123456789 one\ntwo.\nthree\n\n"),
        ("0123456789 one\ntwo.\nthree\nfour", "0123456789 one\ntwo.\n"),
        ("0123456789 one\ntwo\nthree\nfour", "0123456789 one\n"),
        ("0123456789one two three", "0123456789one "),
    ):
        path.write_text(text)
        assert next(pieces(path, size=10 if text.count("\n\n") == 0 else 16)).text == first


@pytest.mark.parametrize(
    ("data", "line", "what"),
    [
        (b"one\ntwo\nth\0ree\n", 3, "a null byte"),
        (b"one\ntwo\n\xff\n", 3, "byte 0xff is not UTF-8"),
        (b"\xff", 1, "byte 0xff is not UTF-8"),
    ],
)
def test_bad_bytes(tmp_path, data, line, what):
    path = tmp_path / "a.txt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=what) as caught:
        list(pieces(path, size=4))
    assert caught.value.line == line


def test_a_byte_order_mark_is_taken_off(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffone\n".encode())
    assert [piece.text for piece in pieces(path)] == ["one\n"]


def test_a_packed_file_that_is_cut_off(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"line\n" * 50_000)[:-20])
    with pytest.raises(InputError, match="cut off or corrupt") as caught:
        list(pieces(path, size=50_000))
    assert caught.value.line > 40_000


def test_a_packed_file_with_a_wrong_byte(tmp_path):
    path = tmp_path / "a.txt.gz"
    packed = bytearray(gzip.compress("".join(f"{number * 7919 % 100_003}\n" for number in range(100_000)).encode()))
    packed[len(packed) // 2] ^= 255
    path.write_bytes(packed)
    with pytest.raises(InputError, match="cut off or corrupt") as caught:
        list(pieces(path, size=50_000))
    assert caught.value.line > 10_000


def test_a_line_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("gleanner.data.windows.LONGEST", 50)
    path = tmp_path / "a.txt"
    path.write_text("short\n" + "x" * 100)
    with pytest.raises(InputError, match="a line of more than 50 bytes") as caught:
        list(pieces(path, size=10))
    assert caught.value.line == 1 or caught.value.line == 2


def test_a_file_that_has_vanished(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(pieces(tmp_path / "a.txt"))
