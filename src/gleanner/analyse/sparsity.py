"""Entity sparsity: how many entities sentences of each length have, against the square root of their length."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, pstdev
from typing import TYPE_CHECKING, Any

from gleanner.analyse import plot
from gleanner.analyse.findings import Findings
from gleanner.analyse.sheet import Column, Sheet
from gleanner.errors import InputError
from gleanner.types import Sentence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST = 20
"""Sentences that a length must have to be shown, as in the paper."""

COLUMNS = (
    Column("words"),
    Column("sentences", ","),
    Column("mean entities", ".3f"),
    Column("deviation", ".3f"),
    Column("sqrt(words)", ".3f"),
    Column("sentences with at most sqrt(words)", "%"),
)


def sparsity(sentences: Iterable[Sentence], least: int = LEAST) -> Findings:
    """Li et al. 2022, Figure 2: the premise of their Theorem 1 is that the points lie below the curve."""
    counts: defaultdict[int, list[int]] = defaultdict(list)
    for sentence in sentences:
        counts[len(sentence.words)].append(len(sentence.entities))
    rows = [
        (
            words,
            len(found),
            fmean(found),
            pstdev(found),
            math.sqrt(words),
            fmean(entities <= math.sqrt(words) for entities in found),
        )
        for words, found in sorted(counts.items())
        if len(found) >= least
    ]
    if not rows:
        raise InputError(
            f"no sentence length has {least} sentences or more", remedy="give a larger file, or a smaller --least"
        )
    return Findings({"sparsity": Sheet(COLUMNS, rows)}, {"sparsity": lambda: _draw(rows)})


def _draw(rows: Sequence[tuple[Any, ...]]) -> Figure:
    words, sentences, means, deviations = (list(column) for column in list(zip(*rows, strict=True))[:4])
    figure, ((above,), (below,)) = plot.panels(2, 1, (plot.COLUMN, 3.0), share_y=False, height_ratios=(3, 1))
    above.errorbar(
        words,
        means,
        yerr=deviations,
        fmt="o",
        color=plot.COLOURS[0],
        markersize=2.8,
        elinewidth=0.6,
        ecolor="#9ecae1",
        label="entities, mean and deviation",
    )
    fine = [k / 4 for k in range(4 * max(words) + 1)]
    above.plot(fine, [math.sqrt(n) for n in fine], color=plot.COLOURS[1], label="$\\sqrt{n}$")
    above.set(ylabel="Entities", ylim=(0, None))
    below.bar(words, sentences, width=0.9, color=plot.GREY)
    below.set(xlabel="Sentence length $n$ (words)", ylabel="Sentences", xlim=(0, max(words) + 1))
    plot.whole_numbers(below)
    figure.align_ylabels()
    plot.legend(figure, above)
    return figure
