"""Reading dictionaries, whatever their format: by its name, or by what the path and the beginning of the file tell.

A format is a module of `gleanner.gazetteer.formats`, named like the format, with `read` and the `OPTIONS` that it knows.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from gleanner.data.blocks import blocks
from gleanner.data.json_text import JsonText
from gleanner.data.lines import readable
from gleanner.data.packed import plain_name
from gleanner.errors import InputError
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.formats.table import is_header
from gleanner.gazetteer.skipped import Skipped
from gleanner.gazetteer.term import Term

FORMATS = ("tsv", "table", "list", "json", "jsonl", "entity-ruler", "sparql", "wikidata")
"""The names of the formats."""

_KEYS = {"pattern": "entity-ruler", "claims": "wikidata"}
"""Formats that are one JSON object a line, by a key that their objects have and no others."""

_LOG = logging.getLogger(__name__)


class _Format(Protocol):
    OPTIONS: frozenset[str]

    def read(self, file: DictionaryFile, skipped: Skipped) -> Iterator[Term]: ...


def read_terms(file: DictionaryFile | str | Path) -> Iterator[Term]:
    """The terms of a file one after the other, in its order. A string is what a user types: see `DictionaryFile.parse`.

    What can be told at once (the format, an option that it does not know, a missing file) is told at once.
    """
    file = DictionaryFile.of(file)
    name = file.format or detect(file)
    if name not in FORMATS:
        raise InputError(f"there is no format {name!r}", path=file.path, remedy=f"choose one of {', '.join(FORMATS)}")
    module = cast(_Format, import_module(f"gleanner.gazetteer.formats.{name.replace('-', '_')}"))
    unknown = sorted(file.options - module.OPTIONS)
    if unknown:
        what, known = f"{unknown[0]} says nothing about a file of the format {name}", ", ".join(sorted(module.OPTIONS))
        raise InputError(what, path=file.path, remedy=f"leave it out; there are: {known}")
    with readable(file.path), file.path.open("rb"):
        pass
    return _some(module, file)


def read_all(files: Iterable[DictionaryFile | str | Path]) -> list[tuple[str, Iterator[Term]]]:
    """The name of each file and its terms, as a lexicon is compiled of them. What can be told at once is told at once."""
    return [(file.name, read_terms(file)) for file in map(DictionaryFile.of, files)]


def _some(module: _Format, file: DictionaryFile) -> Iterator[Term]:
    """The terms, of which there must be one."""
    skipped = Skipped()
    terms = module.read(file, skipped)
    first = next(terms, None)
    if first is None:
        what = f"no term in it, only {skipped}" if skipped else "no term in it"
        raise InputError(what, path=file.path, remedy="check that it is the right file")
    yield first
    yield from terms
    if skipped:
        _LOG.warning("%s: passed over were %s", file.path, skipped)


def detect(file: DictionaryFile) -> str:
    """The name of the format: told by the ending, and where several formats have it by the first line."""
    path = file.path
    ending = Path(plain_name(path)).suffix.lower()
    match ending:
        case ".csv":
            return "table"
        case ".tsv" | ".tab" | ".txt":
            return _detect_lines(file, ending)
        case ".jsonl" | ".ndjson":
            return _detect_object(_beginning(path)[0])
        case ".json":
            return _detect_json(path)
    raise InputError(
        f"the ending {ending!r} does not tell the format",
        path=path,
        remedy=f"name it as {path.name}:format=NAME, one of {', '.join(FORMATS)}",
    )


def _detect_lines(file: DictionaryFile, ending: str) -> str:
    line, _ = _beginning(file.path)
    if any(option.endswith("-column") for option in file.options) or ("\t" in line and is_header(line)):
        return "table"
    return "tsv" if "\t" in line or ending != ".txt" else "list"


def _detect_object(line: str) -> str:
    """Which of the formats of one JSON object a line it is; what is wrong with it the reader says, and where."""
    record = _object(line) or {}
    return next((name for key, name in _KEYS.items() if key in record), "jsonl")


def _detect_json(path: Path) -> str:
    text = JsonText(path)
    if text.peek() == "[":
        _, first = next(text.values(), (0, None))
        return "wikidata" if isinstance(first, dict) and "claims" in first else "json"
    line, rest = _beginning(path)
    if rest and _object(line):
        return _detect_object(line)  # one a line, although the file is called .json
    if text.peek() == "{":
        member = next(text.members(), None)
        if member and member[1] in ("head", "results") and text.peek() == "{":
            return "sparql"
    return "json"


def _object(line: str) -> dict[str, Any] | None:
    """The object that a line is, if it is one."""
    try:
        record = json.loads(line.rstrip().removesuffix(","))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _beginning(path: Path) -> tuple[str, str]:
    """The first line that is not blank, and something of what follows."""
    line, _, rest = next(blocks(path), "").lstrip().partition("\n")
    return line, rest.strip()
