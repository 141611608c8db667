"""A term of a dictionary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Case = Literal["exact", "ignore", "acronym"]
"""Whether capitals matter. "acronym": as it is when it is all capitals and digits, else ignored."""


@dataclass(frozen=True, slots=True)
class Term:
    """A phrase, what it may mean, and the line of the dictionary that says so. An alias is a term of its own.

    >>> Term("aspirin", ("Drug",), line=17)
    Term(text='aspirin', types=('Drug',), line=17, id='', weight=1.0, case=None)
    """

    text: str
    types: tuple[str, ...]
    """Empty: a phrase without a type, which becomes unknown."""
    line: int
    id: str = ""
    weight: float = 1.0
    case: Case | None = None
    """None: the dictionary's rule."""
