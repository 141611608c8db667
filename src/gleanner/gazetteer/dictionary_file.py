"""What a user says of a dictionary: which file, and what the file cannot say about itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from gleanner.errors import InputError
from gleanner.gazetteer.cells import case_of, several, types_in
from gleanner.gazetteer.term import Case

_CLASS = re.compile(r"Q[1-9]\d*")

_PATH = re.compile(r"(?:[A-Za-z]:(?=[\\/]))?[^:]*")
"""What is meant as a path where no file is there: all before the first colon, but that of a drive."""

_SYNTAX = "write PATH, PATH:TYPE or PATH:NAME=VALUE,NAME=VALUE"


@dataclass(frozen=True)
class Columns:
    """Which column of a table, or key of an object, holds what. None: the first of its usual names that is there."""

    term: str | None = None
    type: str | None = None
    id: str | None = None
    aliases: str | None = None
    weight: str | None = None
    case: str | None = None


_COLUMNS = {f"{one.name}-column": one.name for one in fields(Columns)}
_OPTIONS = ("type", "case", "format", "language", *_COLUMNS)


@dataclass(frozen=True)
class DictionaryFile:
    """A file of terms, and how to read it.

    >>> file = DictionaryFile(Path("drugs.csv"), types=("Chemical",), columns=Columns(term="Drug name"))
    >>> file.name, sorted(file.options)
    ('drugs.csv', ['term-column', 'type'])
    """

    path: Path
    format: str | None = None
    """One of `gleanner.gazetteer.files.FORMATS`. None: what the path and the beginning of the file tell."""
    types: tuple[str, ...] | None = None
    """The types of the terms to which the file gives none; empty: they are phrases without a type."""
    case: Case | None = None
    """The case rule of the terms to which the file gives none."""
    columns: Columns = Columns()
    languages: tuple[str, ...] = ()
    """Wikidata: names in these are taken. Empty: English of a dump, all that a query found."""
    classes: Mapping[str, str] = field(default_factory=dict)
    """Wikidata: the type that the instances of each class get, as {"Q12140": "Chemical"}."""

    @property
    def name(self) -> str:
        """The name of the file, for the provenance of labels."""
        return self.path.name

    @property
    def options(self) -> frozenset[str]:
        """What is said beside the path and the format, by the names that `parse` knows."""
        values = {"type": self.types, "case": self.case, "language": self.languages or None, "Q…": self.classes or None}
        values |= {name: getattr(self.columns, field) for name, field in _COLUMNS.items()}
        return frozenset(name for name, value in values.items() if value is not None)

    @classmethod
    def of(cls, file: DictionaryFile | str | Path) -> DictionaryFile:
        """The file itself, or what is meant by a path, or by a string as `parse` reads it."""
        if isinstance(file, DictionaryFile):
            return file
        return cls.parse(file) if isinstance(file, str) else cls(file)

    @classmethod
    def parse(cls, text: str) -> DictionaryFile:
        """From what a user types: `PATH`, `PATH:TYPE` or `PATH:NAME=VALUE,NAME=VALUE...`, a TYPE being the first of them.

            drugs.txt:Chemical                             every term is a Chemical
            names.txt:PER|LOC                              every term has two types
            phrases.txt:?                                  phrases without a type
            drugs.csv:Chemical,term-column=Drug name       which column is which: {term,type,id,aliases,weight,case}-column
            drugs.dat:format=tsv,case=ignore               the format, the case rule of its terms
            latest-all.json.bz2:Q12140=Chemical,language=de   of a dump of Wikidata: classes, languages

        The path is as long as it can be so that the file exists, whatever colons are in it.
        """
        path, rest = _split(text)
        options: dict[str, str] = {}
        for number, part in enumerate(() if rest is None else rest.split(",")):
            name, sign, value = (piece.strip() for piece in part.partition("="))
            if not sign and number == 0:
                name, value = "type", name
            if not name or not value:
                raise InputError(f"{part!r} in {text!r} says nothing", path=path, remedy=_SYNTAX)
            if name in options:
                raise InputError(f"{name} is given twice in {text!r}", path=path, remedy="leave one out")
            options[name] = value
        try:
            return cls._of(path, options)
        except ValueError as problem:
            raise InputError(str(problem), path=path) from None

    @classmethod
    def _of(cls, path: Path, options: Mapping[str, str]) -> DictionaryFile:
        unknown = [name for name in options if name not in _OPTIONS and not _CLASS.fullmatch(name)]
        if unknown:
            raise ValueError(f"there is no option {unknown[0]!r}; choose one of {', '.join(_OPTIONS)}, Q… for a class")
        return cls(
            path,
            format=options.get("format"),
            types=types_in(options["type"]) if "type" in options else None,
            case=case_of(options["case"]) if "case" in options else None,
            columns=Columns(**{field: options[name] for name, field in _COLUMNS.items() if name in options}),
            languages=several(options.get("language", "")),
            classes={name: value for name, value in options.items() if _CLASS.fullmatch(name)},
        )


def _split(text: str) -> tuple[Path, str | None]:
    """The path, and what follows the colon after it, if there is one."""
    for end in (len(text), *(match.start() for match in [*re.finditer(":", text)][::-1])):
        if end and _is_there(Path(text[:end])):
            return Path(text[:end]), text[end + 1 :] if end < len(text) else None
    raise InputError("no such file", path=_PATH.match(text)[0] or text, remedy="check the name")  # type: ignore[index]


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # no name that a file can have
        return False
