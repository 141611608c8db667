"""The text of a file, packed or not, block by block: what a reader that streams is made of.

No block has a null byte. What is wrong with the bytes (a packed file that is cut off, an encoding that changes) is said
with the line where it is.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from gleanner.data.lines import readable
from gleanner.errors import InputError

PACKED = (".gz", ".bz2", ".zst")
"""Endings of the files that are unpacked while they are read."""

LONGEST_LINE = 1 << 26
"""Characters of a line: as much as is held in memory at once. The largest items of Wikidata have some millions."""

_BLOCK = 1 << 20

_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}

_ZSTD_PIECE = 1 << 12
"""Bytes to unpack at once. Zstandard packs as much as 30,000 to 1, so that many of them could fill the memory."""


def blocks(path: Path) -> Iterator[str]:
    """The text in pieces of about a million characters: UTF-8, or UTF-16 where the file begins with its mark."""
    line, encoding, decoder = 1, "", None
    with readable(path):
        try:
            for raw in _pieces(path):
                if decoder is None:
                    encoding = _UTF_16.get(raw[:2], "utf-8-sig")
                    raw = raw[2:] if raw[:2] in _UTF_16 else raw  # noqa: PLW2901
                    decoder = codecs.getincrementaldecoder(encoding)()
                text = decoder.decode(raw, final=not raw)
                _check_null(text, path, line)
                line += text.count("\n")
                if text:
                    yield text
        except UnicodeDecodeError as error:
            text = error.object[: error.start].decode(encoding, "ignore")
            _check_null(text, path, line)  # UTF-16 without a mark has many, before what is not UTF-8
            line += text.count("\n")
            raise InputError(
                f"byte {error.object[error.start]:#04x} is not {encoding.upper().removesuffix('-SIG')}",
                path=path,
                line=line,
                remedy="convert the file, for instance with iconv -t UTF-8",
            ) from error
        except _CorruptError as error:
            what = f"the packed file is cut off or corrupt ({error})"
            raise InputError(what, path=path, line=line, remedy="fetch or pack it again") from error


def batches(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines without their line feeds, in lists, each with the number of its first line, counted from 1."""
    number, rest = 1, ""
    for block in blocks(path):
        lines = block.split("\n")
        lines[0] = rest + lines[0]
        rest = lines.pop()
        if len(rest) > LONGEST_LINE:
            what = f"a line of more than {LONGEST_LINE:,} characters"
            raise InputError(what, path=path, line=number + len(lines), remedy="check that it is the right file")
        if lines:
            yield number, lines
            number += len(lines)
    if rest:
        yield number, [rest]


def numbered(path: Path) -> Iterator[tuple[int, str]]:
    """The lines one by one, without their ends, with their numbers."""
    for first, lines in batches(path):
        for number, line in enumerate(lines, first):
            yield number, line.removesuffix("\r")


def _check_null(text: str, path: Path, line: int) -> None:
    if "\0" in text:
        line += text.count("\n", 0, text.index("\0"))
        raise InputError("a null byte", path=path, line=line, remedy="save the file as UTF-8 text")


class _CorruptError(Exception):
    """A packed file cannot be unpacked."""


def _pieces(path: Path) -> Iterator[bytes]:
    """The unpacked bytes of a file. The last piece, and no other, is empty."""
    try:
        yield from _unpacked(path)
    except (EOFError, zlib.error) as error:
        raise _CorruptError(str(error).rstrip(".")) from error
    except OSError as error:
        if error.errno is not None:  # the system's; those of gzip and bz2 have no number
            raise
        raise _CorruptError(str(error)) from error
    yield b""


def _unpacked(path: Path) -> Iterator[bytes]:
    match path.suffix.lower():
        case ".gz":
            with gzip.open(path) as packed:
                yield from iter(lambda: packed.read(_BLOCK), b"")
        case ".bz2":
            with bz2.open(path) as packed:
                yield from iter(lambda: packed.read(_BLOCK), b"")
        case ".zst":
            with path.open("rb") as handle:
                yield from _unpacked_zstd(iter(lambda: handle.read(_ZSTD_PIECE), b""), path)
        case _:
            with path.open("rb") as handle:
                yield from iter(lambda: handle.read(_BLOCK), b"")


def _unpacked_zstd(pieces: Iterable[bytes], path: Path) -> Iterator[bytes]:
    """The library's own reader takes a file that is cut off for a whole one, so that frames are told apart here."""
    try:
        import zstandard
    except ImportError:
        raise InputError(
            "files ending in .zst need the library zstandard", path=path, remedy="pip install zstandard"
        ) from None
    frame = None
    for piece in pieces:
        while piece:
            if frame is None or frame.eof:
                frame = zstandard.ZstdDecompressor().decompressobj()
            try:
                unpacked = frame.decompress(piece)
            except zstandard.ZstdError as error:
                raise _CorruptError(str(error)) from error
            if unpacked:
                yield unpacked
            piece = frame.unused_data if frame.eof else b""  # noqa: PLW2901
    if frame is not None and not frame.eof:
        raise _CorruptError("the last frame does not end")
