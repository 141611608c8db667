"""The errors a user can meet.

    GleannerError            something went wrong; exit code 1
    └── InputError           what the user gave is wrong: a file, an option, a folder; exit code 2

Both print as one line that says what, where and what to do. Anything else that escapes is a bug in gleanner.
"""

from __future__ import annotations

from pathlib import Path


class GleannerError(Exception):
    """Something went wrong that is not a bug: one line, no traceback."""

    exit_code = 1


class InputError(GleannerError):
    """What the user gave cannot be used.

    >>> print(InputError("span [4, 9) ends after the last word (6)", path="a.jsonl", line=3, remedy="count from 0"))
    a.jsonl:3: span [4, 9) ends after the last word (6); count from 0
    """

    exit_code = 2

    def __init__(self, what: str, *, path: str | Path | None = None, line: int | None = None, remedy: str = "") -> None:
        self.what, self.path, self.line, self.remedy = what, path, line, remedy
        where = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        end = f"; {remedy}" if remedy else ""
        super().__init__(
            where + (what.removesuffix(".") if end else what) + end
        )  # other libraries' reasons are sentences
