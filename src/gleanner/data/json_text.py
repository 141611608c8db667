"""JSON read piece by piece, from a file that need not fit into memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from gleanner.data.blocks import LONGEST_LINE, blocks
from gleanner.data.json_values import half_character
from gleanner.errors import InputError


def no_constant(name: str) -> NoReturn:
    """For `parse_constant`: Python reads NaN and Infinity, which JSON does not have."""
    raise ValueError(f"{name} is not a number of JSON")


_DECODER = json.JSONDecoder(parse_constant=no_constant)
_WHITE = " \t\r\n"
_SPACE = re.compile(f"[{_WHITE}]*")

_CUT = 12
"""Characters before the end where a complaint may only mean that a literal or an escape, say \\ud83d\\ude00, is cut off."""


class JsonText:
    r"""The JSON of a file from its beginning to its end. Whoever reads says how far down it is taken apart.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.json"
    ...     _ = path.write_text('{"a": [1,\n 2], "b": "c"}')
    ...     text = JsonText(path)
    ...     for line, key in text.members():
    ...         print(line, key, list(text.values()) if text.peek() == "[" else text.value())
    1 a [(1, 1), (2, 2)]
    2 b (2, 'c')
    """

    def __init__(self, path: Path, remedy: str = "write valid JSON") -> None:
        """`remedy` is what to do about JSON that is malformed."""
        self._path, self._remedy = path, remedy
        self._blocks = blocks(path)
        self._buffer, self._position, self._line = "", 0, 1

    def peek(self) -> str:
        """The next character that is no white space, empty at the end of the file."""
        while True:
            next_ = self._buffer[self._position : self._position + 1]
            if next_ and next_ not in _WHITE:
                return next_
            self._use(_SPACE.match(self._buffer, self._position).end())  # type: ignore[union-attr]  # it matches always
            if self._position == len(self._buffer) and not self._more():
                return ""

    def members(self) -> Iterator[tuple[int, str]]:
        """The keys of an object with their lines. The value of each is for the caller to read before the next."""
        self._enter("{", "an object")
        mark = "," if self.peek() != "}" else self._step()
        while mark == ",":
            if self.peek() != '"':
                raise self._malformed("expecting a key in double quotes")
            line, key = self.value()
            if self.peek() != ":":
                raise self._malformed("expecting ':' after a key")
            self._step()
            self.peek()
            yield line, key
            mark = self._separator("}", "a value")

    def values(self) -> Iterator[tuple[int, Any]]:
        """The elements of an array, each whole, with their lines."""
        self._enter("[", "an array")
        mark = "," if self.peek() != "]" else self._step()
        while mark == ",":
            yield self.value()
            mark = self._separator("]", "an element")

    def value(self) -> tuple[int, Any]:
        """The next value, whole, and the line where it begins."""
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._buffer, self._position)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or error.pos >= len(self._buffer) - _CUT
                if not (cut and self._more()):
                    self._use(max(error.pos, self._position))
                    raise self._malformed(error.msg) from None
            except RecursionError:
                raise self.error("the JSON is nested too deeply", self._remedy) from None
            except ValueError as error:  # a number of thousands of digits, or none at all
                raise self.error(str(error).partition(";")[0], self._remedy) from None
            else:
                if end >= len(self._buffer) - 2 and type(value) in (int, float) and self._more():
                    continue  # a number may go on: "1" of "1e+" and more is one too
                if half := half_character(value, self._buffer[self._position : end]):
                    raise self.error(f"{half} is half of a surrogate pair", "write the whole character")
                line = self._line
                self._use(end)
                return line, value

    def end(self) -> None:
        """Complains where something follows."""
        if self.peek():
            raise self._malformed("something follows the end")

    def error(self, what: str, remedy: str) -> InputError:
        """An error about what comes next."""
        return InputError(what, path=self._path, line=self._line, remedy=remedy)

    def _enter(self, bracket: str, kind: str) -> None:
        if self.peek() != bracket:
            raise self.error(f"there must be {kind} here", self._remedy)
        self._step()

    def _separator(self, closing: str, after: str) -> str:
        if self.peek() not in (",", closing):
            raise self._malformed(f"expecting ',' or '{closing}' after {after}")
        return self._step()

    def _step(self) -> str:
        """Uses up one character and says which."""
        self._use(self._position + 1)
        return self._buffer[self._position - 1]

    def _malformed(self, what: str) -> InputError:
        return self.error(f"malformed JSON: {what}", self._remedy)

    def _use(self, end: int) -> None:
        if end > self._position:
            self._line += self._buffer.count("\n", self._position, end)
            self._position = end

    def _more(self) -> bool:
        """Reads on: at least as much as there is, lest a long value be begun again at every block."""
        parts = [self._buffer[self._position :]]
        if len(parts[0]) > LONGEST_LINE:
            raise self.error(f"a value of more than {LONGEST_LINE:,} characters", self._remedy)
        wanted = len(parts[0])
        for block in self._blocks:
            parts.append(block)
            wanted -= len(block)
            if wanted <= 0:
                break
        if len(parts) == 1:
            return False
        self._buffer, self._position = "".join(parts), 0
        return True
