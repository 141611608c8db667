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
from itertools import pairwise
from pathlib import Path
from typing import Any

from gleanner.data.atomic import atomic
from gleanner.data.characters import entities_alone, outermost
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
    with atomic(path) as handle:
        handle.writelines(rendered(sentences, dropped, scheme))


def rendered(sentences: Iterable[Sentence], dropped: Counter[str], scheme: Scheme = "BIO") -> Iterator[str]:
    """The lines of a file, for one that is not written at a stroke: a pipe."""
    width: int | None = None  # further columns: as many as the first sentence has
    for sentence in sentences:
        further = _further(sentence)
        if width is None:
            width = len(further[0]) if further else 0
        labels = tags(_entities(sentence, scheme, dropped), len(sentence.words), scheme)
        yield from _heading(sentence, dropped)
        for word, cells, tag in zip(sentence.words, further, labels, strict=True):
            if word.startswith(_DOCUMENT):
                dropped[f"words that read as a {_DOCUMENT} line"] += 1
            if len(cells) > width:
                dropped["cells of further columns"] += len(cells) - width
            kept = (cells + ["_"] * width)[:width]
            yield "\t".join(_cell(cell, dropped) for cell in (word, *kept, tag)) + "\n"
        yield "\n"


def _layout(path: Path, column: int | None) -> _Layout | None:
    """What the first line that is surely no comment shows; None if there is no such line."""
    for number, line in lines(path):
        if not line.strip() or line.startswith((_DOCUMENT, "#")):
            continue
        tabs = "\t" in line
        count = len(_cells(line, tabs=tabs))
        if count < 2:
            what = f"one column, {line.strip()!r}, where a word and its label are needed"
            raise InputError(what, path=path, line=number, remedy="name the format if it is not conll")
        label = count - 1 if column is None else column if column >= 0 else column + count
        if not 0 < label < count:
            what = f"column {column} cannot hold the labels: there are {count}, and the words are in column 0"
            raise InputError(what, path=path, line=number, remedy=f"choose one from 1 to {count - 1}")
        return _Layout(count, label, tabs)
    return None


def _blocks(path: Path, layout: _Layout) -> Iterator[_Block]:
    block = _Block({})
    for number, line in lines(path):
        is_document = line.startswith(_DOCUMENT)
        if is_document or not line.strip():
            if block.rows:
                yield block
                block = _Block({})
            if is_document:
                block.meta["docstart"] = line
            continue
        cells = layout.cells(line)
        fits = len(cells) == layout.columns
        if line.startswith("#") and not block.rows and not (fits and is_tag(cells[layout.label])):
            block.meta.setdefault("comments", []).append(line)
            continue
        if not fits or not all(cells):
            what = f"{sum(map(bool, cells))} columns in {line!r} where the lines before have {layout.columns}"
            raise InputError(what, path=path, line=number, remedy="mend the line")
        block.first = block.first or number
        block.rows.append(cells)
    if block.rows:
        yield block


def _cells(line: str, *, tabs: bool) -> list[str]:
    return [cell.strip(" ") for cell in line.split("\t")] if tabs else re.split("[ \t]+", line.strip(" \t"))


def _entities(sentence: Sentence, scheme: Scheme, dropped: Counter[str]) -> list[Span]:
    """The entities that columns can hold; counts what they cannot."""
    entities = entities_alone(sentence, dropped)
    kept = outermost(entities)
    if len(kept) < len(entities):
        dropped["nested entities"] += len(entities) - len(kept)
    if scheme == "IO":
        for before, after in pairwise(kept):
            if (before.end, before.label) == (after.start, after.label):
                dropped["borders between neighbours of one type"] += 1
    if sentence.text is not None:
        dropped["texts and character offsets"] += 1
    if sentence.complete:
        dropped["completeness of sentences"] += 1
    return kept


def _further(sentence: Sentence) -> list[list[str]]:
    """The cells of the further columns, for each word, where there are as many rows as words."""
    match sentence.meta.get("columns"):
        case list(rows) if len(rows) == len(sentence.words) and all(isinstance(row, list) for row in rows):
            return [[str(cell) for cell in row] for row in rows]
    return [[] for _ in sentence.words]


def _heading(sentence: Sentence, dropped: Counter[str]) -> list[str]:
    """The lines before the words: the beginning of a document, comments."""
    comments = sentence.meta.get("comments", [])
    wanted = [sentence.meta["docstart"]] if "docstart" in sentence.meta else []
    wanted += comments if isinstance(comments, list) else [comments]
    heading = [
        line for line in wanted if isinstance(line, str) and line.startswith(("#", _DOCUMENT)) and "\n" not in line
    ]
    if len(heading) < len(wanted) or sentence.meta.keys() - _KEPT:
        dropped["metadata of sentences"] += 1
    return [line + ("\n\n" if line.startswith(_DOCUMENT) else "\n") for line in heading]


def _cell(cell: str, dropped: Counter[str]) -> str:
    """The cell as it can stand between tabs."""
    if cell and cell.strip(" ") == cell and not re.search("[\t\r\n]", cell):
        return cell
    dropped["white space in cells"] += 1
    return re.sub("[ \t\r\n]", "_", cell) or "_"
