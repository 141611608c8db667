"""Where a label comes from, as the text that a `Span.source` holds, and back.

    dictionary:FILE:LINE:TERM        a term of a dictionary
    rule:NAME                        a function
    candidates:NAME                  a phrase that a rule for candidates found

Several of them, where several said the same, are joined by " | ". A label of a term that may mean several things begins with
the types that it may have: `alternatives:LOC:PER`. Inside a part, a backslash stands before "|" and before itself, and before
the ":" of a name, so that any file and any term can be read back. What others wrote as a source is read as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

JOINER = " | "

_ALTERNATIVES = "alternatives"
_FIELD = re.compile(r"((?:\\.?|[^\\:])*+)(:|\Z)", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Origin:
    """One that gave a label.

    >>> str(Origin("dictionary", "drugs.csv", 17, "aspirin"))
    'dictionary:drugs.csv:17:aspirin'
    """

    kind: str
    """`dictionary`, `rule`, `candidates`; or all that a source of another make says."""
    name: str = ""
    """The file of a dictionary, the name of a function."""
    line: int | None = None
    """The line of the file."""
    term: str = ""
    """The term as the file has it, whatever letters it was found by."""

    def __str__(self) -> str:
        if not self.name:
            return _escaped(self.kind, "|")
        start = f"{self.kind}:{_escaped(self.name, ':|')}"
        if self.line is None:
            return start
        return f"{start}:{self.line}:{_escaped(self.term, '|')}" if self.term else f"{start}:{self.line}"


def source(origins: Iterable[Origin | str], alternatives: Iterable[str] = ()) -> str:
    """The text of a source: all that gave the label, each once, and the types that it may have where that is open.

    >>> two = [Origin("dictionary", "places.tsv", 3, "Lincoln"), Origin("dictionary", "people.tsv", 7, "Lincoln")]
    >>> source(two, ("LOC", "PER"))
    'alternatives:LOC:PER | dictionary:places.tsv:3:Lincoln | dictionary:people.tsv:7:Lincoln'
    """
    parts = dict.fromkeys(map(str, origins))
    types = [_escaped(name, ":|") for name in alternatives]
    return JOINER.join([":".join([_ALTERNATIVES, *types]), *parts] if types else parts)


def origins(text: str) -> tuple[Origin, ...]:
    """What a source says gave the label; nothing of an empty one.

    >>> origins("dictionary:places.tsv:3:Lincoln | rule:towns")
    (Origin(kind='dictionary', name='places.tsv', line=3, term='Lincoln'), \
Origin(kind='rule', name='towns', line=None, term=''))
    """
    return tuple(_origin(part) for part in parts(text) if not part.startswith(_ALTERNATIVES + ":"))


def alternatives(text: str) -> tuple[str, ...]:
    """The types of which a source says that the label is one of them; nothing where it does not.

    >>> alternatives("alternatives:LOC:PER | dictionary:places.tsv:3:Lincoln")
    ('LOC', 'PER')
    """
    for part in parts(text):
        if part.startswith(_ALTERNATIVES + ":"):
            return tuple(_plain(field) for field in _fields(part)[1:])
    return ()


def parts(text: str) -> list[str]:
    """A source in its parts, each as it was written."""
    return text.split(JOINER) if text else []


def _origin(part: str) -> Origin:
    kind, *fields = _fields(part)
    if kind not in ("dictionary", "rule", "candidates") or not fields:
        return Origin(_plain(part))
    name, *rest = fields
    if kind != "dictionary" or not rest or not rest[0].isascii() or not rest[0].isdigit():
        return Origin(kind, _plain(":".join(fields)))
    return Origin(kind, _plain(name), int(rest[0]), _plain(":".join(rest[1:])))


def _fields(part: str) -> list[str]:
    """What stands between the colons that have no backslash before them."""
    if "\\" not in part:
        return part.split(":")
    fields = []
    for match in _FIELD.finditer(part):
        fields.append(match[1])
        if not match[2]:
            break
    return fields


def _escaped(text: str, signs: str) -> str:
    if "\\" not in text and not any(sign in text for sign in signs):
        return text
    return re.sub(rf"[\\{signs}]", r"\\\g<0>", text)


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text
