"""JSON lines: an object a line, with the keys that a table has as columns."""

from __future__ import annotations

from collections.abc import Iterator

from gleanner.data.blocks import numbered
from gleanner.data.jsonl import records
from gleanner.errors import InputError
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.formats import table
from gleanner.gazetteer.records import Objects
from gleanner.gazetteer.skipped import Skipped
from gleanner.gazetteer.term import Term

OPTIONS = table.OPTIONS


def read(file: DictionaryFile, skipped: Skipped) -> Iterator[Term]:
    """The term of each line, and its aliases."""
    objects = Objects(file)
    for line, record in records(file.path, numbered(file.path)):
        try:
            yield from objects.terms(record, line)
        except ValueError as problem:
            raise InputError(str(problem), path=file.path, line=line) from None
