"""O-values: the score for O of words that are hidden entities, and of words that truly are none, while a model learns.

The two-step paper's preliminary study: networks learn simple patterns before they learn noise, so after a few epochs hidden
entities still have smaller O-values than true negatives (its Figure 2), and the words with the smallest ones can be taken for
hidden entities (its Figures 3 and 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gleanner.analyse import o_value_figures as figures
from gleanner.analyse.findings import Findings
from gleanner.analyse.keep import Keep
from gleanner.analyse.places import Kinds, kinds
from gleanner.analyse.plan import Run, named
from gleanner.analyse.sheet import Column, Sheet
from gleanner.analyse.truth import Truth
from gleanner.analyse.watch import Looking, watched
from gleanner.errors import InputError
from gleanner.model.feed import Feed
from gleanner.model.heads.head import head_class
from gleanner.model.tagger import Tagger
from gleanner.training.draw import quota
from gleanner.training.reporter import Reporter
from gleanner.training.stage import Progress, Stage, Train

SHARES = tuple(0.1 * 2.0**-k for k in range(5, -1, -1))
"""The paper's lambdas: the shares of the words labelled O that are marked."""

BINS = 40

_WHO = ("hidden", "negative")

VALUES = (
    Column("head"),
    Column("epoch"),
    Column("kind"),
    Column("words", ",.0f"),
    Column("mean", ".3f"),
    Column("quartile 1", ".3f"),
    Column("median", ".3f"),
    Column("quartile 3", ".3f"),
)
DETECTION = (
    Column("head"),
    Column("epoch"),
    Column("lambda", "g"),
    Column("marked", ",.0f"),
    Column("precision", "%"),
    Column("recall", "%"),
)


def of_heads(runs: Sequence[Run], heads: Sequence[str]) -> list[Run]:
    """The runs with each of these token heads, named after them."""
    for head in heads:
        if head_class(head).unit != "tokens":
            raise InputError(f"the head {head!r} scores spans", remedy="O-values are of words: name a token head")
    return [
        Run(head, replace(run.settings, method=run.settings.method | {"head": head})) for head in heads for run in runs
    ]


class OValues:
    """Watches ordinary training: looks at all words after each epoch."""

    def __init__(self, truth: Truth, shares: Sequence[float]) -> None:
        self.truth, self.shares = truth, shares
        self.epochs: list[dict[str, Any]] = []

    def __call__(self, stage: Stage, train: Train) -> Tagger:
        """Looks before each epoch but the first, and after the last."""
        seen: list[tuple[Feed, Kinds]] = []

        def look(tagger: Tagger, feed: Feed, progress: Progress) -> None:
            if not seen:
                seen.append((feed, kinds(feed, self.truth.gold_of(stage.corpus))))
            if progress.step and progress.step % progress.steps_per_epoch == 0:
                self._look(tagger, *seen[0])

        tagger = train(replace(stage, select=False, refresh=Looking(stage.refresh, look)))
        self._look(tagger, *seen[0])
        return tagger

    def _look(self, tagger: Tagger, feed: Feed, what: Kinds) -> None:
        values = tagger.logits(feed)[:, 0]  # words
        found = summary(values, what) | {"detection": detection(values, what, self.shares)}
        self.epochs.append({"epoch": len(self.epochs) + 1} | found)


def summary(values: Tensor, what: Kinds) -> dict[str, Any]:
    """Mean, quartiles and histogram of both kinds of words; the bins are the same for both."""
    groups = {name: values[mask].double().numpy() for name, mask in zip(_WHO, what, strict=True)}
    both = np.concatenate(list(groups.values()))
    edges = np.linspace(both.min(), both.max(), BINS + 1)
    found: dict[str, Any] = {"edges": edges.tolist()}
    for name, group in groups.items():
        first, median, third = np.percentile(group, [25, 50, 75]).tolist() if len(group) else [float(both.mean())] * 3
        found[name] = {
            "count": len(group),
            "mean": float(group.mean()) if len(group) else median,
            "quartiles": [first, median, third],
            "histogram": np.histogram(group, edges)[0].tolist(),
        }
    return found


def detection(values: Tensor, what: Kinds, shares: Sequence[float]) -> list[dict[str, Any]]:
    """With the `ceil(share * m)` smallest of m values marked: how many marked are hidden, and how many hidden are marked."""
    words = (what.hidden | what.negative).nonzero().squeeze(1)
    order = words[torch.argsort(values[words], stable=True)]
    right = torch.cumsum(what.hidden[order], 0)  # marked words: hidden ones up to here
    marked = [int(quota(share, torch.tensor(len(words)))) for share in shares]
    total = max(int(what.hidden.sum()), 1)
    return [
        {"share": share, "marked": m, "precision": int(right[m - 1]) / m, "recall": int(right[m - 1]) / total}
        for share, m in zip(shares, marked, strict=True)
    ]


def o_values(
    truth: Truth,
    runs: Sequence[Run],
    keep: Keep,
    reporter: Reporter,
    *,
    shares: Sequence[float] = SHARES,
    after: int = 2,
) -> Findings:
    """By epoch, for each head; `after` is the epoch at which the figure of detection is drawn."""
    truth.require_hidden()
    for share in shares:
        if not 0 < share <= 1:
            raise InputError(f"the share {share!r} cannot be marked", remedy="give shares above 0 and up to 1")
    epochs = runs[0].settings.training.epochs
    if not 1 <= after <= epochs:
        raise InputError(f"there is no epoch {after}", remedy=f"--after is from 1 to training.epochs={epochs}")
    shares = sorted(set(shares))
    what = {"analysis": "o-values", "data": truth.digest, "shares": shares}
    found: dict[str, list[list[dict[str, Any]]]] = {
        name: [keep(run, what, partial(_measure, run, truth, reporter, shares)) for run in several]
        for name, several in named(runs).items()
    }
    return Findings(
        {
            "o-values": Sheet(VALUES, [row for name, seeds in found.items() for row in _values(name, seeds)]),
            "o-values-detection": _detection(found, shown=lambda epoch: epoch == after),
            "o-values-detection-by-epoch": replace(_detection(found, shown=lambda epoch: True), shown=False),
        },
        {
            "o-values": lambda: figures.curves(found),
            "o-values-histograms": lambda: figures.histograms(found),
            "o-values-detection": lambda: figures.detection(found, after),
            "o-values-detection-by-epoch": lambda: figures.detection_by_epoch(found),
        },
    )


def _measure(run: Run, truth: Truth, reporter: Reporter, shares: Sequence[float]) -> list[dict[str, Any]]:
    watch = OValues(truth, shares)
    watched(run, truth.train, watch, reporter)
    return watch.epochs


def _values(name: str, seeds: Sequence[Sequence[dict[str, Any]]]) -> list[tuple[Any, ...]]:
    rows = []
    for epochs in zip(*seeds, strict=True):
        for who in _WHO:
            groups = [epoch[who] for epoch in epochs]
            numbers = np.mean([[g["count"], g["mean"], *g["quartiles"]] for g in groups], axis=0).tolist()
            rows.append((name, epochs[0]["epoch"], who, *numbers))
    return rows


def _detection(found: dict[str, list[list[dict[str, Any]]]], shown: Any) -> Sheet:
    rows = []
    for name, seeds in found.items():
        for epochs in zip(*seeds, strict=True):
            if shown(epochs[0]["epoch"]):
                for marks in zip(*(epoch["detection"] for epoch in epochs), strict=True):
                    keys = ("marked", "precision", "recall")
                    numbers = np.mean([[mark[key] for key in keys] for mark in marks], axis=0).tolist()
                    rows.append((name, epochs[0]["epoch"], marks[0]["share"], *numbers))
    return Sheet(DETECTION, rows)
