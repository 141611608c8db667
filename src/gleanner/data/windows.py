"""A long text in pieces of about a megabyte that end where a paragraph, or at least a line, ends.

Window k of a file is its bytes from k * SIZE. A piece reaches from the first good place in one window to the first good place
in a later one. So where pieces begin can be told without reading what is before them, and many processes that each read a
part of a file get the same pieces as one that reads all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from gleanner.data.lines import null_byte, readable, undecoded
from gleanner.data.packed import UNREADABLE, intact, opened, packing, stored, unpacked
from gleanner.errors import InputError

SIZE = 1 << 20
"""Bytes of a window."""

LONGEST = 1 << 26
"""Bytes that are held at once when no line and no word ends."""

# None ends between the two bytes of a Windows line end, nor inside a character.
_BLANK = rb"(?:[ \t\r\v\f]*\n)"
_PARAGRAPH = re.compile(rb"\n" + _BLANK + rb"+")
_SENTENCE = re.compile(rb"(?:[.!?][\"')\]]*|" + "|".join("。！？”…").encode() + rb")" + _BLANK + rb"+")
_LINE = re.compile(rb"\n")
_SPACE = re.compile(rb"[ \t\v\f]")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text."""

    window: int
    """In which window it begins: a number for each piece, higher ones later in the file."""
    text: str
    read: int
    """Bytes, as they are stored, that were read for it."""


def pieces(
    path: str | Path, *, whole_lines: bool = False, first: int = 0, last: int | None = None, size: int | None = None
) -> Iterator[Piece]:
    """The pieces that begin in the windows from `first` up to before `last`.

    `whole_lines`: lines are what counts, so that none is ever cut, however long it is.
    """
    size = size or SIZE
    begin = 0 if packing(path) else first  # what is packed is only read from its beginning
    with readable(path), stored(path) as raw:
        raw.seek(begin * size)
        with unpacked(raw, path) as handle:
            for piece in _pieces(_windows(handle, path, size, begin), raw, path, (begin, last), size, whole_lines):
                if piece.window >= first:
                    yield piece


def _pieces(
    windows: Iterator[tuple[int, bytes]],
    raw: IO[bytes],
    path: str | Path,
    asked: tuple[int, int | None],
    size: int,
    whole_lines: bool,
) -> Iterator[Piece]:
    first, last = asked
    held: list[bytes] = []
    begun, start, before = first, first * size, raw.tell()  # window and byte where the piece begins
    found = first == 0  # whether its beginning is known
    for number, window in windows:
        place = 0 if number == 0 else _good_place(window, whole_lines)
        if number and place is not None:
            if found:
                held.append(window[:place])
                yield _piece(held, begun, start, path, raw.tell() - before)
                before = raw.tell()
            if last is not None and number >= last:
                return
            found, held, begun, start = True, [window[place:]], number, number * size + place
        elif last is not None and number >= last and not found:
            return
        else:
            held.append(window)
            if sum(map(len, held)) > LONGEST:
                what = f"a line of more than {LONGEST:,} bytes"
                raise InputError(what, path=path, line=_line(path, start), remedy="check that it is text")
    if found and held:
        yield _piece(held, begun, start, path, raw.tell() - before)


def _windows(handle: IO[bytes], path: str | Path, size: int, first: int) -> Iterator[tuple[int, bytes]]:
    number = first
    with intact(path, lambda: _line(path, number * size)):
        while window := handle.read(size):
            yield number, window
            number += 1


def _good_place(window: bytes, whole_lines: bool) -> int | None:
    for pattern in (_LINE,) if whole_lines else (_PARAGRAPH, _SENTENCE, _LINE, _SPACE):
        if match := pattern.search(window):
            return match.end()
    return None


def _piece(held: list[bytes], window: int, start: int, path: str | Path, read: int) -> Piece:
    data = b"".join(held)
    if b"\0" in data:
        raise null_byte(path, _line(path, start + data.index(b"\0")))
    try:
        text = data.decode("utf-8-sig" if start == 0 else "utf-8")
    except UnicodeDecodeError as error:
        raise undecoded(error, path, _line(path, start + error.start)) from error
    return Piece(window, text.replace("\r\n", "\n") if "\r" in text else text, read)


def _line(path: str | Path, byte: int) -> int:
    """The line that holds a byte of a file. Only errors ask, so it is counted from the beginning."""
    line = 1
    with opened(path) as handle:
        while byte > 0:
            try:
                data = handle.read(min(SIZE, byte))
            except UNREADABLE:
                break  # of a corrupt file what can be read of it
            if not data:
                break
            line += data.count(b"\n")
            byte -= len(data)
    return line
