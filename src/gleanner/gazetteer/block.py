"""Many texts as one array of characters, so that what is done to each is done to all at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

_UNKNOWN = np.iinfo(np.int32).min


@dataclass(frozen=True)
class Block:
    """Texts joined by line feeds."""

    text: str
    raw: bytes | None
    """The text in ASCII, where it is no more than that."""
    codes: NDArray[Any]
    """The text's characters: uint8 where it is ASCII, else int64, which other arrays can be indexed with at once."""
    starts: Integers
    """Where each text starts, and where another would: text k is `text[starts[k] : starts[k + 1] - 1]`."""

    @classmethod
    def of(cls, texts: Sequence[str]) -> Block:
        """At least one text."""
        text = "\n".join(texts)
        starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1, out=starts[1:])
        if text.isascii():
            raw = text.encode("ascii")
            return cls(text, raw, np.frombuffer(raw, np.uint8), starts)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
        return cls(text, None, codes, starts)

    @property
    def separators(self) -> Integers:
        """The places of the line feeds between texts."""
        return self.starts[1:-1] - 1


class Characters:
    """A number for each character, found out when the character is first met."""

    def __init__(self, number: Callable[[str], int]) -> None:
        self._number = number
        self._table = np.full(0x110000, _UNKNOWN, np.int32)
        self._table[:128] = [number(chr(code)) for code in range(128)]
        ascii_numbers = self._table[:128]
        # Where all of them fit into bytes, ASCII is translated by `bytes.translate`, which is faster than indexing.
        fits = ascii_numbers.min() >= 0 and ascii_numbers.max() < 256
        self._bytes = bytes(ascii_numbers.tolist()).ljust(256, b"\0") if fits else None

    def of(self, codes: NDArray[Any], raw: bytes | None = None) -> NDArray[Any]:
        """The characters' numbers: bytes where `raw`, the same characters in ASCII, is given."""
        if raw is not None and self._bytes is not None:
            return np.frombuffer(raw.translate(self._bytes), np.uint8)
        numbers = self._table.take(codes)
        if numbers.size and numbers.min() == _UNKNOWN:
            for code in np.unique(codes[numbers == _UNKNOWN]).tolist():
                self._table[code] = self._number(chr(code))
            numbers = self._table.take(codes)
        return numbers
