"""A plain list: a term a line, all of the types that are said with the path, else of the type that the file is named after.

Blank lines are passed over. `phrases.txt:?` is a list of phrases without a type.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gleanner.data.blocks import batches
from gleanner.data.packed import plain_name
from gleanner.errors import InputError
from gleanner.gazetteer.cells import clean, types_of
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.skipped import Skipped
from gleanner.gazetteer.term import Term

OPTIONS = frozenset(["type", "case"])


def read(file: DictionaryFile, skipped: Skipped) -> Iterator[Term]:
    """One term a line."""
    types = types_of((Path(plain_name(file.path)).stem,)) if file.types is None else file.types
    for first, lines in batches(file.path):
        for number, line in enumerate(lines, first):
            if line and not line.isspace():
                try:
                    yield Term(clean(line), types, number, case=file.case)
                except ValueError as problem:
                    raise InputError(str(problem), path=file.path, line=number) from None
