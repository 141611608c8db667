"""A row of a table, or an object of JSON, becomes terms: its name, and its aliases."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import fields
from typing import Any

from gleanner.data.json_values import require
from gleanner.gazetteer.cells import case_of, clean, several, shown, types_of, weight_of
from gleanner.gazetteer.dictionary_file import Columns, DictionaryFile
from gleanner.gazetteer.term import Case, Term

USUAL: Mapping[str, tuple[str, ...]] = {
    "term": ("term", "text", "name", "itemLabel"),
    "type": ("type", "types", "label"),
    "id": ("id", "item"),
    "aliases": ("aliases", "synonyms", "itemAltLabel"),
    "weight": ("weight",),
    "case": ("case",),
}
"""The names of columns that need not be said. The last ones are those of a query to Wikidata, saved as CSV or JSON."""

_ENTITY = "http://www.wikidata.org/entity/"


def names(columns: Columns, usual: Mapping[str, tuple[str, ...]] = USUAL) -> dict[str, tuple[str, ...]]:
    """For each field of a term the names that its column may have, the best first."""
    said = {one.name: getattr(columns, one.name) for one in fields(Columns)}
    return {field: usual[field] if name is None else (name,) for field, name in said.items()}


def present(names: Mapping[str, tuple[str, ...]], there: Container[str]) -> dict[str, str]:
    """For each field the name that is there; none for a field that is not there.

    >>> present({"term": ("term", "text"), "id": ("id",)}, {"text": "Ada", "type": "PER"})
    {'term': 'text'}
    """
    return {field: name for field, known in names.items() for name in known[::-1] if name in there}


def no_column(field: str, there: Iterable[str], columns: Columns) -> str:
    """What to say where a table or an object lacks a column that it must have."""
    said = getattr(columns, field)
    what = f"no column for the {field}" if said is None else f"no column {said!r}"
    way = f"call it {USUAL[field][0]!r}, or say which it is with {field}-column=NAME"
    return f"{what} among {shown(', '.join(there))}; {way}"


def terms_of(
    file: DictionaryFile,
    line: int,
    text: str,
    types: tuple[str, ...] | None,
    *,
    id: str = "",  # noqa: A002
    aliases: Iterable[str] = (),
    weight: float = 1.0,
    case: Case | None = None,
) -> list[Term]:
    """A name and its aliases, each once, as terms. Types and a case rule that are None are those of the whole file."""
    text = clean(text)
    if types is None:
        types = file.types
        if types is None:
            raise ValueError(
                f"{shown(text)} has no type; write one beside it, ? for none, or one for the whole file: {file.name}:TYPE"
            )
    case = case or file.case
    id = clean(id, "id").removeprefix(_ENTITY) if id.strip() else ""  # noqa: A001
    if not aliases:
        return [Term(text, types, line, id, weight, case)]
    found = dict.fromkeys((text, *(clean(alias, "alias") for alias in aliases)))
    return [Term(name, types, line, id, weight, case) for name in found]


def aliases_in(cell: str, column: str) -> tuple[str, ...]:
    """The aliases of one cell. Wikidata's label service, which fills the columns named xAltLabel, puts commas between them.

    >>> aliases_in("ASA|aspro", "aliases"), aliases_in("ASA, aspro", "itemAltLabel")
    (('ASA', 'aspro'), ('ASA', 'aspro'))
    """
    return several(cell.replace(", ", "|") if column.endswith("AltLabel") else cell)


class Objects:
    """Makes terms of the objects of a file of JSON."""

    def __init__(self, file: DictionaryFile) -> None:
        """Reads the columns that the user said as keys."""
        self._file = file
        self._names = names(file.columns)
        self._keys: set[str] = set()
        self._there: dict[str, str] = {}

    def terms(self, record: Mapping[str, Any], line: int, type_: str | None = None) -> list[Term]:
        """The name and the aliases of one object; `type_` is what it is where it does not say."""
        if record.keys() != self._keys:  # most objects of a file have the same
            self._keys, self._there = set(record), present(self._names, record)
        there = self._there
        if "term" not in there:
            raise ValueError(no_column("term", record, self._file.columns))
        value = {field: record[name] for field, name in there.items() if record[name] is not None}
        types = _strings(value["type"], there["type"]) if "type" in value else ()
        if not types and type_ is not None:
            types = (type_,)
        id_ = value.get("id", "")
        return terms_of(
            self._file,
            line,
            require(value.get("term"), str, f"'{there['term']}'"),
            types_of(types) if types else None,
            id=id_ if isinstance(id_, str) else str(id_),
            aliases=_aliases(value["aliases"], there["aliases"]) if "aliases" in value else (),
            weight=weight_of(value["weight"]) if "weight" in value else 1.0,
            case=case_of(value["case"]) if "case" in value else None,
        )


def _aliases(value: Any, key: str) -> tuple[str, ...]:
    return aliases_in(value, key) if isinstance(value, str) and key.endswith("AltLabel") else _strings(value, key)


def _strings(value: Any, key: str) -> tuple[str, ...]:
    """One string, or an array of them."""
    if isinstance(value, str):
        return (value,)
    return tuple(require(one, str, f"one of '{key}'") for one in require(value, list, f"'{key}'"))
