"""JSON: an array of objects or strings, or an object of `type: [terms]` or `term: type`. Read piece by piece.

An object has the keys that a table has as columns, and arrays where a cell holds several values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gleanner.data.json_text import JsonText
from gleanner.errors import InputError
from gleanner.gazetteer.cells import shown, types_of
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.formats import table
from gleanner.gazetteer.records import Objects, terms_of
from gleanner.gazetteer.skipped import Skipped
from gleanner.gazetteer.term import Term

OPTIONS = table.OPTIONS


def read(file: DictionaryFile, skipped: Skipped) -> Iterator[Term]:
    """The terms of each element or member, and their aliases."""
    text = JsonText(file.path)
    terms = _Terms(file)
    if text.peek() == "{":
        for key_line, key in text.members():
            if text.peek() == "[":
                for line, value in text.values():
                    yield from terms(value, line, key)
            else:
                yield from terms(key, key_line, text.value()[1])
    elif text.peek():
        for line, value in text.values():
            yield from terms(value, line, None)
    text.end()


class _Terms:
    """Makes terms of strings and of objects."""

    def __init__(self, file: DictionaryFile) -> None:
        self._file, self._objects = file, Objects(file)

    def __call__(self, value: Any, line: int, type_: Any) -> list[Term]:
        """The terms of one; `type_` is what stands outside of it."""
        try:
            if type_ is not None and not isinstance(type_, str):
                raise ValueError(f"the type of {shown(value)} must be a string, not {shown(type_)}")
            if isinstance(value, dict):
                return self._objects.terms(value, line, type_)
            if isinstance(value, str):
                return terms_of(self._file, line, value, None if type_ is None else types_of((type_,)))
            raise ValueError(f"{shown(value)} is no term; write a string, or an object with one")
        except ValueError as problem:
            raise InputError(str(problem), path=self._file.path, line=line) from None
