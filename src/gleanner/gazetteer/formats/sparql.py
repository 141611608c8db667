"""The result of a SPARQL query as JSON, as Wikidata's query service gives it with `format=json`: `head`, `results`, `bindings`.

The name is `itemLabel`, or the label of whatever the first variable is; further names are `altLabel` or `itemAltLabel`,
one a row or several. The type is `type` or `typeLabel`. An item whose label is only its number has no name: it is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gleanner.data.json_text import JsonText
from gleanner.data.json_values import require
from gleanner.errors import InputError
from gleanner.gazetteer.cells import types_of
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.formats import table
from gleanner.gazetteer.records import aliases_in, names, no_column, present, terms_of
from gleanner.gazetteer.skipped import Skipped
from gleanner.gazetteer.term import Term

OPTIONS = table.OPTIONS - {"weight-column", "case-column"} | {"language", "Q…"}

_NUMBER = re.compile(r"[QLP]\d+")


def read(file: DictionaryFile, skipped: Skipped) -> Iterator[Term]:
    """The terms of each row. Rows of one item that follow each other give its name once."""
    text = JsonText(file.path)
    there: dict[str, str] = {}
    for line, key in text.members():
        if key == "head":
            there = _variables(text.value()[1], line, file)
        elif key == "results":
            if not there:
                raise text.error("'results' before 'head'", "save the result of the query again")
            yield from _results(text, there, file, skipped)
        else:
            text.value()
    text.end()


def _variables(head: Any, line: int, file: DictionaryFile) -> dict[str, str]:
    """Which variable of the query holds which field of a term."""
    try:
        variables = require(require(head, dict, "'head'").get("vars"), list, "'vars'")
        first = str(variables[0]) if variables else ""
        usual = {
            "term": ("itemLabel", f"{first}Label", "label", "term", "text", "name"),
            "type": ("typeLabel", "type"),
            "id": ("item", "id", first) if f"{first}Label" in variables else ("item", "id"),
            "aliases": ("itemAltLabel", f"{first}AltLabel", "altLabel", "alias", "aliases"),
            "weight": (),
            "case": (),
        }
        there = present(names(file.columns, usual), variables)
        if "term" not in there:
            raise ValueError(no_column("term", map(str, variables), file.columns))
    except ValueError as problem:
        raise InputError(str(problem), path=file.path, line=line) from None
    return there


def _results(text: JsonText, there: dict[str, str], file: DictionaryFile, skipped: Skipped) -> Iterator[Term]:
    for _, key in text.members():
        if key != "bindings":
            text.value()
            continue
        before = None
        for line, row in text.values():
            try:
                terms = _terms(require(row, dict, "a row"), line, there, file, skipped)
            except ValueError as problem:
                raise InputError(str(problem), path=file.path, line=line) from None
            if terms:
                first = (terms[0].text, terms[0].types, terms[0].id)
                yield from terms[first == before :]
                before = first


def _terms(row: dict[str, Any], line: int, there: dict[str, str], file: DictionaryFile, skipped: Skipped) -> list[Term]:
    """The name of a row and its aliases, if it has a name in the languages that are wanted."""
    cells = {field: _Cell(row[name], name) for field, name in there.items() if name in row}
    wanted = {field for field, cell in cells.items() if cell.is_in(file.languages)}
    if "term" not in wanted:
        skipped.add("rows in other languages" if "term" in cells else "rows without a name", line)
        return []
    if _NUMBER.fullmatch(cells["term"].value):
        skipped.add("items without a label", line)
        return []
    types = None
    if "type" in cells:
        type_ = cells["type"].value
        if cells["type"].is_address:
            type_ = re.split(r"[/#]", type_)[-1]
        types = types_of((file.classes.get(type_, type_),))
    return terms_of(
        file,
        line,
        cells["term"].value,
        types,
        id=cells["id"].value if "id" in cells else "",
        aliases=aliases_in(cells["aliases"].value, there["aliases"]) if "aliases" in wanted else (),
    )


class _Cell:
    """What a variable is in a row."""

    def __init__(self, binding: Any, name: str) -> None:
        binding = require(binding, dict, f"'{name}'")
        self.value = require(binding.get("value"), str, f"the value of '{name}'")
        self.is_address = binding.get("type") == "uri"
        self._language = binding.get("xml:lang")

    def is_in(self, languages: tuple[str, ...]) -> bool:
        """Whether it is in one of them, or in no language: `mul` stands for all."""
        return not languages or self._language in (None, "mul", *languages)
