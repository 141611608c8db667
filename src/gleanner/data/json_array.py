"""The elements of a JSON array, one after the other, from a file that need not fit into memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from gleanner.data.json_values import half_character
from gleanner.data.lines import lines, readable
from gleanner.errors import InputError

_CHUNK = 1 << 18
"""Characters to read at once; more when one element is larger."""


def elements(path: Path) -> Iterator[tuple[int, Any]]:
    """Each element of the array that the file holds, with the line in which it begins."""
    with readable(path), path.open(encoding="utf-8-sig") as handle:
        text = _Text(path, handle)
        if text.peek() != "[":
            raise text.error("this is not a JSON array", "export the project as JSON or JSON-MIN")
        text.skip()
        mark = "," if text.peek() != "]" else "]"
        while mark == ",":
            text.peek()
            yield text.value()
            mark = text.peek()
            if mark not in {",", "]"}:
                raise text.error("malformed JSON: expecting ',' or ']' after an element", "export the file again")
            if mark == ",":
                text.skip()
        text.skip()
        if text.peek():
            raise text.error("malformed JSON: something follows the array", "export the file again")


class _Text:
    """What has been read of a file and not been used, and the line where that begins."""

    def __init__(self, path: Path, handle: TextIO) -> None:
        self._path, self._handle = path, handle
        self._buffer, self._position, self._line = "", 0, 1

    def peek(self) -> str:
        """The next character that is no white space, empty at the end."""
        while True:
            rest = len(self._buffer) - self._position
            while rest and self._buffer[self._position] in " \t\r\n":
                self.skip()
                rest -= 1
            if rest:
                return self._buffer[self._position]
            if not self._more():
                return ""

    def skip(self) -> None:
        """Use up one character."""
        self._use(self._position + 1)

    def value(self) -> tuple[int, Any]:
        """The next value, and its line. Reads on while the value seems cut off."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self._buffer, self._position)
            except json.JSONDecodeError as error:
                if not self._more():
                    self._use(error.pos)
                    raise self.error(f"malformed JSON: {error.msg}", "export the file again") from None
            except RecursionError:
                raise self.error("the JSON is nested too deeply", "export the file again") from None
            else:
                if half := half_character(value, self._buffer[self._position : end]):
                    raise self.error(f"{half} is half of a surrogate pair", "write the whole character")
                line = self._line
                self._use(end)
                return line, value

    def error(self, what: str, remedy: str) -> InputError:
        return InputError(what, path=self._path, line=self._line, remedy=remedy)

    def _use(self, end: int) -> None:
        self._line += self._buffer.count("\n", self._position, end)
        self._position = end

    def _more(self) -> bool:
        rest = self._buffer[self._position :]
        try:
            chunk = self._handle.read(max(_CHUNK, len(rest)))
        except UnicodeDecodeError:
            for _ in lines(self._path):  # finds the line of the bad byte
                pass
            raise
        self._buffer, self._position = rest + chunk, 0
        return bool(chunk)


_DECODER = json.JSONDecoder()
