"""Which arithmetic a device is fast in."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Literal

import torch

from gleanner.model.choices import Precision


def resolve(precision: Precision, device: torch.device) -> Literal["fp32", "bf16"]:
    """`auto` is bf16 where the hardware multiplies it natively: several times faster there, several times slower elsewhere."""
    if precision != "auto":
        return precision
    if device.type == "cpu":
        capability: dict[str, bool] = getattr(torch.cpu, "get_capabilities", dict)()  # not in older versions
        native = any(capability.get(name, False) for name in ("avx512_bf16", "amx_bf16", "bf16"))
        return "bf16" if native else "fp32"
    if device.type == "cuda":
        return "bf16" if torch.cuda.is_bf16_supported(including_emulation=False) else "fp32"
    return "fp32"


def autocast(precision: Precision, device: torch.device) -> AbstractContextManager[object]:
    """A context in which matrix products run in that precision."""
    if resolve(precision, device) == "fp32":
        return nullcontext()
    return torch.autocast(device.type, dtype=torch.bfloat16)


def best_device() -> torch.device:
    """A CUDA GPU where there is one. Apple's are not chosen: nobody has tested training on them yet."""
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("cpu")
