"""What labels are called in a report."""

from __future__ import annotations

from collections.abc import Mapping

from gleanner.types import NOT_ENTITY, UNKNOWN

_NAMES = {UNKNOWN: "unknown", NOT_ENTITY: "no entity"}


def name(label: str) -> str:
    """A type as it is; the two labels that are no types in words."""
    return _NAMES.get(label, label)


def labels(counts: Mapping[str, int]) -> str:
    """What became of a term.

    >>> labels({"LOC": 12, "?": 3})
    'LOC 12, unknown 3'
    """
    return ", ".join(f"{name(label)} {count:,}" for label, count in counts.items())
