"""How much memory a process has taken."""

from __future__ import annotations

import resource
import sys
from pathlib import Path


def peak() -> int:
    """The largest resident size of this process, in bytes."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except FileNotFoundError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    # Not ru_maxrss, which on Linux a process takes over from the one that started it, here the larger of the two.
    return 1024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))
