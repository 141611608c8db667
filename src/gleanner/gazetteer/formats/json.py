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
from gleanner.gazetteer.records import from_object, terms_of
from gleanner.gazetteer.skipped import Skipped
from gleanner.gazetteer.term import Term

OPTIONS = table.OPTIONS


def read(file: DictionaryFile, skipped: Skipped) -> Iterator[Term]:
    """The terms of each element or member, and their aliases."""
    text = JsonText(file.path)
    if text.peek() == "{":
        for key_line, key in text.members():
            if text.peek() == "[":
                for _ in text.elements():
                    line, value = text.value()
                    yield from _terms(value, line, file, key)
            else:
                _, type_ = text.value()
                yield from _terms(key, key_line, file, type_)
    elif text.peek():
        for _ in text.elements():
            line, value = text.value()
            yield from _terms(value, line, file, None)
    text.end()


def _terms(value: Any, line: int, file: DictionaryFile, type_: Any) -> list[Term]:
    """Of a string or an object; `type_` is what stands outside of it."""
    try:
        if type_ is not None and not isinstance(type_, str):
            raise ValueError(f"the type of {shown(value)} must be a string, not {shown(type_)}")
        if isinstance(value, dict):
            return from_object(value, line, file, type_)
        if isinstance(value, str):
            return terms_of(file, line, value, None if type_ is None else types_of((type_,)))
        raise ValueError(f"{shown(value)} is no term; write a string, or an object with one")
    except ValueError as problem:
        raise InputError(str(problem), path=file.path, line=line) from None
