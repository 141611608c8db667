"""The state of a stage in one safetensors file, replaced atomically: a run that is killed at any moment goes on from it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.optim import Optimizer

from gleanner.errors import InputError


def write(path: Path, tensors: dict[str, Tensor], facts: dict[str, Any]) -> None:
    """Writes beside, forces it to the disk, then takes the old file's place."""
    beside = path.with_suffix(".writing")
    whole = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    try:
        save_file(whole, beside, metadata={"facts": json.dumps(facts)})
        with beside.open("rb+") as handle:  # Windows forces only what may be written
            os.fsync(handle.fileno())
        beside.replace(path)
    except (OSError, SafetensorError) as error:
        beside.unlink(missing_ok=True)
        raise InputError(f"cannot write a checkpoint: {error}", path=path, remedy="make room on the disk") from error


def read(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]] | None:
    """Tensors and facts, or None where there is no checkpoint yet."""
    if not path.exists():
        return None
    try:
        with safe_open(path, framework="pt") as file:
            facts = json.loads(file.metadata()["facts"])
        return load_file(path), facts
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"the checkpoint is damaged: {error}", path=path, remedy="remove it to start this stage again"
        ) from error


def optimizer_tensors(optimizer: Optimizer) -> dict[str, Tensor]:
    """The optimiser's state by parameter number."""
    state = optimizer.state_dict()["state"]
    return {f"optimizer.{number}.{name}": value for number, entry in state.items() for name, value in entry.items()}


def restore_optimizer(optimizer: Optimizer, tensors: dict[str, Tensor]) -> None:
    """The inverse."""
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in tensors.items():
        if key.startswith("optimizer."):
            _, number, name = key.split(".")
            state.setdefault(int(number), {})[name] = torch.clone(value)
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
