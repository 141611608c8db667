"""A dictionary: terms and their types, each with the line of the file that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gleanner.data.lines import lines
from gleanner.errors import InputError


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a dictionary: the type that it gives to a term."""

    type: str
    line: int


@dataclass(frozen=True)
class Dictionary:
    """Terms and what is said of each.

    >>> terms = {"Ada Lovelace": (Entry("PER", 1),), "Lincoln": (Entry("PER", 2), Entry("LOC", 3))}
    >>> Dictionary("names.tsv", terms).ambiguous
    ('Lincoln',)
    """

    name: str
    """The name of the file, for the provenance of labels."""
    terms: Mapping[str, tuple[Entry, ...]]
    """For each term its entries, one a type, in the order of the file."""

    @property
    def ambiguous(self) -> tuple[str, ...]:
        """The terms of more than one type. They are found, but nobody knows what they mean, so they label nothing."""
        return tuple(term for term, entries in self.terms.items() if len(entries) > 1)

    @classmethod
    def read(cls, path: str | Path) -> Dictionary:
        """Reads a file of lines `type<TAB>term`. Blank lines are skipped; of a line that is repeated the first counts."""
        path = Path(path)
        terms: dict[str, tuple[Entry, ...]] = {}
        for number, line in lines(path):
            if not line.strip():
                continue
            label, term = _columns(line, path, number)
            known = terms.get(term, ())
            if all(entry.type != label for entry in known):
                terms[term] = (*known, Entry(label, number))
        if not terms:
            raise InputError("no term in it", path=path, remedy="write one a line, as type<TAB>term")
        return cls(path.name, terms)


def _columns(line: str, path: Path, number: int) -> tuple[str, str]:
    """The type and the term of a line, with every white space inside the term as one space."""
    columns = line.split("\t")
    if len(columns) != 2:
        count = f"{len(columns)} columns" if len(columns) > 1 else "one column"
        raise InputError(f"{line!r} has {count}", path=path, line=number, remedy="write type<TAB>term")
    label, term = columns[0].strip(), " ".join(columns[1].split())
    if not label or not term:
        what = "term" if label else "type"
        raise InputError(
            f"{line!r} has an empty {what}", path=path, line=number, remedy="fill it in, or delete the line"
        )
    return label, term
