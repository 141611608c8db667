"""Uncertainty: whether negatives are worth more if a model is unsure of them (Li et al. 2022, section 3.2 and Table 2).

The training data is cut into two random halves. An oracle learns from the first by negative sampling. In each sentence of
the second the `ceil(rate * n)` negatives are taken whose labels it finds the most, the middling or the least uncertain, hidden
entities always left out, so that missampling is 0; and a model learns from these and the labelled entities alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from gleanner.analyse import plot
from gleanner.analyse.findings import Findings
from gleanner.analyse.keep import Keep
from gleanner.analyse.places import kinds, listing
from gleanner.analyse.plan import Run
from gleanner.analyse.sheet import Column, Sheet, deviation
from gleanner.analyse.truth import Truth, digest
from gleanner.analyse.watch import watched
from gleanner.errors import InputError
from gleanner.evaluation.report import evaluate
from gleanner.methods.load import build
from gleanner.methods.negative_sampling import NegativeSampling
from gleanner.model.feed import Feed
from gleanner.model.tagger import Tagger
from gleanner.model.units import Targets
from gleanner.training.draw import highest, quota
from gleanner.training.reporter import Reporter
from gleanner.training.scores import Scores
from gleanner.training.stage import Progress, Stage, Train
from gleanner.types import Sentence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SELECTIONS = ("top-k", "middle-k", "bottom-k")

COLUMNS = (
    Column("negatives"),
    Column("seeds"),
    Column("F1", "%"),
    Column("deviation", "%"),
    Column("precision", "%"),
    Column("recall", "%"),
    Column("mean entropy", ".4f"),
    Column("count", ",.0f"),
)


def select(which: str, entropy: Tensor, sentence: Tensor, candidate: Tensor, count: Tensor) -> Tensor:
    """In each sentence that many of the candidates: those of the highest, middling or lowest entropy: (units,), bool.

    >>> entropy, one, all_of_it = torch.tensor([.1, .5, .2, .4, .3]), torch.zeros(5, dtype=torch.long), torch.ones(5) > 0
    >>> [select(which, entropy, one, all_of_it, torch.tensor([1])).nonzero().tolist() for which in SELECTIONS]
    [[[1]], [[4]], [[0]]]
    """
    if which == "middle-k":
        return highest(-_from_the_middle(entropy, sentence, candidate), sentence, candidate, count)
    return highest(entropy if which == "top-k" else -entropy, sentence, candidate, count)


def _from_the_middle(entropy: Tensor, sentence: Tensor, candidate: Tensor) -> Tensor:
    """How far from the middle each candidate stands when its sentence's are sorted."""
    some = candidate.nonzero().squeeze(1)
    order = some[torch.argsort(entropy[some], descending=True, stable=True)]
    order = order[torch.argsort(sentence[order], stable=True)]
    row = sentence[order]
    size = torch.bincount(row)
    rank = torch.arange(len(order)) - (torch.cumsum(size, 0) - size)[row]
    distance = torch.zeros(len(entropy), dtype=torch.float64)
    distance[order] = (rank - (size[row] - 1) / 2).abs().double()
    return distance


def listed(scores: Scores, targets: Targets, progress: Progress) -> Tensor:
    """A sampler: what is labelled, and what stands in the stage's table."""
    assert targets.table is not None
    return targets.weight * (targets.known | (targets.table[:, 0] > 0))


@dataclass(frozen=True)
class Listed:
    """A watch that trains on chosen negatives and no others."""

    chosen: Tensor  # places, bool

    def __call__(self, stage: Stage, train: Train) -> Tagger:
        """The stage with another sampler."""
        return train(replace(stage, sampler=listed, refresh=self._table))

    def _table(self, tagger: Tagger, feed: Feed, progress: Progress, table: Tensor | None) -> Tensor:
        return self.chosen[:, None] if table is None else table


class Candidates(NamedTuple):
    """What negatives can be chosen from."""

    place: Tensor  # units: number in the corpus
    sentence: Tensor  # units
    entropy: Tensor  # units
    negative: Tensor  # units, bool: nobody labelled it, and it is no hidden entity
    wanted: Tensor  # sentences: k
    places: int


@dataclass(frozen=True)
class Study:
    """One seed: the halves, and the oracle, which is trained when it is first asked."""

    run: Run
    truth: Truth
    dev: list[Sentence] | None
    test: list[Sentence]
    reporter: Reporter

    @cached_property
    def halves(self) -> tuple[Truth, Truth]:
        """The sentences for the oracle, and those for the models."""
        order = np.random.default_rng(self.run.seed).permutation(len(self.truth.train)).tolist()
        middle = len(order) // 2
        first, second = (
            Truth([self.truth.train[k] for k in half], [self.truth.gold[k] for k in half])
            for half in (sorted(order[:middle]), sorted(order[middle:]))
        )
        return first, second

    @cached_property
    def candidates(self) -> Candidates:
        """The second half's units as the oracle sees them."""
        first, second = self.halves
        oracle = watched(self.run, first.train, _as_it_is, self.reporter, self.dev).tagger
        feed = oracle.feed(second.train)
        entropy = torch.special.entr(oracle.logits(feed).softmax(dim=1)).sum(dim=1)  # places
        units, hidden = listing(feed), kinds(feed, second.gold).hidden
        negative = ~units.known & units.usable & ~hidden[units.place]
        method = build(self.run.settings.method)
        assert isinstance(method, NegativeSampling)
        count = quota(method.rate, torch.from_numpy(feed.examples.lengths))
        return Candidates(units.place, units.sentence, entropy[units.place], negative, count, feed.places)

    def measure(self, which: str) -> dict[str, Any]:
        """A model that learned from one selection, on the test data."""
        given = self.candidates
        taken = select(which, given.entropy, given.sentence, given.negative, given.wanted)
        chosen = torch.zeros(given.places, dtype=torch.bool)
        chosen[given.place] = taken
        tagger = watched(self.run, self.halves[1].train, Listed(chosen), self.reporter, self.dev).tagger
        micro = evaluate(self.test, list(tagger.annotate(self.test)), bootstrap=0).micro
        return micro.to_dict() | {"entropy": float(given.entropy[taken].mean()), "count": int(taken.sum())}


def _as_it_is(stage: Stage, train: Train) -> Tagger:
    return train(stage)


def uncertainty(
    truth: Truth,
    runs: Sequence[Run],
    keep: Keep,
    reporter: Reporter,
    *,
    test: Sequence[Sentence],
    dev: Sequence[Sentence] | None = None,
) -> Findings:
    """F1 on test data by selection; the runs are of `negative-sampling`, a seed each."""
    if len(truth.train) < 2:
        raise InputError(f"{len(truth.train)} sentence cannot be cut into halves", remedy="give a larger file")
    found: dict[str, list[dict[str, Any]]] = {which: [] for which in SELECTIONS}
    what = {"analysis": "uncertainty", "data": [truth.digest, digest(test, dev or ())]}
    for run in runs:
        study = Study(run, truth, None if dev is None else list(dev), list(test), reporter)
        for which in SELECTIONS:
            make: Callable[[], Any] = partial(study.measure, which)
            found[which].append(keep(run, {**what, "part": which}, make))
    rows = [
        (
            which,
            len(seeds),
            fmean(seed["f1"] for seed in seeds),
            deviation([seed["f1"] for seed in seeds]),
            *(fmean(seed[key] for seed in seeds) for key in ("precision", "recall", "entropy", "count")),
        )
        for which, seeds in found.items()
    ]
    return Findings({"uncertainty": Sheet(COLUMNS, rows)}, {"uncertainty": lambda: _draw(found)})


def _draw(found: dict[str, list[dict[str, Any]]]) -> Figure:
    figure, ((axes,),) = plot.panels(1, 1, (plot.COLUMN, 2.4))
    for k, seeds in enumerate(found.values()):
        scores = [seed["f1"] for seed in seeds]
        one, mean = ("one seed", "mean and deviation") if k == 0 else (None, None)
        axes.plot([k] * len(scores), scores, "o", color=plot.COLOURS[0], markerfacecolor="none", label=one)
        if len(scores) > 1:
            bar = axes.errorbar([k + 0.12], [fmean(scores)], yerr=deviation(scores), fmt="D", color=plot.COLOURS[1])
            bar.set_label(mean)
    axes.set_xticks(range(len(found)), [which.capitalize() for which in found])
    axes.set(xlabel="Negatives by their uncertainty", ylabel="F1 on test data (%)", xlim=(-0.5, len(found) - 0.5))
    axes.grid(axis="x", visible=False)
    plot.percent(axes)
    plot.legend(figure, axes)
    return figure
