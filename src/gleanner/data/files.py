"""Reading and writing annotated text, whatever its format: by name, or by what the path tells.

A format is a module of this package, named like the format, with `ENDINGS`, `read` and `write`.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from gleanner.data.lines import lines
from gleanner.data.packed import plain_name
from gleanner.errors import InputError
from gleanner.types import Corpus, Sentence

FORMATS = ("jsonl", "conll", "spacy", "prodigy", "label-studio", "doccano", "brat", "datasets", "parquet", "text")
"""The names of the formats."""

_FOLDERS = ("brat", "datasets")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReadOptions:
    """What a file cannot say about itself."""

    complete: bool | None = None
    """What silence means: True, that a span that is not listed is no entity; False, that nobody knows.
    None: what the file says, and False where it says nothing."""
    column: int | None = None
    """CoNLL: which column holds the label, counted from 0, or from the end when negative. None: the last."""


class _Format(Protocol):
    ENDINGS: tuple[str, ...]

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sentence]: ...

    def write(self, sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None: ...


def read(path: str | Path, format: str | None = None, options: ReadOptions | None = None) -> Iterator[Sentence]:  # noqa: A002
    """The sentences of a file, one after the other. What can be told at once (the format, a missing file) is told at once."""
    path = Path(path)
    module = _module(_readable(path, format))
    return _with_words(module.read(path, options or ReadOptions()), path)


def corpus(
    paths: Sequence[str | Path],
    format: str | None = None,  # noqa: A002
    options: ReadOptions | None = None,
) -> Corpus:
    """The sentences of several files in order, read anew at each iteration."""
    if not paths:
        raise InputError("no file is given", remedy="name at least one")
    formats = [(path, _readable(Path(path), format)) for path in paths]
    return Corpus(lambda: (sentence for path, name in formats for sentence in read(path, name, options)))


def write(sentences: Iterable[Sentence], path: str | Path, format: str | None = None) -> Counter[str]:  # noqa: A002
    """Writes a file, whole or not at all. Returns, in words, how much of what the format could not hold."""
    path = Path(path)
    dropped: Counter[str] = Counter()
    _module(format or detect(path, for_writing=True)).write(sentences, path, dropped)
    return dropped


def detect(path: str | Path, *, for_writing: bool) -> str:
    """The name of the format of a path: told by its ending, by its first record or by what is in the folder.

    >>> detect("train.bioes", for_writing=True)
    'conll'
    """
    path = Path(path)
    if not for_writing:
        folder, colon, _ = str(path).rpartition(":")
        if colon and not path.exists() and Path(folder).is_dir():
            return "datasets"  # a folder and one of its splits
        _check_exists(path)
        if path.is_dir():
            return _detect_folder(path)
    ending = Path(plain_name(path)).suffix if not for_writing else path.suffix
    names = [name for name in FORMATS if ending.lower() in _module(name).ENDINGS]
    if not names:
        raise InputError(
            f"the ending {ending!r} does not tell the format",
            path=path,
            remedy=f"name the format: {', '.join(FORMATS)}",
        )
    return _detect_record(path) if names[0] == "jsonl" and not for_writing else names[0]


def _readable(path: Path, name: str | None) -> str:
    """The format of a path that is there and is a file where the format wants one."""
    if name is None:
        return detect(path, for_writing=False)
    if name not in _FOLDERS:
        _check_exists(path)
        if path.is_dir():
            raise InputError("this is a folder, not a file", path=path, remedy="name a file inside it")
    return name


def _check_exists(path: Path) -> None:
    if not path.exists():
        raise InputError("no such file", path=path, remedy="check the name")


def _detect_folder(folder: Path) -> str:
    if any(folder.glob("*.ann")):
        return "brat"
    if any((folder / name).exists() for name in ("dataset_info.json", "state.json", "dataset_dict.json")):
        return "datasets"
    raise InputError(
        "this folder has neither .ann files (brat) nor a state.json (datasets)",
        path=folder,
        remedy="name a file, or the format",
    )


def _detect_record(path: Path) -> str:
    """Which of the formats of one JSON object a line the first record has."""
    for _, line in lines(path):
        if line.strip():
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                break  # the reader says what is wrong with it, and where
            return _detect_keys(record) if isinstance(record, dict) else "jsonl"
    return "jsonl"


def _detect_keys(record: dict[str, Any]) -> str:
    tokens, spans = record.get("tokens"), record.get("spans")
    if isinstance(tokens, list) and tokens:  # whatever metadata stand beside them: those of another format are kept
        return "prodigy" if isinstance(tokens[0], dict) else "jsonl"
    if "answer" in record or "_input_hash" in record:
        return "prodigy"
    if isinstance(spans, list) and "tokens" not in record:
        return "prodigy"
    if tokens is None and ("text" in record or "data" in record):
        entities = record.get("entities")
        offsets = (
            isinstance(entities, list) and entities and isinstance(entities[0], dict) and "start_offset" in entities[0]
        )
        if "label" in record or "labels" in record or offsets:
            return "doccano"
    return "jsonl"


def _module(name: str) -> _Format:
    if name not in FORMATS:
        raise InputError(f"there is no format {name!r}", remedy=f"choose one of {', '.join(FORMATS)}")
    return cast(_Format, import_module(f"gleanner.data.{name.replace('-', '_')}"))


def _with_words(sentences: Iterator[Sentence], path: Path) -> Iterator[Sentence]:
    """The sentences that have words. A file without any is a mistake."""
    found = empty = 0
    for sentence in sentences:
        if sentence.words:
            found += 1
            yield sentence
        else:
            empty += 1
    if not found:
        what = f"no sentence in it, only {empty} without words" if empty else "no sentence in it"
        raise InputError(what, path=path, remedy="check that it is the right file")
    if empty:
        _LOG.warning("%s: sentences without words, which were skipped: %d", path, empty)
