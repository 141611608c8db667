"""One process at a time in a folder: two that write the same results would destroy each other's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gleanner.errors import InputError

LOCK = ".lock"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Within, no other process can be alone in this folder. The system ends it with the process, however that ends.

    Where the system has no such locks (Windows, some network disks) nothing is checked.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    path = folder / LOCK
    with path.open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError(
                "another gleanner is at work in this folder",
                path=folder,
                remedy="wait for it, or choose another --output",
            ) from error
        except OSError:
            pass
        try:
            yield
        finally:
            with suppress(OSError):
                path.unlink()
