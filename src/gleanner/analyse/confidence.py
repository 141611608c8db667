"""How sure a model is, while it learns, that chosen spans are entities: NRCES's Figures 4 to 7 (Kang et al. 2022).

Cross entropy ends by believing that hidden entities are none; a method that forgives holes goes on seeing them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from gleanner.analyse import plot
from gleanner.analyse.findings import Findings
from gleanner.analyse.keep import Keep
from gleanner.analyse.plan import Run, named
from gleanner.analyse.sheet import Column, Sheet
from gleanner.analyse.truth import Truth
from gleanner.analyse.watch import Looking, watched
from gleanner.errors import InputError
from gleanner.model.feed import Feed
from gleanner.model.precision import autocast
from gleanner.model.tagger import Tagger
from gleanner.model.units import SpanUnits
from gleanner.training.reporter import Reporter
from gleanner.training.scores import Scores
from gleanner.training.stage import Progress, Stage, Train
from gleanner.types import Sentence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PLACE = re.compile(r"(\d+):(\d+)-(\d+)")
_TRIES = 1000

SUMMARY = (
    Column("method"),
    Column("span"),
    Column("kind"),
    Column("seeds"),
    Column("at the start", ".3f"),
    Column("highest", ".3f"),
    Column("in the middle", ".3f"),
    Column("at the end", ".3f"),
)
CURVES = (Column("method"), Column("seed"), Column("span"), Column("kind"), Column("epoch"), Column("p(entity)", ".3f"))


class Chosen(NamedTuple):
    """A span that is watched."""

    sentence: int
    """Counted from 0."""
    start: int
    end: int
    """One past the last word."""
    kind: str
    phrase: str

    @property
    def name(self) -> str:
        """As people name it: sentences counted from 1."""
        return f"{self.phrase} ({self.sentence + 1}:{self.start}-{self.end})"


def parsed(text: str, truth: Truth) -> Chosen:
    """A span that is named `SENTENCE:START-END`: the sentence counted from 1, words from 0, the end one past the last."""
    found = _PLACE.fullmatch(text)
    if found is None:
        raise InputError(f"{text!r} is no span", remedy="write SENTENCE:START-END, as in 12:0-2")
    number, start, end = (int(part) for part in found.groups())
    if not 1 <= number <= len(truth.gold):
        raise InputError(
            f"{text!r}: there is no sentence {number}", remedy=f"the data has {len(truth.gold)}, from 1 on"
        )
    words = len(truth.gold[number - 1].words)
    if not start < end <= words:
        raise InputError(f"{text!r} does not lie in the sentence's {words} words", remedy="count words from 0")
    return _chosen(truth, number - 1, start, end)


def look_for(truth: Truth, count: int, max_width: int, seed: int) -> list[Chosen]:
    """Hidden entities, and as many spans of the same lengths that share no word with an entity; drawn at random."""
    truth.require_hidden()
    random = np.random.default_rng(seed)
    hidden = [(sentence, span) for sentence, span in truth.hidden() if span.end - span.start <= max_width]
    some = [hidden[k] for k in sorted(random.permutation(len(hidden))[:count].tolist())]
    found = [_chosen(truth, sentence, span.start, span.end) for sentence, span in some]
    for _, span in some:
        width = span.end - span.start
        for _ in range(_TRIES):
            sentence = int(random.integers(len(truth.gold)))
            room = len(truth.gold[sentence].words) - width
            start = int(random.integers(max(room, 0) + 1))
            one = _chosen(truth, sentence, start, start + width)
            if room >= 0 and one.kind == "no entity" and one not in found and _apart(truth.gold[sentence], one):
                found.append(one)
                break
    return found


def _apart(sentence: Sentence, span: Chosen) -> bool:
    """Whether it shares no word with an entity, and all of its words are more than punctuation."""
    words = sentence.words[span.start : span.end]
    letters = all(any(character.isalnum() for character in word) for word in words)
    return letters and all(e.end <= span.start or e.start >= span.end for e in sentence.entities)


def _chosen(truth: Truth, sentence: int, start: int, end: int) -> Chosen:
    labelled, true = (
        any((span.start, span.end) == (start, end) for span in side[sentence].entities)
        for side in (truth.train, truth.gold)
    )
    kind = "labelled entity" if labelled else "hidden entity" if true else "no entity"
    return Chosen(sentence, start, end, kind, " ".join(truth.gold[sentence].words[start:end]))


class Confidence:
    """Watches all stages of one training, a few times an epoch."""

    def __init__(self, truth: Truth, spans: Sequence[Chosen], every: float) -> None:
        self.truth, self.spans, self.every = truth, spans, every
        self.epochs: list[float] = []
        self.values: list[list[float]] = []
        self._before = 0.0  # epochs of earlier stages

    def __call__(self, stage: Stage, train: Train) -> Tagger:
        """Looks from the first step on, and once more when the stage is over."""
        rows = self._rows(list(stage.corpus))
        last: list[tuple[Feed, Progress]] = []

        def look(tagger: Tagger, feed: Feed, progress: Progress) -> None:
            last[:] = [(feed, progress)]
            between = max(1, round(progress.steps_per_epoch * self.every))
            if progress.step % between == 0:
                self._look(tagger, feed, rows, progress.step / progress.steps_per_epoch)

        tagger = train(replace(stage, refresh=Looking(stage.refresh, look)))
        feed, progress = last[0]
        self._look(tagger, feed, rows, progress.epochs)
        self._before += progress.epochs
        return tagger

    def _rows(self, sentences: Sequence[Sentence]) -> list[int]:
        """Where the spans' sentences stand in a stage's corpus."""
        place = {sentence.words: number for number, sentence in reversed(list(enumerate(sentences)))}
        found = []
        for span in self.spans:
            words = self.truth.gold[span.sentence].words
            same = span.sentence < len(sentences) and sentences[span.sentence].words == words
            if not same and words not in place:
                raise InputError(
                    f"a stage of this method does not read sentence {span.sentence + 1}",
                    remedy="watch a method that trains on all sentences, or other spans",
                )
            found.append(span.sentence if same else place[words])
        return found

    def _look(self, tagger: Tagger, feed: Feed, rows: Sequence[int], epoch: float) -> None:
        self.epochs.append(round(self._before + epoch, 4))
        self.values.append(
            probabilities(tagger, feed, [(r, s.start, s.end) for r, s in zip(rows, self.spans, strict=True)])
        )


@torch.no_grad()
def probabilities(tagger: Tagger, feed: Feed, spans: Sequence[tuple[int, int, int]]) -> list[float]:
    """That each span (sentence, start, end) is an entity of any type: one less the probabilities of all that mean none.

    Of a token head it is that of the word of the span which is least likely to belong to an entity.
    """
    was_training = tagger.training
    tagger.eval()
    windows = np.flatnonzero(np.isin(feed.windows.sentence, [sentence for sentence, _, _ in spans]))
    classes = tagger.kind.classes(tagger.config.labels)
    none = set(tagger.kind.classes(("O", *tagger.config.nothing)))
    real = torch.tensor([k for k, name in enumerate(classes) if name not in none])
    found = torch.full((feed.places,), torch.nan)
    for k in range(0, len(windows), 16):
        batch = feed.batch(windows[k : k + 16]).to(tagger.device)
        with autocast(tagger.precision, tagger.device):
            z = Scores(tagger.head, tagger.encoder(batch.inputs), batch.units).probabilities().cpu()  # units, classes
        found[batch.units.place.cpu()] = z[:, real].sum(dim=1)
    tagger.train(was_training)
    return [float(found[_places(feed, *span)].min()) for span in spans]


def _places(feed: Feed, sentence: int, start: int, end: int) -> Tensor:
    """Of a span its own, of words theirs: see `Units.place`."""
    first = int(feed.examples.starts[sentence]) + start
    if isinstance(feed.kind, SpanUnits):
        return torch.tensor([first * feed.kind.max_width + end - start - 1])
    return torch.arange(first, first + end - start)


def confidence(
    truth: Truth, runs: Sequence[Run], spans: Sequence[Chosen], keep: Keep, reporter: Reporter, *, every: float = 0.25
) -> Findings:
    """Curves of the spans for each method; `every` is how many epochs lie between two looks."""
    for span in spans:
        for run in runs:
            if span.end - span.start > run.settings.model.max_width:
                raise InputError(
                    f"{span.name} is longer than model.max_width={run.settings.model.max_width} words",
                    remedy="choose a shorter span, or raise it",
                )
    if not 0 < every < np.inf:
        raise InputError(f"{every!r} epochs between two looks", remedy="give a finite number above 0")
    what = {"analysis": "confidence", "data": truth.digest, "spans": [span[:3] for span in spans], "every": every}
    found = {
        name: [keep(run, what, partial(_measure, run, truth, spans, reporter, every)) for run in several]
        for name, several in named(runs).items()
    }
    seeds = {name: [run.seed for run in several] for name, several in named(runs).items()}
    return Findings(
        {
            "confidence": Sheet(
                SUMMARY, [row for name, curves in found.items() for row in _summary(name, curves, spans)]
            ),
            "confidence-curves": Sheet(
                CURVES,
                [
                    (name, seed, span.name, span.kind, epoch, values[k])
                    for name, curves in found.items()
                    for seed, curve in zip(seeds[name], curves, strict=True)
                    for k, span in enumerate(spans)
                    for epoch, values in zip(curve["epochs"], curve["values"], strict=True)
                ],
                shown=False,
            ),
        },
        {"confidence": lambda: _draw(found, spans)},
    )


def _measure(run: Run, truth: Truth, spans: Sequence[Chosen], reporter: Reporter, every: float) -> dict[str, Any]:
    watch = Confidence(truth, spans, every)
    watched(run, truth.train, watch, reporter)
    return {"epochs": watch.epochs, "values": watch.values}


def _summary(name: str, curves: Sequence[dict[str, Any]], spans: Sequence[Chosen]) -> list[tuple[Any, ...]]:
    rows = []
    for k, span in enumerate(spans):
        values = [fmean(seeds) for seeds in zip(*([look[k] for look in c["values"]] for c in curves), strict=True)]
        numbers = (values[0], max(values), values[len(values) // 2], values[-1])
        rows.append((name, span.name, span.kind, len(curves), *numbers))
    return rows


def _draw(found: dict[str, list[dict[str, Any]]], spans: Sequence[Chosen]) -> Figure:
    rows, columns = plot.grid(len(found), 2)
    width = plot.COLUMN if columns == 1 else plot.PAGE
    figure, axes = plot.panels(rows, columns, (width, 0.8 + 2.1 * rows + 0.14 * len(spans)))
    flat = [one for row in axes for one in row]
    for one in flat[len(found) :]:
        one.set_visible(False)
    for one, (name, curves) in zip(flat, found.items(), strict=False):
        for k, span in enumerate(spans):
            style = {"linestyle": "--"} if span.kind == "no entity" else {"linestyle": "-"}
            values = [[look[k] for look in looks] for looks in zip(*(c["values"] for c in curves), strict=True)]
            label = f"{plot.shortened(span.phrase)} ({span.kind})"
            plot.curve(one, curves[0]["epochs"], values, k, label, **style)
        one.set(title=name, ylim=(-0.02, 1.02))
    for one in flat[max(len(found) - columns, 0) : len(found)]:
        one.set_xlabel("Epoch")
        one.tick_params(labelbottom=True)
    for row in axes:
        row[0].set_ylabel("p(entity)")
    plot.legend(figure, flat[0], columns=columns)
    return figure
