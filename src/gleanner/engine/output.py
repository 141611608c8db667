"""Where records go: files that appear when all is done, and until then what a killed run needs to go on.

    silver.jsonl.part              whole blocks, one after the other
    silver.jsonl.notes.part        the notes of these blocks, a line each
    silver.jsonl.manifest.json     of what they were made, which are done, and how many bytes of the parts are theirs

For an address they lie in a folder for what is temporary, and at the end go where they belong. A Parquet file is made at the
end, since none can be gone on with. Whatever happens, a part's first bytes, as many as the manifest says, are whole records.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass, field, replace
from io import FileIO
from pathlib import Path
from time import monotonic
from typing import Any

from gleanner.data import parquet
from gleanner.data.alone import locked
from gleanner.data.atomic import atomic, complaints
from gleanner.data.packed import is_address, packing, storage
from gleanner.engine.job import Result
from gleanner.errors import InputError

SECONDS = 0.5
"""How often the manifest is written. That much work a run that is killed does again."""


@dataclass
class Manifest:
    """How far a run is."""

    settings: dict[str, Any]
    """What the records depend on. What was begun with others is not gone on with."""
    inputs: list[dict[str, Any]]
    """The files that are read. Those that are not begun may change."""
    files: list[str]
    bytes: list[int]
    """For each file, and at the end for the notes."""
    done: tuple[int, int] = (0, -1)
    """The last block that is written: its file's number and its own."""
    blocks: int = 0
    records: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    finished: bool = False


def shard_names(path: str, shards: int) -> list[str]:
    """The files of an output.

    >>> shard_names("s3://bucket/out.jsonl.gz", 2)
    ['s3://bucket/out-00000-of-00002.jsonl.gz', 's3://bucket/out-00001-of-00002.jsonl.gz']
    """
    if shards == 1:
        return [path]
    stem = path.removesuffix(path[len(path) - len(packing(path)) :])
    stem = stem.removesuffix(Path(stem).suffix)
    return [f"{stem}-{number:05d}-of-{shards:05d}{path[len(stem) :]}" for number in range(shards)]


class Output:
    """The files of a run, open for writing.

    With `shards`, blocks go round them by their numbers, so that what is in a shard depends on the inputs alone.
    """

    def __init__(
        self,
        path: str | Path,
        settings: dict[str, Any],
        inputs: list[dict[str, Any]],
        *,
        shards: int = 1,
        force: bool = False,
    ) -> None:
        self.path = path
        self._targets = shard_names(str(path), shards)
        base = _workplace(path)
        self._notes = base.with_name(f"{base.name}.notes.part")
        self._parts = [*(Path(f"{name}.part") for name in shard_names(str(base), shards)), self._notes]
        self._note = base.with_name(f"{base.name}.manifest.json")
        self.manifest = self._found(settings, inputs, force=force)
        self._handles: list[FileIO] = []
        self._saved = 0.0
        self._stack = ExitStack()

    def __enter__(self) -> Output:
        with complaints(self.path), ExitStack() as stack:
            for part, size in zip(self._parts, self.manifest.bytes, strict=True):
                handle = stack.enter_context(FileIO(part, "r+" if size else "w"))
                if not locked(handle):
                    what = "another gleanner is writing this"
                    raise InputError(what, path=self.path, remedy="wait for it, or choose another name")
                handle.truncate(size)
                handle.seek(size)
                self._handles.append(handle)
            self._save()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # an earlier manifest is as true, only older
            self._save()
        self._stack.close()

    def write(self, result: Result) -> None:
        """Appends a block. If that fails, the files are as they were before."""
        made, before = self.manifest, Counter(self.manifest.counts)
        shard = (result.file + result.number) % len(self._targets)
        note = result.note.encode() + b"\n" if result.note else b""
        sizes = list(made.bytes)
        try:
            with complaints(self.path, f"{made.records:,} records are kept; run the same command again to go on"):
                for number, data in ((shard, result.data), (-1, note)):
                    _append(self._handles[number], data)
                    sizes[number] += len(data)
                self.manifest = Manifest(
                    made.settings,
                    made.inputs,
                    made.files,
                    sizes,
                    (result.file, result.number),
                    made.blocks + 1,
                    made.records + result.records,
                    dict(before + result.counts),
                )
                if monotonic() - self._saved > SECONDS:
                    self._save()
        except InputError:
            self.manifest = made
            for number in (shard, -1):
                with suppress(OSError):
                    self._handles[number].truncate(made.bytes[number])
            raise

    def notes(self) -> Iterator[str]:
        """Those of all blocks, in order."""
        with self._notes.open(encoding="utf-8", newline="\n") as handle:
            for line in handle:
                yield line.removesuffix("\n")

    def finish(self) -> Manifest:
        """Gives the files their names."""
        with complaints(self.path, "run the same command again to go on"):
            for handle in self._handles:
                os.fsync(handle.fileno())
            self.__exit__()
            for part, target in zip(self._parts, self._targets, strict=False):
                _publish(part, target)
            self._notes.unlink()
            self.manifest.finished = True
            self._save()
        return self.manifest

    def _found(self, settings: dict[str, Any], inputs: list[dict[str, Any]], *, force: bool) -> Manifest:
        """The state to begin with: that of an earlier run of the same, or nothing done."""
        fresh = Manifest(settings, inputs, list(self._targets), [0] * len(self._parts))
        there = next((target for target in self._targets if _is_there(target)), None)
        earlier = None if force else self._read()
        if there is not None and not force:
            raise InputError(
                "the output exists", path=there, remedy="choose another name, or add --force to replace it"
            )
        if earlier is None or earlier.finished:
            return fresh
        begun = earlier.done[0] + 1 if earlier.blocks else 0
        changed = [key for key in settings if earlier.settings.get(key) != settings[key]]
        changed += ["input"] if earlier.inputs[:begun] != inputs[:begun] else []
        changed += ["number of shards"] if earlier.files != fresh.files else []
        if changed:
            raise InputError(
                f"this was begun with another {', '.join(changed)}",
                path=self._note,
                remedy="go on with the same, or add --force to begin anew",
            )
        if any(
            not part.exists() or part.stat().st_size < size
            for part, size in zip(self._parts, earlier.bytes, strict=True)
        ):
            raise InputError(
                "what was begun is damaged: a .part is shorter than the manifest says",
                path=self._note,
                remedy="add --force to begin anew",
            )
        return replace(earlier, inputs=inputs)

    def _read(self) -> Manifest | None:
        if not self._note.exists():
            return None
        try:
            fields = json.loads(self._note.read_text(encoding="utf-8"))
            manifest = Manifest(**fields)
            manifest.done = (int(fields["done"][0]), int(fields["done"][1]))
            sizes_are_good = all(type(size) is int and size >= 0 for size in manifest.bytes)
            if not sizes_are_good or len(manifest.bytes) != len(manifest.files) + 1:
                raise ValueError("bytes")
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise InputError(
                "this is no manifest of gleanner", path=self._note, remedy="delete it, or add --force to begin anew"
            ) from error
        return manifest

    def _save(self) -> None:
        # Not `atomic`, which waits for the disk: what is lost is only done again.
        aside = self._note.with_name(f".{self._note.name}.tmp")
        try:
            aside.write_text(json.dumps(vars(self.manifest)) + "\n", encoding="utf-8")
            aside.replace(self._note)
            self._saved = monotonic()
        except OSError:
            with suppress(OSError):
                aside.unlink()
            raise


def _workplace(path: str | Path) -> Path:
    """Beside which name the parts lie."""
    if not is_address(path):
        return Path(path)
    folder = Path(tempfile.gettempdir()) / "gleanner" / hashlib.sha256(str(path).encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder / str(path).rpartition("/")[2]


def _is_there(target: str) -> bool:
    if not is_address(target):
        return Path(target).exists()
    system, name = storage(target)
    return bool(system.exists(name))


def _publish(part: Path, target: str) -> None:
    """Gives a part its name, in its form and at its place."""
    is_parquet = target.lower().endswith(parquet.ENDINGS)
    if not is_parquet and not is_address(target):
        part.replace(target)
        return
    with part.open("rb") as source, _target(target) as handle:
        (parquet.join if is_parquet else shutil.copyfileobj)(source, handle)
    part.unlink()


def _target(target: str) -> AbstractContextManager[Any]:
    """A handle for writing a file, which appears whole or not at all."""
    if not is_address(target):
        return atomic(Path(target), binary=True)
    system, name = storage(target)
    handle: AbstractContextManager[Any] = system.open(name, "wb")
    return handle


def _append(handle: FileIO, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[handle.write(left) or 0 :]
