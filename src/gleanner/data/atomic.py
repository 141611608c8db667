"""Files and folders that appear whole or not at all.

What is written goes to a temporary neighbour of the target, which takes the target's place at the very end. On any error
nothing is left behind, and what was there before is as it was.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal, TextIO, overload

from gleanner.errors import InputError

_FULL = "free some space or write elsewhere"
_REMEDIES = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.ENOENT: "make the folder first",
    errno.ENOTDIR: "make the folder first",
    errno.EACCES: "choose a folder that you may write to",
    errno.EPERM: "choose a folder that you may write to",
    errno.EROFS: "choose a folder that you may write to",
}


@overload
def atomic(path: Path, *, binary: Literal[False] = False) -> AbstractContextManager[TextIO]: ...
@overload
def atomic(path: Path, *, binary: Literal[True]) -> AbstractContextManager[BinaryIO]: ...
def atomic(path: Path, *, binary: bool = False) -> AbstractContextManager[Any]:
    """A handle for writing a file: UTF-8 with line feeds, or bytes.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp()) / "a.txt"
    >>> with atomic(target) as handle:
    ...     _ = handle.write("whole")
    ...     target.exists()
    False
    >>> target.read_text()
    'whole'
    """
    return _file(path, binary)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """An empty folder for writing into, which becomes `path` at the end."""
    with complaints(path):
        target = path.resolve()
        if target.exists() and not target.is_dir():
            raise InputError("this is not a folder", path=path, remedy="choose another name")
        temporary = _beside(target)
        temporary.mkdir()
        try:
            yield temporary
            if target.exists():
                # A folder with content cannot be replaced in one step: it steps aside, and back if the second step fails.
                aside = _beside(target)
                target.rename(aside)
                try:
                    temporary.rename(target)
                except BaseException:
                    aside.rename(target)
                    raise
                shutil.rmtree(aside)
            else:
                temporary.rename(target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def _file(path: Path, binary: bool) -> Iterator[IO[Any]]:
    with complaints(path):
        target = path.resolve()  # a link stays one, and points to the new file
        if target.is_dir():
            raise InputError("this is a folder, not a file", path=path, remedy="name a file inside it")
        if target.exists() and not target.is_file():
            raise InputError("this is not a regular file", path=path, remedy="choose another name")
        temporary = _beside(target)
        try:
            with temporary.open("xb") if binary else temporary.open("x", encoding="utf-8", newline="\n") as handle:
                if target.exists():
                    shutil.copymode(target, temporary)
                yield handle
                handle.flush()
                os.fsync(handle.fileno())
            temporary.replace(target)
        finally:
            with suppress(FileNotFoundError):
                temporary.unlink()


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")


@contextmanager
def complaints(path: str | Path, again: str = "") -> Iterator[None]:
    """Turns the system's complaints about writing into an `InputError`. `again` says how to go on with what is begun."""
    try:
        yield
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0, again)
        if again and remedy == _FULL:
            remedy = f"free some space: {again}"
        raise InputError(f"cannot be written: {error.strerror}", path=path, remedy=remedy) from error
    except UnicodeEncodeError as error:
        what = f"character {error.object[error.start]!a} cannot be written as UTF-8"
        raise InputError(what, path=path, remedy="mend the input: it holds half of a surrogate pair") from error
