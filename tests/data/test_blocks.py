import builtins
import bz2
import gzip
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.data import blocks as module
from gleanner.data.blocks import batches, blocks, numbered
from gleanner.errors import InputError

TEXT = "Köln\nBath\r\n\nŁódź\n中文 😀"
LINES = [(1, "Köln"), (2, "Bath"), (3, ""), (4, "Łódź"), (5, "中文 😀")]


def packed(text, ending):
    raw = text.encode() if isinstance(text, str) else text
    if ending == ".zst":
        return pytest.importorskip("zstandard").ZstdCompressor(write_checksum=True).compress(raw)
    return {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress}[ending](raw)


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2", ".zst", ".GZ"])
@pytest.mark.parametrize("parts", [1, 2])
def test_lines_of_files_packed_or_not(tmp_path, ending, parts):
    path = tmp_path / f"a.txt{ending}"
    path.write_bytes(packed(TEXT + "\n", ending.lower()) * (parts - 1) + packed(TEXT, ending.lower()))
    assert list(numbered(path))[-5:] == [(number + (parts - 1) * 5, line) for number, line in LINES]


@given(st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"])), st.integers(1, 9))
def test_blocks_may_end_anywhere(tmp_path_factory, text, size):
    path = tmp_path_factory.mktemp("blocks") / "a.txt"
    for encoding in ("utf-8-sig", "utf-16"):
        path.write_bytes(text.encode(encoding))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "_BLOCK", max(size, 2))
            assert "".join(blocks(path)) == text
            expected = text.removesuffix("\n").split("\n") if text else []
            assert [line for _, line in numbered(path)] == expected


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_byte_order_marks(tmp_path, encoding):
    path = tmp_path / "a.txt"
    mark = "" if encoding in ("utf-8-sig", "utf-16") else "\ufeff"
    path.write_bytes((mark + TEXT).encode(encoding))
    assert list(numbered(path)) == LINES


@pytest.mark.parametrize("size", [2, 7, 1000])
@pytest.mark.parametrize(
    ("content", "line", "problem"),
    [
        ("Köln\nBath\nK".encode() + b"\xf6ln\n", 3, "byte 0xf6 is not UTF-8; convert the file"),
        ("Köln\n".encode() + b"\xc3", 2, "byte 0xc3 is not UTF-8"),
        ("Köln\n".encode("utf-16") + b"\xd8", 2, "byte 0xd8 is not UTF-16-LE"),
        (b"Bath\n\nB\0ath\n", 3, "a null byte; save the file as UTF-8"),
        ("Köln\n".encode("utf-16-be"), 1, "a null byte"),
    ],
)
def test_what_is_wrong_with_the_bytes_is_said_with_its_line(tmp_path, monkeypatch, content, line, problem, size):
    monkeypatch.setattr(module, "_BLOCK", size)
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(blocks(path))
    assert str(caught.value).startswith(f"{path}:{line}: {problem}")


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".zst"])
def test_a_packed_file_that_is_cut_off_or_corrupt(tmp_path, monkeypatch, ending):
    monkeypatch.setattr(module, "_BLOCK", 1 << 14)
    path = tmp_path / f"a.txt{ending}"
    whole = packed("".join(f"{number}\n" for number in Random(0).choices(range(10**9), k=100_000)), ending)
    broken = bytearray(whole)
    broken[len(whole) // 2] ^= 255
    for content in (whole[:-9], whole[: len(whole) * 3 // 4], bytes(broken), b"plain text, and not packed"):
        path.write_bytes(content)
        with pytest.raises(
            InputError, match=r"the packed file is cut off or corrupt .*fetch or pack it again"
        ) as caught:
            list(blocks(path))
        assert caught.value.line is not None
    path.write_bytes(whole[: len(whole) * 3 // 4])
    with pytest.raises(InputError) as caught:
        list(blocks(path))
    if ending != ".bz2":  # its blocks are as large as this file
        assert caught.value.line > 1000


def test_zstandard_is_asked_for_where_it_is_missing(tmp_path, monkeypatch):
    imported = builtins.__import__

    def without(name, *args, **kwargs):
        if name == "zstandard":
            raise ImportError(name)
        return imported(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    (tmp_path / "a.tsv.zst").write_bytes(b"?")
    with pytest.raises(InputError, match=r"need the library zstandard; pip install 'gleanner\[zstd\]'"):
        list(blocks(tmp_path / "a.tsv.zst"))


def test_a_line_without_an_end(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LONGEST_LINE", 100)
    monkeypatch.setattr(module, "_BLOCK", 10)
    path = tmp_path / "a.txt"
    path.write_text("a\n" + "b" * 99 + "\n" + "c" * 200)
    with pytest.raises(InputError, match=r"a\.txt:3: a line of more than 100 characters"):
        list(batches(path))


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(blocks(tmp_path / "none.gz"))
