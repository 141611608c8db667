"""How every figure looks: small, plain, the same in print and on a screen, and legible without colours.

matplotlib is loaded only when a figure is drawn, and never through pyplot, which has a state and wants a display.
"""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

from gleanner.analyse.sheet import deviation
from gleanner.data.atomic import atomic
from gleanner.errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMN, PAGE = 3.5, 7.0
"""Widths in inches: of a column, and of a page."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's, which people with any kind of colour blindness tell apart."""

GREY = "#777777"

DASHES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (6, 1.5, 1, 1.5)), (0, (3, 3)), (0, (8, 2)), "-")
"""With the colours, so that a line is known in grey print, too."""

MARKERS = "osD^vPX"

_STYLE: dict[Any, Any] = {
    "axes.grid": True,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 8,
    "axes.axisbelow": True,
    "font.size": 8,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "legend.handlelength": 2.4,
    "lines.linewidth": 1.3,
    "lines.markersize": 3.5,
    "savefig.dpi": 300,
    "svg.fonttype": "path",  # letters as curves: the same wherever it is opened
    "svg.hashsalt": "gleanner",  # else no two drawings of the same data were the same file
    "xtick.labelsize": 7.5,
    "xtick.major.width": 0.6,
    "ytick.labelsize": 7.5,
    "ytick.major.width": 0.6,
}
_CHINESE = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Micro Hei", "PingFang SC", "SimHei")
_LOG = logging.getLogger(__name__)


def require() -> None:
    """An error where matplotlib is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise InputError(
            "plots need matplotlib, which is not installed",
            remedy="pip install 'gleanner[report]', or add --no-plots for the tables alone",
        ) from error


def save(draw: Callable[[], Figure], stem: Path) -> list[Path]:
    """Draws in the one style, whatever the user's own is, and writes `stem.png` and `stem.svg`, the same for the same data."""
    require()
    import matplotlib
    from matplotlib.font_manager import fontManager

    known = set(fontManager.get_font_names())
    family = ["DejaVu Sans", *(name for name in _CHINESE if name in known)]
    paths = [stem.with_name(f"{stem.name}.{ending}") for ending in ("png", "svg")]
    with matplotlib.rc_context(), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({**_STYLE, "font.family": family})
        figure = draw()
        for path, metadata in zip(paths, ({"Software": None}, {"Date": None}), strict=True):
            with atomic(path, binary=True) as handle:
                figure.savefig(handle, format=path.suffix[1:], metadata=metadata)
    if any("missing from font" in str(warning.message) for warning in said):
        _LOG.warning("no font of this machine has some characters of %s; boxes stand for them", stem.name)
    return paths


def panels(
    rows: int,
    columns: int,
    size: tuple[float, float],
    *,
    share_x: bool = True,
    share_y: bool | Literal["row"] = True,
    **grid: Any,
) -> tuple[Figure, list[list[Axes]]]:
    """A figure of that many inches, and its axes row by row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="constrained")
    axes = figure.subplots(
        rows,
        columns,
        squeeze=False,
        sharex=share_x,
        sharey=share_y,
        gridspec_kw=grid,
    )
    return figure, [list(row) for row in axes]


def curve(axes: Axes, x: Sequence[float], points: Sequence[Sequence[float]], k: int, label: str, **style: Any) -> None:
    """The mean of each point over its seeds (points, seeds) in the k-th colour, and one standard deviation as a band."""
    middle = [fmean(values) for values in points]
    line = {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)], "label": label, **style}
    axes.plot(x, middle, **line)
    spread = [deviation(values) or 0.0 for values in points]
    if any(spread):
        low, high = ([m + sign * s for m, s in zip(middle, spread, strict=True)] for sign in (-1, 1))
        axes.fill_between(x, low, high, color=line["color"], alpha=0.18, linewidth=0)


def whole_numbers(axes: Axes) -> None:
    """Ticks on the x axis for epochs and lengths."""
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=9, steps=[1, 2, 5, 10]))


def percent(axes: Axes) -> None:
    """The y axis, whose numbers are shares, in per cent."""
    from matplotlib.ticker import FuncFormatter

    axes.yaxis.set_major_formatter(FuncFormatter(lambda share, _: f"{100 * share:g}"))


def legend(figure: Figure, axes: Axes, *, columns: int = 3) -> None:
    """Above the panels, where no data are; of one of them, for all have the same lines."""
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        figure.legend(handles, labels, loc="outside upper center", ncols=min(columns, len(labels)))


def shortened(text: str, limit: int = 34) -> str:
    """A label that fits."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def grid(count: int, across: int) -> tuple[int, int]:
    """Rows and columns for that many panels.

    >>> grid(3, 2), grid(1, 3)
    ((2, 2), (1, 1))
    """
    return math.ceil(count / across), min(count, across)
