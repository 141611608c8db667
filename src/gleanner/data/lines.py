"""The lines of a UTF-8 file with their numbers, and what every reader does with what it made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gleanner.data.packed import intact, opened
from gleanner.errors import InputError
from gleanner.types import Sentence


def lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """The lines of a file without their ends, counted from 1. A byte order mark and Windows line ends are taken off.

    A packed file is unpacked. Only line feeds end a line here: other separators of Unicode may stand inside a word.
    """
    read = 0
    with readable(path), opened(path) as handle, intact(path, lambda: read + 1):
        for read, line in decoded(handle, path):
            yield read, line


def decoded(raw_lines: Iterable[bytes], path: str | Path) -> Iterator[tuple[int, str]]:
    """The same of lines that are open already: of a pipe, whose `path` is only a name for errors."""
    for number, raw in enumerate(raw_lines, start=1):
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise undecoded(error, path, number) from error
        yield number, line.removesuffix("\n").removesuffix("\r")


def undecoded(error: UnicodeDecodeError, path: str | Path, line: int, encoding: str = "UTF-8") -> InputError:
    """What to raise about bytes that are not of the file's encoding."""
    return InputError(
        f"byte {error.object[error.start]:#04x} is not {encoding}",
        path=path,
        line=line,
        remedy="convert the file, for instance with iconv -t UTF-8",
    )


def null_byte(path: str | Path, line: int) -> InputError:
    """What to raise about a null byte."""
    return InputError("a null byte", path=path, line=line, remedy="save the file as UTF-8 text")


@contextmanager
def readable(path: str | Path) -> Iterator[None]:
    """Turns the system's complaints about opening or reading a file into an `InputError`."""
    try:
        yield
    except FileNotFoundError as error:
        raise InputError("no such file", path=path, remedy="check the name") from error
    except IsADirectoryError as error:
        raise InputError("this is a folder, not a file", path=path, remedy="name a file inside it") from error
    except PermissionError as error:
        raise InputError("no permission to read it", path=path, remedy="ask its owner, or copy it") from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error


def checked(sentence: Sentence, path: str | Path, line: int | None = None) -> Sentence:
    """The sentence as it is, if nothing is wrong with it."""
    problem = sentence.problem()
    if problem is not None:
        raise InputError(problem, path=path, line=line, remedy="mend the annotation there")
    return sentence
