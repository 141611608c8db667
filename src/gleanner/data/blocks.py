"""The text of a file, packed or not, block by block: what a reader that streams is made of.

No block has a null byte. What is wrong with the bytes (a packed file that is cut off, an encoding that changes) is said
with the line where it is.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from gleanner.data.lines import null_byte, readable, undecoded
from gleanner.data.packed import intact, opened
from gleanner.errors import InputError

LONGEST_LINE = 1 << 26
"""Characters of a line: as much as is held in memory at once. The largest items of Wikidata have some millions."""

_BLOCK = 1 << 20

_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def blocks(path: Path) -> Iterator[str]:
    """The text in pieces of about a million characters: UTF-8, or UTF-16 where the file begins with its mark."""
    line, encoding, decoder = 1, "", None
    with readable(path), opened(path) as handle, intact(path, lambda: line):
        try:
            for raw in chain(iter(lambda: handle.read(_BLOCK), b""), [b""]):  # what is empty ends the decoding
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
            raise undecoded(error, path, line, encoding.upper().removesuffix("-SIG")) from error


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
        raise null_byte(path, line)
