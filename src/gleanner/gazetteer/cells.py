"""What stands in one cell of a dictionary, checked. What is wrong is a ValueError; whoever reads adds the file and the line."""

from __future__ import annotations

from functools import lru_cache
from math import isfinite
from typing import Any, cast

from gleanner.gazetteer.term import CASES, LONGEST, Case
from gleanner.types import UNKNOWN


def clean(text: str, what: str = "term") -> str:
    r"""A name with each run of white space as one space.

    >>> clean(" Ada\u00a0 Lovelace\n")
    'Ada Lovelace'
    """
    text = " ".join(text.split())
    if not text:
        raise ValueError(f"an empty {what}; fill it in, or delete the line")
    if len(text) > LONGEST:
        raise ValueError(f"the {what} {shown(text)} has {len(text):,} characters; the longest may have {LONGEST:,}")
    if "\0" in text:  # no text has one, but the escapes of JSON can make it
        raise ValueError(f"a null byte in the {what} {shown(text)}; take it out")
    return text


def several(cell: str) -> tuple[str, ...]:
    """The values of one cell: between bars where it has one, else between semicolons.

    >>> several("ASA; acetylsalicylic acid"), several("2;3|4"), several("")
    (('ASA', 'acetylsalicylic acid'), ('2;3', '4'), ())
    """
    values = (value.strip() for value in cell.split("|" if "|" in cell else ";"))
    return tuple(value for value in values if value)


@lru_cache(maxsize=1 << 12)
def types_of(values: tuple[str, ...]) -> tuple[str, ...]:
    """Types, each once. "?" is none. Cached, so that a million terms share a few tuples.

    >>> types_of(("PER", "LOC", "PER")), types_of(("?",))
    (('PER', 'LOC'), ())
    """
    if not values:
        raise ValueError("an empty type; fill it in, or write ? for none")
    if values == (UNKNOWN,):
        return ()
    if UNKNOWN in values:
        raise ValueError(
            f"the type {UNKNOWN!r} beside others in {shown(values)}; it stands for a phrase without a type"
        )
    return tuple(dict.fromkeys(clean(value, "type") for value in values))


@lru_cache(maxsize=1 << 12)
def types_in(cell: str) -> tuple[str, ...]:
    """The types of one cell."""
    return types_of(several(cell))


def weight_of(value: str | float) -> float:
    """A weight, from a cell or from JSON."""
    try:
        if isinstance(value, bool):
            raise TypeError
        weight = float(value)
    except (TypeError, ValueError, OverflowError):
        weight = -1.0
    if not (isfinite(weight) and weight >= 0):
        raise ValueError(f"the weight {shown(value)} is no number from 0 up; write one such as 0.5, or none")
    return weight


def case_of(value: Any) -> Case:
    """A case rule by its name."""
    if value not in CASES:
        raise ValueError(f"there is no case rule {shown(value)}; choose one of {', '.join(CASES)}")
    return cast(Case, value)


def shown(value: Any) -> str:
    """A value as it is quoted in an error, which is one line."""
    quoted = repr(value)
    return quoted if len(quoted) <= 60 else quoted[:60] + "…"
