"""The figures of the two-step paper's preliminary study. What is drawn is what `o_values` found: heads, seeds, epochs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from gleanner.analyse import plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Found = Mapping[str, Sequence[Sequence[dict[str, Any]]]]

_WHO = {"hidden": ("hidden entities", plot.COLOURS[1]), "negative": ("true negatives", plot.COLOURS[0])}


def curves(found: Found) -> Figure:
    """Figure 2: medians by epoch, and the quartiles as bands; the scale of a head's scores is its own."""
    figure, (row,) = plot.panels(1, len(found), _size(len(found), 2.5), share_y=False)
    for axes, (name, seeds) in zip(row, found.items(), strict=True):
        x = [epoch["epoch"] for epoch in seeds[0]]
        for k, (who, (label, colour)) in enumerate(_WHO.items()):
            low, middle, high = (
                [fmean(epoch[who]["quartiles"][q] for epoch in epochs) for epochs in zip(*seeds, strict=True)]
                for q in range(3)
            )
            axes.plot(x, middle, color=colour, linestyle=plot.DASHES[k], marker=plot.MARKERS[k], label=label)
            axes.fill_between(x, low, high, color=colour, alpha=0.18, linewidth=0)
        axes.set(xlabel="Epoch", title=name)
        plot.whole_numbers(axes)
    row[0].set_ylabel("O-value (median, quartiles)")
    plot.legend(figure, row[0])
    return figure


def histograms(found: Found) -> Figure:
    """How the O-values of both kinds are spread after a few epochs, of the first seed; each kind has area 1."""
    epochs = len(next(iter(found.values()))[0])
    chosen = sorted({1, min(2, epochs), (epochs + 1) // 2, epochs})
    size = (plot.PAGE, 0.4 + 1.5 * len(found))
    figure, rows = plot.panels(len(found), len(chosen), size, share_x=False, share_y=False)
    for row, (name, seeds) in zip(rows, found.items(), strict=True):
        for axes, number in zip(row, chosen, strict=True):
            epoch = seeds[0][number - 1]
            edges = epoch["edges"]
            for who, (label, colour) in _WHO.items():
                counts = epoch[who]["histogram"]
                area = max(sum(counts), 1) * max(edges[1] - edges[0], 1e-9)
                axes.stairs([c / area for c in counts], edges, fill=True, alpha=0.45, color=colour, label=label)
            axes.set_title(f"{name}, epoch {number}")
            axes.grid(visible=False)
        row[0].set_ylabel("Density")
    for axes in rows[-1]:
        axes.set_xlabel("O-value")
    plot.legend(figure, rows[0][0])
    return figure


def detection(found: Found, after: int) -> Figure:
    """Figures 3 and 6: precision and recall against the share that is marked, after so many epochs."""
    figure, (row,) = plot.panels(1, 2, (plot.PAGE, 2.5), share_y=False)
    for axes, key in zip(row, ("precision", "recall"), strict=True):
        for k, (name, seeds) in enumerate(found.items()):
            x = [100 * mark["share"] for mark in seeds[0][0]["detection"]]
            marks = zip(*(epochs[after - 1]["detection"] for epochs in seeds), strict=True)
            values = [[mark[key] for mark in several] for several in marks]
            plot.curve(axes, x, values, k, name, marker=plot.MARKERS[k % len(plot.MARKERS)])
        axes.set_xscale("log", base=2)
        axes.set_xticks(x, [f"{share:.4g}" for share in x])
        axes.minorticks_off()
        axes.set(xlabel="Words marked ($\\lambda$, % of those labelled O)", ylabel=f"{key.capitalize()} (%)")
        axes.set_ylim(0, None)
        plot.percent(axes)
    chance = fmean(_chance(epochs[0]) for seeds in found.values() for epochs in seeds)
    row[0].axhline(chance, color=plot.GREY, linewidth=0.9, linestyle=":", label="words marked at random")
    plot.legend(figure, row[0])
    return figure


def detection_by_epoch(found: Found) -> Figure:
    """The same by epoch, a line a share."""
    figure, rows = plot.panels(2, len(found), _size(len(found), 3.8), share_y="row")
    for column, (name, seeds) in enumerate(found.items()):
        x = [epoch["epoch"] for epoch in seeds[0]]
        for axes, key in zip((rows[0][column], rows[1][column]), ("precision", "recall"), strict=True):
            for k, mark in enumerate(seeds[0][0]["detection"]):
                values = [[e["detection"][k][key] for e in epochs] for epochs in zip(*seeds, strict=True)]
                plot.curve(axes, x, values, k, f"$\\lambda$ = {100 * mark['share']:.4g} %")
            axes.set_ylim(0, None)
            plot.percent(axes)
            plot.whole_numbers(axes)
        rows[0][column].set_title(name)
        rows[1][column].set_xlabel("Epoch")
    rows[0][0].set_ylabel("Precision (%)")
    rows[1][0].set_ylabel("Recall (%)")
    plot.legend(figure, rows[0][0], columns=3 if len(found) == 1 else 6)
    return figure


def _chance(epoch: dict[str, Any]) -> float:
    hidden, negative = epoch["hidden"]["count"], epoch["negative"]["count"]
    return float(hidden / max(hidden + negative, 1))


def _size(count: int, height: float) -> tuple[float, float]:
    return (plot.COLUMN if count == 1 else plot.PAGE, height)
