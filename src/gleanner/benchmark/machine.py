"""What a run was made on, and how much memory it took."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch


def machine(device: torch.device) -> dict[str, Any]:
    """What seconds and the last digits depend on."""
    packages = ("gleanner", "torch", "transformers", "numpy")
    return {
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else processor(),
        "threads": torch.get_num_threads(),
        "versions": {"python": platform.python_version()} | {package: version(package) for package in packages},
    }


def processor() -> str:
    """Its model, where the system says it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def memory(device: torch.device) -> dict[str, float | None]:
    """The most that this process had at a time, in megabytes: of the system's memory, and what PyTorch had of a GPU's."""
    on_gpu = torch.cuda.max_memory_allocated(device) / (1 << 20) if device.type == "cuda" else None
    return {"rss": _resident(), "cuda": None if on_gpu is None else round(on_gpu)}


def _resident() -> float | None:
    if sys.platform == "win32":
        return None
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1 << 20 if sys.platform == "darwin" else 1 << 10))
