"""A term of a dictionary: what it is called, what it is, and which line of the file says so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Case = Literal["exact", "ignore", "acronym"]
"""How a term's letters are compared: as they stand, whatever their case, or as they stand where all of them are capitals
or digits and else whatever their case: "AIDS" is then not found in "aids", "Aspirin" is found in "aspirin"."""

CASES: tuple[Case, ...] = get_args(Case)

LONGEST = 1000
"""Characters that a term, a type or an id may have. What is longer is no name: a quote that does not end, a wrong column."""


@dataclass(frozen=True, slots=True)
class Term:
    """One name of something. An alias is a term of its own, with the id and the line of the first name.

    >>> Term("Lincoln", ("PER", "LOC"), 17).case is None
    True
    """

    text: str
    """As the file writes it, but for white space: each run of it is one space, none stands at the ends."""
    types: tuple[str, ...]
    """Empty: a phrase of which only that it is one is known. It becomes an unknown span."""
    line: int
    """The line of the file, counted from 1, where what is said of the term begins."""
    id: str = ""
    """The name of what the term means in a knowledge base, such as "Q18216". Terms of the same id are aliases."""
    weight: float = 1.0
    """How much the file trusts the term, or how often it occurs: whatever the file's author counts."""
    case: Case | None = None
    """None: the rule of the whole dictionary."""
