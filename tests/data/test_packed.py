"""Packed files: read like others, and written in parts that together are one."""

import bz2
import gzip

import pytest

from gleanner import read
from gleanner.data.lines import lines
from gleanner.data.packed import opened, packer
from gleanner.errors import InputError

TEXT = "Ada\nLovelace\nnaïve\n".encode()


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2", ".zst"])
def test_parts_are_a_file(tmp_path, ending):
    if ending == ".zst":
        pytest.importorskip("zstandard")
    path = tmp_path / f"a.txt{ending}"
    pack = packer(path)
    path.write_bytes(pack(TEXT) + pack(b"") + pack(TEXT))
    with opened(path) as handle:
        assert handle.read() == TEXT * 2
    assert [line for _, line in lines(path)] == ["Ada", "Lovelace", "naïve"] * 2
    assert pack(TEXT) == packer(path)(TEXT)


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".zst"])
def test_a_file_that_is_cut_off_has_its_line(tmp_path, ending):
    if ending == ".zst":
        pytest.importorskip("zstandard")
    path = tmp_path / f"a.jsonl{ending}"
    path.write_bytes(packer(path)(b'{"tokens": ["a"]}\n' * 3) + packer(path)(b'{"tokens": ["b"]}\n' * 3)[:-6])
    with pytest.raises(InputError, match="cut off or corrupt") as caught:
        list(read(path))
    assert caught.value.path == path
    assert caught.value.line is not None


def test_what_is_not_packed_at_all(tmp_path):
    pytest.importorskip("zstandard")
    for name in ("a.gz", "a.bz2", "a.zst"):
        (tmp_path / name).write_bytes(b"plain text\n")
        with pytest.raises(InputError, match="cut off or corrupt"):
            list(lines(tmp_path / name))


def test_zstandard_is_an_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    (tmp_path / "a.txt.zst").write_bytes(b"")
    with pytest.raises(InputError, match=r"gleanner\[zstd\]"):
        list(lines(tmp_path / "a.txt.zst"))


def test_the_format_is_told_by_the_ending_beneath(tmp_path):
    for name, pack in (("a.jsonl.gz", gzip.compress), ("a.conll.bz2", bz2.compress)):
        (tmp_path / name).write_bytes(pack(b'{"tokens": ["Ada"]}\n' if "jsonl" in name else b"Ada O\n"))
        assert [sentence.words for sentence in read(tmp_path / name)] == [("Ada",)]
