"""One process at a time in a folder or a file: two that write the same results would destroy each other's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from gleanner.errors import InputError

LOCK = ".lock"


def locked(handle: IO[Any]) -> bool:
    """Whether the file is this process's now, until it is closed. Where the system has no such locks it always is."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Within, no other process can be alone in this folder. The system ends it with the process, however that ends.

    Where the system has no such locks (Windows, some network disks) nothing is checked.
    """
    path = folder / LOCK
    with path.open("w") as handle:
        if not locked(handle):
            what = "another gleanner is at work in this folder"
            raise InputError(what, path=folder, remedy="wait for it, or choose another --output")
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()
