"""Files that are packed, as their ending tells, or lie elsewhere, as their address tells."""

from __future__ import annotations

import bz2
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, cast

from gleanner.errors import InputError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

ENDINGS = (".gz", ".bz2", ".zst")
"""The endings of packed files."""

UNREADABLE = (EOFError, zlib.error, OSError)
"""What is raised while a file is read that is cut off or corrupt, or that the system does not give."""

_ZSTD_PIECE = 1 << 12
"""Bytes to unpack at once. Zstandard packs as much as 30,000 to 1, so that many of them could fill the memory."""


def packing(path: str | Path) -> str:
    """The ending that tells how a file is packed, or nothing.

    >>> packing("corpus/a.txt.gz"), packing("a.txt")
    ('.gz', '')
    """
    return next((ending for ending in ENDINGS if str(path).lower().endswith(ending)), "")


def plain_name(path: str | Path) -> str:
    """The name of a file without the ending that tells how it is packed.

    >>> plain_name("corpus/a.txt.gz"), plain_name("s3://corpus/b.txt")
    ('a.txt', 'b.txt')
    """
    name = PurePosixPath(str(path).replace("\\", "/")).name
    return name.removesuffix(name[len(name) - len(packing(name)) :])


def is_address(path: str | Path) -> bool:
    """Whether it is an address of another storage than the local disks.

    >>> is_address("s3://corpus/a.txt"), is_address("corpus/a.txt")
    (True, False)
    """
    return "://" in str(path)


@contextmanager
def opened(path: str | Path) -> Iterator[IO[bytes]]:
    """What a file holds, unpacked as it is read."""
    with stored(path) as raw, unpacked(raw, path) as handle:
        yield handle


@contextmanager
def stored(path: str | Path) -> Iterator[IO[bytes]]:
    """The bytes of a file as they lie on the disk or at the address."""
    if is_address(path):
        system, name = storage(path)
        with system.open(name, "rb") as handle:
            yield handle
    else:
        with Path(path).open("rb") as handle:
            yield handle


@contextmanager
def unpacked(raw: IO[bytes], path: str | Path) -> Iterator[IO[bytes]]:
    """What the bytes of an open file hold; `path` tells how they are packed."""
    match packing(path):
        case ".gz":
            with gzip.open(raw) as handle:
                yield cast(IO[bytes], handle)
        case ".bz2":
            with bz2.open(raw) as packed:
                yield cast(IO[bytes], packed)
        case ".zst":
            yield io.BufferedReader(_Frames(raw, zstandard(path)), 1 << 17)
        case _:
            yield raw


def packer(path: str | Path) -> Callable[[bytes], bytes]:
    """Packs a part of a file of this name, always to the same bytes. Such parts, one after the other, are such a file."""
    match packing(path):
        case ".gz":
            return lambda data: gzip.compress(data, 6, mtime=0)
        case ".bz2":
            return bz2.compress
        case ".zst":
            return cast(Callable[[bytes], bytes], zstandard(path).ZstdCompressor(level=3).compress)
        case _:
            return bytes


@contextmanager
def intact(path: str | Path, line: Callable[[], int]) -> Iterator[None]:
    """Turns the complaints of whatever unpacks a file into an `InputError` with the line that could not be read."""
    try:
        yield
    except UNREADABLE as error:
        if isinstance(error, OSError) and error.errno is not None:  # the system's; those of gzip and bz2 have no number
            raise
        what = f"the packed file is cut off or corrupt ({str(error).rstrip('.')})"
        raise InputError(what, path=path, line=line(), remedy="fetch or pack it again") from error


def zstandard(path: str | Path) -> Any:
    """The library, which is an extra."""
    try:
        import zstandard as library
    except ImportError as error:
        what = "files ending in .zst need the library zstandard"
        raise InputError(what, path=path, remedy="pip install 'gleanner[zstd]'") from error
    return library


def storage(path: str | Path) -> tuple[Any, str]:
    """The file system of an address, and the name there."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        what = "an address needs the library fsspec"
        raise InputError(what, path=path, remedy="pip install 'gleanner[ray]'") from error
    try:
        system, name = url_to_fs(str(path))
    except (ImportError, ValueError) as error:
        raise InputError(f"this address cannot be used: {error}", path=path, remedy="check it") from error
    return system, name


class _Frames(io.RawIOBase):
    """Unpacks Zstandard frame by frame: the library's own reader takes a file that is cut off for a whole one."""

    def __init__(self, raw: IO[bytes], library: Any) -> None:
        self._raw, self._library = raw, library
        self._frame: Any = None
        self._packed = self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, into: WriteableBuffer) -> int:
        while not self._ready:
            self._packed = self._packed or self._raw.read(_ZSTD_PIECE)
            if not self._packed:
                if self._frame is not None and not self._frame.eof:
                    raise EOFError("the last frame does not end")
                return 0
            if self._frame is None or self._frame.eof:
                self._frame = self._library.ZstdDecompressor().decompressobj()
            try:
                self._ready = self._frame.decompress(self._packed)
            except self._library.ZstdError as error:
                raise EOFError(str(error)) from error
            self._packed = self._frame.unused_data if self._frame.eof else b""
        view = memoryview(into).cast("B")
        count = min(len(view), len(self._ready))
        view[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count
