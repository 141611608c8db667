"""How long a user waits for the command line to answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.speed.alternate import seconds
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row


def rows(material: Material) -> Iterator[Row]:
    """The median of five starts, after one that fills the disk's cache."""
    command = [str(Path(sys.executable).with_name("gleanner")), "--help"]

    def start() -> None:
        subprocess.run(command, check=True, capture_output=True)

    start()
    yield Row("gleanner --help", median(seconds(start) for _ in range(5)), "s", at_most=0.5)
