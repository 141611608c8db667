"""CSV or TSV with a header, quoted as Excel does: commas, tabs, semicolons or bars between the cells.

Columns that nobody asked for are passed over. Several types or aliases in one cell are separated by `|`, or else by `;`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from gleanner.data.blocks import numbered
from gleanner.errors import InputError
from gleanner.gazetteer.cells import case_of, shown, types_in, weight_of
from gleanner.gazetteer.dictionary_file import Columns, DictionaryFile
from gleanner.gazetteer.records import aliases_in, names, no_column, present, terms_of
from gleanner.gazetteer.skipped import Skipped
from gleanner.gazetteer.term import Term

OPTIONS = frozenset(
    ["type", "case", "term-column", "type-column", "id-column", "aliases-column", "weight-column", "case-column"]
)

_DELIMITERS = ",\t;|"


def read(file: DictionaryFile, skipped: Skipped) -> Iterator[Term]:
    """The term of each row, and its aliases."""
    lines = numbered(file.path)
    header = next((found for found in lines if found[1].strip()), None)
    if header is None:
        return
    first, line = header[0], header[0]  # of the header, and of the row
    try:
        cells, delimiter = _header(header[1], file)
        row_terms = _Row(file, cells)
        # Quoted cells may hold line feeds, so that `csv` wants to see them.
        rows = csv.reader((text + "\n" for _, text in lines), delimiter=delimiter, strict=True)
        line = first + 1
        for row in rows:
            if any(row):
                yield from row_terms(row, line)
            line = first + rows.line_num + 1
    except csv.Error as error:
        what, remedy = f"malformed row: {error}", 'end what a quote begins, and write "" for a quote within quotes'
        raise InputError(what, path=file.path, line=line, remedy=remedy) from None
    except ValueError as problem:
        raise InputError(str(problem), path=file.path, line=line) from None


def is_header(line: str) -> bool:
    """Whether the line has one of the usual names of the column of terms."""
    return any("term" in present(names(Columns()), _places(_cells(line, delimiter))) for delimiter in _DELIMITERS)


class _Row:
    """Makes terms of the cells of a row."""

    def __init__(self, file: DictionaryFile, header: list[str]) -> None:
        """Finds out which column is which."""
        named = [name for name in header if name]
        for name in named:
            if named.count(name) > 1:
                raise ValueError(f"two columns are called {name!r}; rename one of them")
        places = _places(header)
        there = present(names(file.columns), places)
        for field in ("term", "type", "id", "aliases", "weight", "case"):
            said = getattr(file.columns, field) is not None
            needed = said or field == "term" or (field == "type" and file.types is None)
            if needed and field not in there:
                way = ", or one type for the whole file with :TYPE" if field == "type" and not said else ""
                raise ValueError(no_column(field, named, file.columns) + way)
        self._file, self._width = file, len(header)
        self._alias_column = there.get("aliases", "")
        self._term = places[there["term"]]
        self._type, self._id, self._aliases, self._weight, self._case = (
            places[there[field]] if field in there else None for field in ("type", "id", "aliases", "weight", "case")
        )

    def __call__(self, row: list[str], line: int) -> list[Term]:
        """The term of a row, and its aliases."""
        if len(row) != self._width:
            if len(row) > self._width and any(row[self._width :]):
                raise ValueError(
                    f"{len(row)} cells for {self._width} columns in {shown(row)}; quote the cell that has a delimiter"
                )
            row += [""] * (self._width - len(row))  # trailing cells may be left out
        types = "" if self._type is None else row[self._type].strip()
        weight = "" if self._weight is None else row[self._weight].strip()
        case = "" if self._case is None else row[self._case].strip()
        return terms_of(
            self._file,
            line,
            row[self._term],
            types_in(types) if types else None,
            id="" if self._id is None else row[self._id],
            aliases=() if self._aliases is None else aliases_in(row[self._aliases], self._alias_column),
            weight=weight_of(weight) if weight else 1.0,
            case=case_of(case) if case else None,
        )


def _header(line: str, file: DictionaryFile) -> tuple[list[str], str]:
    """The names of the columns, and what is between them: what makes most sense of the line."""
    known = names(file.columns)
    parsed = [(_cells(line, delimiter), delimiter) for delimiter in _DELIMITERS]
    return max(parsed, key=lambda found: (len(present(known, _places(found[0]))), len(found[0])))


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, strict=True))]
    except csv.Error:
        return []


def _places(header: list[str]) -> dict[str, int]:
    """Where each column is, by its name and by its name in small letters."""
    return {name.lower(): place for place, name in enumerate(header)} | {n: place for place, n in enumerate(header)}
