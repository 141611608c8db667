"""Where the data and the encoders of a table lie."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from gleanner.errors import InputError


@dataclass(frozen=True)
class Places:
    """The folders that names in a table are looked up in."""

    data: Path
    encoders: Path | None = None

    @classmethod
    def of(cls, beside: Path, data: Path | None, encoders: Path | None) -> Places:
        """What the user names, else what the environment does; data else `beside` the table."""
        for path, option in ((data, "--data"), (encoders, "--encoders")):
            if path is not None and not path.is_dir():
                raise InputError("no such folder", path=path, remedy=f"check {option}")
        named = os.environ.get("GLEANNER_ENCODERS")
        return cls(
            data or Path(os.environ.get("GLEANNER_DATA") or beside), encoders or (Path(named) if named else None)
        )

    def file(self, name: str) -> Path:
        """A data file, which must be there."""
        path = self.data / name
        if not path.exists():
            raise InputError("no such file", path=path, remedy="name the folder of the data with --data")
        return path

    def encoder(self, name: str) -> str:
        """What training is given: a folder if there is one of this name, else the name."""
        folder = None if self.encoders is None else self.encoders / name
        return str(folder) if folder is not None and folder.is_dir() else name

    def filled(self, value: Any) -> Any:
        """A setting with the folders that it names."""
        if not isinstance(value, str):
            return value
        if "{encoders}" in value and self.encoders is None:
            raise InputError(f"{value!r} needs a folder of encoders", remedy="name it with --encoders")
        return value.replace("{encoders}", str(self.encoders)).replace("{data}", str(self.data))

    def digests(self, names: tuple[str, ...]) -> dict[str, str]:
        """What is in those of the files that are there: numbers that were measured on others do not count."""
        return {name: _digest(path, path.stat().st_mtime_ns) for name in names if (path := self.data / name).is_file()}


@cache
def _digest(path: Path, changed: int) -> str:
    with path.open("rb") as handle:
        digest = blake2b(digest_size=8)
        while part := handle.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
