"""What a reader passes over: it is said, once for each reason, not one by one."""

from __future__ import annotations


class Skipped:
    """Reasons, how often each one was met, and the line where it was met first.

    >>> skipped = Skipped()
    >>> for line in (3, 8):
    ...     skipped.add("items without a name in English", line)
    >>> str(skipped)
    'items without a name in English: 2, the first in line 3'
    """

    def __init__(self) -> None:
        self._met: dict[str, tuple[int, int]] = {}

    def add(self, what: str, line: int) -> None:
        """One more of them; `what` is a plural."""
        count, first = self._met.get(what, (0, line))
        self._met[what] = count + 1, first

    def __bool__(self) -> bool:
        return bool(self._met)

    def __str__(self) -> str:
        return ", ".join(f"{what}: {count}, the first in line {first}" for what, (count, first) in self._met.items())
