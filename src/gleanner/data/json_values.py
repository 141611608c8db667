"""Values of JSON that another program wrote, checked before they are used."""

from __future__ import annotations

import json
from typing import Any, TypeVar

_T = TypeVar("_T")
_KINDS: dict[type, str] = {dict: "an object", list: "an array", str: "a string"}


def require(value: Any, kind: type[_T], what: str) -> _T:
    """The value, if it is of that kind; else a `ValueError` that calls it `what`.

    >>> require(3, list, "'spans'")
    Traceback (most recent call last):
    ...
    ValueError: 'spans' must be an array, not 3
    """
    if isinstance(value, kind):
        return value
    shown = json.dumps(value, ensure_ascii=False)
    raise ValueError(f"{what} must be {_KINDS[kind]}, not {shown if len(shown) <= 40 else shown[:40] + '…'}")


def half_character(value: Any, source: str) -> str | None:
    r"""What no UTF-8 file can hold of a value that was read from the JSON `source`: half of a surrogate pair.

    >>> half_character(["\ud83d"], r'["\ud83d"]'), half_character(["é"], r'["\u00e9"]')
    ("'\\ud83d'", None)
    """
    if "\\ud" in source.lower():
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            return ascii(error.object[error.start])
    return None
