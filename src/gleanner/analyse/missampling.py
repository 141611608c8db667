"""Missampling: how many of the negatives that a method trains on are hidden entities (Li et al. 2022, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gleanner.analyse import plot
from gleanner.analyse.findings import Findings
from gleanner.analyse.keep import Keep
from gleanner.analyse.places import kinds
from gleanner.analyse.plan import Run, named
from gleanner.analyse.sheet import Column, Sheet, deviation
from gleanner.analyse.truth import Truth, digest
from gleanner.analyse.watch import Looking, watched
from gleanner.model.feed import Feed
from gleanner.model.tagger import Tagger
from gleanner.model.units import Targets
from gleanner.training.reporter import Reporter
from gleanner.training.scores import Scores
from gleanner.training.stage import Progress, Sampler, Stage, Train
from gleanner.types import Sentence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Seeds = Sequence[Sequence[dict[str, Any]]]
"""What was counted: epochs of each seed."""

COLUMNS = (
    Column("method"),
    Column("stage"),
    Column("epoch"),
    Column("seeds"),
    Column("missampling", "%"),
    Column("deviation", "%"),
    Column("mean of sentences", "%"),
    Column("negatives", ",.0f"),
    Column("F1", "%"),
)


class Counting:
    """A sampler that is another one, and counts what comes out of it."""

    def __init__(self, sampler: Sampler) -> None:
        self.sampler = sampler
        self.hidden: Tensor | None = None  # places
        self.counts: dict[
            int, Tensor
        ] = {}  # by epoch: negatives, hidden ones, sentences with negatives, their rates' sum

    def __call__(self, scores: Scores, targets: Targets, progress: Progress) -> Tensor:
        """The sampler's own weights."""
        weights = self.sampler(scores, targets, progress)
        assert self.hidden is not None
        units = scores.units
        negative = (weights > 0) & (targets.label == 0)  # units
        missed = negative & self.hidden.to(weights.device)[units.place]
        drawn, wrong = (torch.bincount(units.row[some], minlength=len(units.owned)) for some in (negative, missed))
        some = drawn > 0  # rows
        found = torch.stack([drawn.sum(), wrong.sum(), some.sum(), (wrong / drawn.clamp(min=1)).sum()]).double()
        # Stays on the device: nobody waits for it until the stage is over.
        self.counts[progress.epoch] = self.counts.get(progress.epoch, 0) + found
        return weights


class Missampling:
    """Watches all stages of one training."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth
        self.epochs: list[dict[str, Any]] = []

    def __call__(self, stage: Stage, train: Train) -> Tagger:
        """Counts in each epoch of the stage."""
        counting = Counting(stage.sampler)
        gold = self.truth.gold_of(stage.corpus)

        def look(tagger: Tagger, feed: Feed, progress: Progress) -> None:
            if counting.hidden is None:
                counting.hidden = kinds(feed, gold).hidden.to(tagger.device)

        tagger = train(replace(stage, sampler=counting, refresh=Looking(stage.refresh, look)))
        for epoch, counts in sorted(counting.counts.items()):
            negatives, hidden, sentences, rates = counts.tolist()
            self.epochs.append(
                {
                    "stage": stage.name,
                    "epoch": epoch + 1,
                    "negatives": int(negatives),
                    "rate": hidden / max(negatives, 1),
                    "sentence_rate": rates / max(sentences, 1),
                }
            )
        return tagger


def missampling(
    truth: Truth, runs: Sequence[Run], keep: Keep, reporter: Reporter, dev: Iterable[Sentence] | None = None
) -> Findings:
    """By epoch, for each method: the mean over seeds, and how far they differ."""
    truth.require_hidden()
    dev = None if dev is None else list(dev)
    what = {"analysis": "missampling", "data": truth.digest, "dev": digest(dev or ())}
    curves: dict[str, Seeds] = {
        name: [keep(run, what, partial(_measure, run, truth, reporter, dev)) for run in several]
        for name, several in named(runs).items()
    }
    sheet = Sheet(COLUMNS, [row for name, seeds in curves.items() for row in _rows(name, seeds)])
    return Findings({"missampling": sheet}, {"missampling": lambda: _draw(curves)})


def _measure(run: Run, truth: Truth, reporter: Reporter, dev: list[Sentence] | None) -> list[dict[str, Any]]:
    watch = Missampling(truth)
    trained = watched(run, truth.train, watch, reporter, dev)
    f1 = {(entry["stage"], entry["epoch"]): entry["f1"] for entry in trained.history if "f1" in entry}
    return [epoch | {"f1": f1.get((epoch["stage"], epoch["epoch"]))} for epoch in watch.epochs]


def _points(seeds: Seeds) -> list[list[dict[str, Any]]]:
    """The epochs of all stages in order, each of all seeds that came so far: some may have stopped early."""
    found: dict[str, dict[int, list[dict[str, Any]]]] = {}
    for epochs in seeds:
        for epoch in epochs:
            found.setdefault(epoch["stage"], {}).setdefault(epoch["epoch"], []).append(epoch)
    return [epochs for stage in found.values() for _, epochs in sorted(stage.items())]


def _rows(name: str, seeds: Seeds) -> Iterable[tuple[Any, ...]]:
    for epochs in _points(seeds):
        scores = [epoch["f1"] for epoch in epochs if epoch["f1"] is not None]
        rates = [epoch["rate"] for epoch in epochs]
        yield (
            name,
            epochs[0]["stage"],
            epochs[0]["epoch"],
            len(epochs),
            fmean(rates),
            deviation(rates),
            fmean(epoch["sentence_rate"] for epoch in epochs),
            fmean(epoch["negatives"] for epoch in epochs),
            fmean(scores) if scores else None,
        )


def _draw(curves: dict[str, Seeds]) -> Figure:
    figure, ((axes,),) = plot.panels(1, 1, (plot.COLUMN, 2.6))
    for k, (name, seeds) in enumerate(curves.items()):
        rates = [[epoch["rate"] for epoch in epochs] for epochs in _points(seeds)]
        plot.curve(axes, range(1, len(rates) + 1), rates, k, name, marker=plot.MARKERS[k % len(plot.MARKERS)])
    axes.set(xlabel="Epoch", ylabel="Hidden entities among\nthe negatives (%)")
    axes.set_ylim(bottom=0)
    plot.percent(axes)
    plot.whole_numbers(axes)
    plot.legend(figure, axes, columns=2)
    return figure
