"""Columns as in CoNLL's shared tasks: a word and its label a line, a blank line after each sentence.

    # comments stand before a sentence
    Ada       NNP  B-PER
    Lovelace  NNP  I-PER

The columns are divided by tabs, or by spaces in a file without tabs. The word is in the first, the label in the last or in
`ReadOptions.column`; the others are kept, as are comments and -DOCSTART- lines. The tag scheme is found by a first reading
of the whole file. On writing, the ending of the file says which one to use: BIO for .conll.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gleanner.data.atomic import atomic
from gleanner.data.characters import entities_alone
from gleanner.data.files import ReadOptions
from gleanner.data.lines import checked, lines
from gleanner.data.tags import Scheme, TagError, detect, is_tag, spans, tags
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

_SCHEMES: dict[str, Scheme] = {
    ".conll": "BIO",
    ".bio": "BIO",
    ".iob": "IOB1",
    ".io": "IO",
    ".bioes": "BIOES",
    ".bmes": "BMES",
}
ENDINGS: tuple[str, ...] = tuple(_SCHEMES)

_DOCUMENT = "-DOCSTART-"
_KEPT = frozenset(["docstart", "comments", "columns"])
"""The metadata that the format has a place for."""


@dataclass(frozen=True)
class _Layout:
    """What is the same in all lines of a file."""

    columns: int
    label: int
    tabs: bool

    def cells(self, line: str) -> list[str]:
        return _cells(line, tabs=self.tabs)


@dataclass
class _Block:
    """The lines of a sentence."""

    meta: dict[str, Any]
    first: int = 0
    """The number of the first line that has a word."""
    rows: list[list[str]] = field(default_factory=list)


def read(path: Path, options: ReadOptions) -> Iterator[Sentence]:
    """One sentence a block of lines."""
    layout = _layout(path, options.column)
    if layout is None:
        return
    label = layout.label
    scheme = detect([row[label] for row in block.rows] for block in _blocks(path, layout))
    for block in _blocks(path, layout):
        try:
            found = spans([row[label] for row in block.rows], scheme)
        except TagError as error:
            line = block.first + error.index
            raise InputError(str(error), path=path, line=line, remedy="mend the tag, or name its column") from None
        if layout.columns > 2:
            block.meta["columns"] = [row[1:label] + row[label + 1 :] for row in block.rows]
        words = tuple(row[0] for row in block.rows)
        yield checked(Sentence(words, tuple(found), bool(options.complete), meta=block.meta), path, block.first)


def write(sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None:
    """One block a sentence, divided by tabs, with the label in the last column."""
    scheme = _SCHEMES.get(path.suffix.lower(), "BIO")
    width = None
    with atomic(path) as handle:
        for sentence in sentences:
            columns = _columns(sentence)
            if width is None:
                width = len(columns[0]) if columns else 0
            entities = _flat(sentence, scheme, dropped)
            for line in _heading(sentence, dropped):
                handle.write(line)
            labels = tags(entities, len(sentence.words), scheme)
            for word, others, tag in zip(sentence.words, columns or [[]] * len(labels), labels, strict=True):
                dropped["further columns"] += max(0, len(others) - width)
                kept = (others + ["_"] * width)[:width]
                handle.write("\t".join(_cell(cell, dropped) for cell in (word, *kept, tag)) + "\n")
            handle.write("\n")
    del dropped["further columns"]
