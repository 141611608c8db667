"""Compiled dictionaries in folders: arrays that are mapped into memory, so that a million terms are there at once.

    lexicon.json      rules, dictionaries, types, and what each array must be, with its checksum
    terms.*.npy       the columns of the terms
    exact.*.npy       the index of the terms whose case matters, where there are any
    ignore.*.npy      the index of those whose case does not

Nothing in it is ever unpickled.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any
from unicodedata import unidata_version

import numpy as np
from numpy.typing import NDArray

from gleanner.data.atomic import atomic_folder
from gleanner.data.lines import readable
from gleanner.errors import InputError
from gleanner.gazetteer.columns import Arrays, Columns
from gleanner.gazetteer.index import Index
from gleanner.gazetteer.lexicon import KINDS, Kind, Lexicon, Spellings
from gleanner.gazetteer.rules import Rules

_VERSION = 1
_ABOUT = "lexicon.json"


def save(lexicon: Lexicon, folder: Path) -> None:
    """Writes a folder, whole or not at all."""
    arrays = {f"terms.{name}": array for name, array in lexicon.columns.arrays.items()}
    for kind, spellings in lexicon.spellings.items():
        arrays |= {f"{kind}.{name}": array for name, array in _arrays(spellings).items()}
    about = {
        "version": _VERSION,
        "unicode": unidata_version,
        "rules": asdict(lexicon.rules),
        "dictionaries": lexicon.dictionaries,
        "types": lexicon.columns.types,
        "arrays": {name: _check(array) for name, array in arrays.items()},
    }
    with atomic_folder(folder) as temporary:
        for name, array in arrays.items():
            np.save(temporary / f"{name}.npy", array, allow_pickle=False)
        (temporary / _ABOUT).write_text(json.dumps(about), encoding="utf-8")


def load(folder: Path, *, check: bool = True) -> Lexicon:
    """What `save` wrote. Damage is an `InputError`; without `check` only that which shows at once."""
    path = folder / _ABOUT
    with readable(path):
        text = path.read_bytes()
    try:
        about = json.loads(text)
        if about["version"] != _VERSION or about["unicode"] != unidata_version:
            raise InputError("made by another version of gleanner or Python", path=folder, remedy="make it anew")
        arrays = {
            name: _array(folder / f"{name}.npy", tuple(stated), check) for name, stated in about["arrays"].items()
        }
        rules = Rules(**about["rules"] | {"stop": tuple(about["rules"]["stop"])})
        spellings: dict[Kind, Spellings] = {
            kind: _spellings(_part(arrays, kind)) for kind in KINDS if f"{kind}.term" in arrays
        }
        columns = Columns(_part(arrays, "terms"), [tuple(types) for types in about["types"]])
        dictionaries = [(str(name), int(first)) for name, first in about["dictionaries"]]
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError("damaged: it is not what was written", path=path, remedy="delete the folder") from error
    lexicon = Lexicon(rules, dictionaries, columns, spellings)
    lexicon.folder = folder
    return lexicon


def digest(paths: Sequence[Path], rules: Rules, *stated: str) -> str:
    """The name of what these dictionaries' bytes become by these rules, and by whatever else decides it."""
    total = hashlib.blake2b(digest_size=12)
    total.update(json.dumps([_VERSION, unidata_version, asdict(rules), stated, [p.name for p in paths]]).encode())
    for path in paths:
        with readable(path), path.open("rb") as handle:
            total.update(hashlib.file_digest(handle, "blake2b").digest())
    return total.hexdigest()


def cached(folder: Path, build: Callable[[], Lexicon]) -> Lexicon:
    """The lexicon of a folder named by `digest`; built and put there if it is not there, or not whole."""
    if folder.exists():
        try:
            return load(folder)
        except InputError:
            pass  # built anew below, which also says what is wrong if the folder cannot be replaced
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        remedy = "set XDG_CACHE_HOME to a folder that you may write to"
        raise InputError(f"cannot be made: {error.strerror}", path=folder.parent, remedy=remedy) from error
    lexicon = build()
    try:
        save(lexicon, folder)
    except InputError:
        if not folder.exists():  # else another process was faster
            raise
    return load(folder)


def _arrays(spellings: Spellings) -> Arrays:
    own = {name: getattr(spellings, name) for name in ("term", "given", "ending")}
    return own | {field.name: getattr(spellings.index, field.name) for field in fields(Index)}


def _spellings(arrays: Arrays) -> Spellings:
    index = Index(**{field.name: arrays[field.name] for field in fields(Index)})
    return Spellings(index, arrays["term"], arrays["given"], arrays["ending"])


def _part(arrays: Arrays, prefix: str) -> Arrays:
    return {name.removeprefix(f"{prefix}."): array for name, array in arrays.items() if name.startswith(f"{prefix}.")}


def _check(array: NDArray[Any]) -> tuple[str, int, int]:
    """An array's kind of numbers, how many there are, and a checksum."""
    return array.dtype.str, len(array), zlib.crc32(np.ascontiguousarray(array).data)


def _array(path: Path, stated: tuple[str, int, int], check: bool) -> NDArray[Any]:
    try:
        with readable(path):
            array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise InputError("damaged: no array in it", path=path, remedy="delete the folder") from error
    # A plain view: indexing a `memmap` makes one of every result, which takes time.
    plain = np.asarray(array).view(np.ndarray)
    shape = (plain.dtype.str, *plain.shape)
    if shape != stated[:2] or (check and _check(plain) != stated):
        raise InputError("damaged: it is not what was written", path=path, remedy="delete the folder")
    return plain
