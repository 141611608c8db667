"""The elements of a JSON array, one after the other, from a file that need not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gleanner.data.json_text import JsonText


def elements(path: Path) -> Iterator[tuple[int, Any]]:
    """Each element of the array that the file holds, with the line in which it begins."""
    text = JsonText(path, "export the file again")
    if text.peek() != "[":
        raise text.error("this is not a JSON array", "export the project as JSON or JSON-MIN")
    yield from text.values()
    text.end()
