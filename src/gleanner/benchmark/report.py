"""What was measured, as two files for people."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gleanner.benchmark.markdown import markdown
from gleanner.benchmark.page import page
from gleanner.benchmark.summary import Summary
from gleanner.data.atomic import atomic


def write(summaries: Sequence[Summary], output: Path) -> tuple[Path, Path]:
    """`report.md` and `report.html`."""
    output.mkdir(parents=True, exist_ok=True)
    files = output / "report.md", output / "report.html"
    for path, text in zip(files, (markdown(summaries), page(summaries)), strict=True):
        with atomic(path) as handle:
            handle.write(text)
    return files
