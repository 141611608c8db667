"""The record of a run, `run.json`: what makes an output folder this run's and no other's."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from accelerate import Accelerator

from gleanner.data.alone import LOCK
from gleanner.data.atomic import atomic
from gleanner.errors import InputError
from gleanner.model.examples import Examples
from gleanner.training import digest
from gleanner.training.settings import Settings, dump

RECORD = "run.json"


def read(output: Path) -> dict[str, Any] | None:
    """The record in a folder, or None where there is none."""
    path = output / RECORD
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {error}", path=path, remedy="choose another --output") from error
    if not isinstance(record, dict) or "fingerprint" not in record:
        raise InputError("not the record of a gleanner run", path=path, remedy="choose another --output")
    return record


def write(output: Path, record: dict[str, Any]) -> None:
    """Makes the folder if need be; the record in it is replaced whole or not at all."""
    make_folder(output)
    with atomic(output / RECORD) as handle:
        handle.write(json.dumps(record, indent=2, ensure_ascii=False) + "\n")


def circumstances(
    settings: Settings, data: Mapping[str, Examples], accelerator: Accelerator, precision: str
) -> dict[str, Any]:
    """What a run was made of and by: enough to repeat it."""
    packages = ("gleanner", "torch", "transformers", "accelerate", "tokenizers", "numpy")
    return {
        "settings": dump(settings),
        "data": {name: _summary(examples) for name, examples in data.items()},
        "command": [Path(sys.argv[0]).name, *sys.argv[1:]],
        "versions": {"python": platform.python_version()} | {name: version(name) for name in packages},
        "machine": {
            "device": str(accelerator.device),
            "processes": accelerator.num_processes,
            "threads": torch.get_num_threads(),
            "precision": precision,
        },
    }


def _summary(examples: Examples) -> dict[str, Any]:
    return {
        "sentences": len(examples),
        "words": len(examples.words),
        "entities": int((examples.span_label > 0).sum()),
        "digest": digest.of_examples(examples),
    }


def make_folder(folder: Path) -> None:
    """With all folders above it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", path=folder, remedy="choose another --output") from error


def refuse_foreign(output: Path) -> None:
    """Before the data is read: a folder that is certainly not this run's."""
    if output.exists() and not output.is_dir():
        raise InputError("the output exists and is not a folder", path=output, remedy="choose another --output")
    record = read(output)
    if record is None:
        # A run that was killed while it wrote its record has left only a part of it, which does not count.
        if output.exists() and any(not entry.name.startswith((f".{RECORD}.", LOCK)) for entry in output.iterdir()):
            raise InputError("the output folder exists and is not empty", path=output, remedy="choose another --output")
    elif record.get("finished"):
        raise InputError(
            "this folder holds a finished run", path=output, remedy="choose another --output, or use the model in it"
        )
