"""What an analysis hands over: tables, and figures that are drawn when somebody wants them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gleanner.analyse.sheet import Sheet
from gleanner.data.atomic import atomic
from gleanner.training.record import make_folder

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Findings:
    """Each by its name, which is also its file's."""

    sheets: Mapping[str, Sheet]
    figures: Mapping[str, Callable[[], Figure]]

    def save(self, folder: Path, *, plots: bool = True) -> list[Path]:
        """Writes tables as CSV, JSON and Markdown, figures as PNG and SVG. What they replace is replaced whole."""
        make_folder(folder)
        written = []
        for name, sheet in self.sheets.items():
            for ending, text in ((".csv", sheet.csv()), (".json", sheet.json()), (".md", sheet.markdown())):
                with atomic(folder / (name + ending)) as handle:
                    handle.write(text)
                written.append(folder / (name + ending))
        if plots:
            from gleanner.analyse.plot import save

            for name, draw in self.figures.items():
                written += save(draw, folder / name)
        return written
