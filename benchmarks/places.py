"""Where benchmarks find what does not belong into the repository: real data and encoders."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def data() -> Path | None:
    """`GLEANNER_DATA`, else the shared folder beside the repository where there is one."""
    return _folder("GLEANNER_DATA", ROOT.parent / "shared" / "datasets")


def encoder(name: str) -> str | None:
    """A folder in `GLEANNER_ENCODERS`, else beside the repository; `minilm` is itself."""
    if name == "minilm":
        return name
    folder = _folder("GLEANNER_ENCODERS", ROOT.parent / "shared" / "encoders")
    return str(folder / name) if folder is not None and (folder / name).is_dir() else None


def _folder(variable: str, default: Path) -> Path | None:
    folder = Path(os.environ.get(variable, default))
    return folder if folder.is_dir() else None
