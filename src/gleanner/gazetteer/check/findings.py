"""What a check finds: so many things of a kind, of which the first are kept to be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gleanner.gazetteer.term import Term


class Kind(NamedTuple):
    """A kind of finding."""

    name: str
    about: str
    """What it means, and what to do, in a sentence."""
    problem: bool = True
    """Whether something is wrong; otherwise it is only good to know."""


class Entry(NamedTuple):
    """A term and where it stands."""

    term: Term
    file: str

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.term.line}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One of them."""

    text: str
    file: str
    line: int
    note: str
    """What is found of this term."""

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}"


@dataclass(slots=True)
class Findings:
    """All of a kind. The count is of all, however few are kept."""

    kind: Kind
    limit: int
    total: int = 0
    first: list[Finding] = field(default_factory=list)

    def add(self, entry: Entry, note: str) -> None:
        """One more, about a term."""
        self.total += 1
        if len(self.first) < self.limit:
            self.first.append(Finding(entry.term.text, entry.file, entry.term.line, note))

    def to_dict(self) -> dict[str, Any]:
        """The findings ready for JSON."""
        first = [{"term": f.text, "file": f.file, "line": f.line, "note": f.note} for f in self.first]
        return {"problem": self.kind.problem, "about": self.kind.about, "total": self.total, "findings": first}


@dataclass(frozen=True)
class Report:
    """What a check of dictionaries against a corpus found."""

    terms: int
    sentences: int
    words: int
    kinds: Sequence[Findings]

    @property
    def problems(self) -> int:
        """Findings that something is wrong."""
        return sum(found.total for found in self.kinds if found.kind.problem)

    def to_dict(self) -> dict[str, Any]:
        """The report ready for JSON."""
        return {
            "terms": self.terms,
            "sentences": self.sentences,
            "words": self.words,
            "problems": self.problems,
            "kinds": {found.kind.name: found.to_dict() for found in self.kinds},
        }
