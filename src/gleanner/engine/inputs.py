"""Files, and the blocks that work is done on."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import TypeVar

from gleanner.data import jsonl, parquet
from gleanner.data.files import ReadOptions, detect, read
from gleanner.data.lines import readable
from gleanner.data.packed import is_address, plain_name, storage
from gleanner.data.windows import pieces
from gleanner.errors import InputError
from gleanner.types import Sentence

SENTENCES = 512
"""Sentences of a block of an annotated file."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is read."""

    path: str
    """On a local disk, or an address."""
    format: str
    size: int
    """Bytes, as they are stored."""
    version: str
    """What changes when the file does."""

    @property
    def is_text(self) -> bool:
        """Whether it is text without any annotation, of which `Block.text` is a part."""
        return self.format == "text"


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a file, as large as to be worth sending to another process."""

    file: int
    """The file's number, from 0."""
    number: int
    """Higher for each block of the file, though not always by 1."""
    read: int
    """Bytes of the file that were read for it, for those who watch."""
    text: str = ""
    sentences: tuple[Sentence, ...] = ()
    """Those of a file that is not text."""
    most: int | None = None
    """How many records are wanted of it; None: all."""

    def drawn(self, items: Sequence[T], share: float = 1.0, seed: int = 0) -> Sequence[T]:
        """A random share of what the block holds, the same wherever and whenever it is drawn, and of these the first `most`.

        >>> Block(0, 7, 100).drawn("abcdefgh", 0.5, seed=1) == Block(0, 7, 100).drawn("abcdefgh", 0.5, seed=1)
        True
        >>> Block(0, 7, 100, most=3).drawn("abcdefgh")
        'abc'
        """
        if share < 1:
            random = Random(f"{seed}:{self.file}:{self.number}").random
            items = [item for item in items if random() < share]
        return items[: self.most]


def sources(patterns: Sequence[str | Path], format: str | None = None) -> tuple[Source, ...]:  # noqa: A002
    """The files that names, patterns such as `corpus/*.txt` and addresses mean, in order."""
    found: dict[str, Source] = {}
    for pattern in patterns:
        for path in _addresses(str(pattern)) if is_address(pattern) else _paths(str(pattern)):
            if path in found:
                raise InputError("this file is given twice", path=path, remedy="name it once")
            found[path] = _source(path, format)
    if not found:
        raise InputError("no file is given", remedy="name at least one")
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Cut:
    """How text is cut into blocks."""

    size: int
    """Bytes of a block, about."""
    whole_lines: bool = False
    """Whether a line is one text, so that no block ends inside it."""


def still_there(inputs: Sequence[Source]) -> None:
    """Complains about a file that grew or shrank since it was found: nobody knows what of it was read.

    One that is gone was read to its end, or reading it would have failed.
    """
    for source in inputs:
        try:
            size = _source(source.path, source.format).size
        except InputError:
            continue
        if size != source.size:
            what = f"the file changed while it was read: it had {source.size:,} bytes, and has {size:,}"
            raise InputError(what, path=source.path, remedy="begin anew with --force when nothing writes to it")


def blocks(source: Source, file: int, cut: Cut, *, first: int = 0, last: int | None = None) -> Iterator[Block]:
    """The blocks of a file whose numbers are from `first` up to before `last`."""
    if source.is_text:
        for piece in pieces(source.path, whole_lines=cut.whole_lines, first=first, last=last, size=cut.size):
            yield Block(file, piece.window, piece.read, piece.text)
        return
    left, ratio = source.size, 0.0
    sentences = _sentences(source)
    for number, chunk in enumerate(iter(lambda: tuple(islice(sentences, SENTENCES)), ())):
        ratio = ratio or _bytes_a_word(chunk)
        read_now = min(left, round(ratio * _words(chunk)))
        left -= read_now
        if first <= number and (last is None or number < last):
            yield Block(file, number, read_now, sentences=chunk)


def _sentences(source: Source) -> Iterator[Sentence]:
    if not is_address(source.path):
        return read(source.path, source.format)
    if source.format == "parquet":
        return parquet.read(source.path, ReadOptions())
    return jsonl.read(source.path, ReadOptions())


def _words(sentences: Sequence[Sentence]) -> int:
    return sum(len(sentence.words) for sentence in sentences)


def _bytes_a_word(sentences: Sequence[Sentence]) -> float:
    """How many bytes of the file a word is, about: readers do not tell where they are."""
    return sum(map(len, jsonl.rendered(islice(sentences, 50), Counter()))) / max(_words(sentences[:50]), 1)


def _paths(pattern: str) -> list[str]:
    if Path(pattern).exists() or not glob.has_magic(pattern):
        return [pattern]
    paths = glob.glob(pattern, recursive=True)  # noqa: PTH207 - a pattern may begin anywhere, as in a shell
    found = sorted(path for path in paths if not Path(path).is_dir())
    if not found:
        raise InputError(f"no file matches {pattern!r}", remedy="check the pattern")
    return found


def _addresses(pattern: str) -> list[str]:
    system, name = storage(pattern)
    with readable(pattern):
        names = sorted(system.glob(name)) if glob.has_magic(name) else [name]
    if not names:
        raise InputError(f"no file matches {pattern!r}", remedy="check the pattern")
    return [str(system.unstrip_protocol(name)) for name in names]


def _source(path: str, name: str | None) -> Source:
    if is_address(path):
        return _remote(path, name)
    with readable(path):
        form = name or _form(path)
        stats = [file.stat() for file in _files(Path(path))]
    return Source(path, form, sum(s.st_size for s in stats), str(max((s.st_mtime_ns for s in stats), default=0)))


def _remote(path: str, name: str | None) -> Source:
    system, file = storage(path)
    with readable(path):
        size, version = int(system.size(file) or 0), str(system.ukey(file))
    ending = Path(plain_name(path)).suffix.lower()
    form = name or ("jsonl" if ending in jsonl.ENDINGS else "parquet" if ending in parquet.ENDINGS else "text")
    if form not in ("jsonl", "parquet", "text"):
        raise InputError(f"{form} cannot be read from an address", path=path, remedy="copy it, or convert it to jsonl")
    return Source(path, form, size, version)


def _files(path: Path) -> list[Path]:
    """The file itself, or all that are in a folder; of `folder:split` the folder's."""
    if not path.exists():
        folder, colon, _ = str(path).rpartition(":")
        path = Path(folder) if colon and Path(folder).is_dir() else path
    return [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]


def _form(path: str) -> str:
    """The format; what has an ending that nobody knows is text."""
    try:
        return detect(path, for_writing=False)
    except InputError:
        if Path(path).is_file():
            return "text"
        raise
