"""Theorem 1: how probable it is that negative sampling draws no hidden entity of a sentence (Li et al. 2022, section 3.1.3)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from gleanner.analyse import plot
from gleanner.analyse.findings import Findings
from gleanner.analyse.sheet import Column, Sheet
from gleanner.analyse.truth import Truth
from gleanner.errors import InputError
from gleanner.model.encoder import WordVectors
from gleanner.model.examples import Examples, encode
from gleanner.model.heads.head import Head, HeadShape
from gleanner.model.units import Rows, SpanUnits, Units
from gleanner.training.draw import quota
from gleanner.training.samplers.uniform import Uniform
from gleanner.training.scores import Scores
from gleanner.training.stage import Progress

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST = 20
"""Sentences that a length must have to be shown."""

_UNITS = 1 << 18
"""Spans that are drawn from together."""

COLUMNS = (
    Column("words"),
    Column("sentences", ","),
    Column("hidden entities", ".2f"),
    Column("premise holds", "%"),
    Column("bound", ".4f"),
    Column("exact", ".4f"),
    Column("observed", ".4f"),
)


@dataclass(frozen=True)
class Draws:
    """What happened in each sentence."""

    words: Tensor  # sentences
    hidden: Tensor  # sentences: hidden entities that can be drawn
    entities: Tensor  # sentences: all of them
    exact: Tensor  # sentences: the probability that none is drawn
    observed: Tensor  # sentences: how often none was


def lower_bound(words: int, rate: float) -> float | None:
    """`1 - 4 lambda sqrt(n) / (n - 1)`; a sentence of one word has none.

    >>> round(lower_bound(25, 0.35), 4)
    0.7083
    """
    return None if words < 2 else 1 - 4 * rate * math.sqrt(words) / (words - 1)


def none_drawn(candidates: Tensor, hidden: Tensor, count: Tensor) -> Tensor:
    """`prod over i < count of (1 - hidden / (candidates - i))`, of each sentence: (sentences,).

    The paper's candidates are `n (n + 1) / 2 - m`: all spans but the m annotated ones.

    >>> none_drawn(torch.tensor([4]), torch.tensor([1]), torch.tensor([2])).tolist()
    [0.5]
    """
    turn = torch.arange(int(torch.minimum(candidates, count).max()), dtype=torch.float64)
    left = candidates[:, None] - turn  # sentences, turns: what has not been drawn
    kept = (1 - hidden[:, None] / left.clamp(min=1)).clamp(min=0)
    drawn = turn < torch.minimum(candidates, count)[:, None]
    return torch.where(drawn, kept, 1.0).prod(dim=1)


def bound(
    truth: Truth, rate: float, *, draws: int = 50, max_width: int | None = None, seed: int = 0, least: int = LEAST
) -> Findings:
    """The bound, the exact probability and the observed frequency, by sentence length.

    `max_width` is the longest span that can be drawn; without it all spans can, as the theorem has it.
    """
    if not 0 < rate < math.inf:
        raise InputError(f"the rate {rate!r} draws no number of spans", remedy="give a finite number above 0")
    truth.require_hidden()
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        found = simulate(truth, rate, draws, max_width)
    rows = []
    lengths, numbers = torch.unique(found.words, return_counts=True)
    for words, sentences in zip(lengths.tolist(), numbers.tolist(), strict=True):
        if sentences >= least:
            some = found.words == words
            means = (found.hidden[some], found.entities[some] <= math.sqrt(words))
            hidden, premise = (values.double().mean().item() for values in means)
            exact, observed = (values[some].mean().item() for values in (found.exact, found.observed))
            rows.append((words, sentences, hidden, premise, lower_bound(words, rate), exact, observed))
    if not rows:
        raise InputError(
            f"no sentence length has {least} sentences or more", remedy="give a larger file, or a smaller --least"
        )
    return Findings({"bound": Sheet(COLUMNS, rows)}, {"bound": lambda: _draw(rows)})


def simulate(truth: Truth, rate: float, draws: int, max_width: int | None) -> Draws:
    """Draws with the sampler of the method itself, `draws` times in each sentence."""
    gold = encode(truth.gold)
    seen = encode(truth.train, labels=gold.labels, vocabulary=gold.vocabulary)
    kind = SpanUnits(max_width or max(int(gold.lengths.max()), 1))
    head = Head(HeadShape(1, gold.labels, kind.max_width, None))
    nothing = torch.zeros(0, 1)
    sampler, progress = Uniform(rate), Progress(0, 1, 1)
    parts = []
    for sentences in _together(gold.lengths, kind.max_width):
        units, targets = kind.enumerate(_rows(seen, sentences))
        true = kind.enumerate(_rows(gold, sentences))[1]
        candidate = ~targets.known & (targets.weight > 0)
        hidden = candidate & (true.label > 0)  # units
        scores = Scores(head, WordVectors(nothing, nothing), units)
        clean = torch.zeros(len(sentences), dtype=torch.float64)
        for _ in range(draws):
            missed = hidden & (sampler(scores, targets, progress) > 0)
            clean += _count(missed, units) == 0
        exact = none_drawn(_count(candidate, units), _count(hidden, units), quota(rate, units.owned))
        entities = _count(true.label > 0, units)
        parts.append((units.owned, _count(hidden, units), entities, exact, clean / draws))
    return Draws(*(torch.cat(columns) for columns in zip(*parts, strict=True)))


def _count(some: Tensor, units: Units) -> Tensor:
    """Of these units, how many each sentence has."""
    return torch.bincount(units.row[some], minlength=len(units.owned))


def _together(lengths: np.ndarray, max_width: int) -> Iterator[np.ndarray]:
    """Sentences that have words, as many at a time as have few enough spans."""
    some = np.flatnonzero(lengths)
    spans = np.cumsum(lengths[some] * np.minimum(lengths[some], max_width))
    yield from np.split(some, np.flatnonzero(np.diff(spans // _UNITS)) + 1)


def _rows(examples: Examples, sentences: np.ndarray) -> Rows:
    """Whole sentences, as long as they are: nothing is read by an encoder here, so nothing needs to be cut."""
    counts = np.diff(examples.span_starts)[sentences]
    span = np.concatenate([np.arange(*examples.span_starts[s : s + 2]) for s in sentences])
    length = examples.lengths[sentences]
    return Rows(
        length=length,
        core_begin=np.zeros_like(length),
        core_end=length,
        complete=examples.complete[sentences],
        span_row=np.repeat(np.arange(len(sentences)), counts),
        span_start=examples.span_start[span].astype(np.int64),
        span_end=examples.span_end[span].astype(np.int64),
        span_label=examples.span_label[span].astype(np.int64),
        word=examples.starts[sentences],
    )


def _draw(rows: Sequence[tuple[Any, ...]]) -> Figure:
    words, _, _, _, bounds, exact, observed = (list(column) for column in zip(*rows, strict=True))
    figure, ((axes,),) = plot.panels(1, 1, (plot.COLUMN, 2.6))
    axes.plot(words, observed, "o", color=plot.COLOURS[0], markerfacecolor="none", label="observed")
    axes.plot(words, exact, color=plot.COLOURS[2], label="exact")
    some = [(n, b) for n, b in zip(words, bounds, strict=True) if b is not None]
    axes.plot(*zip(*some, strict=True), color=plot.COLOURS[1], linestyle=plot.DASHES[1], label="lower bound")
    lowest = min([0.0, *exact, *observed])
    axes.set(xlabel="Sentence length $n$ (words)", ylabel="Probability that no\nhidden entity is drawn")
    axes.set(ylim=(lowest - 0.03, 1.03), xlim=(0, max(words) + 1))
    plot.whole_numbers(axes)
    plot.legend(figure, axes)
    return figure
