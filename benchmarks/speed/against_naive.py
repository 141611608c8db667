"""An epoch of gleanner against an epoch of the naive span model, on the same sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from statistics import mean, median
from typing import Any

import torch

from benchmarks.speed.alternate import BetweenSteps, Pair
from benchmarks.speed.material import Material
from benchmarks.speed.naive import NaiveData, NaiveTraining
from benchmarks.speed.row import Row
from gleanner.model.examples import encode
from gleanner.model.feed import Feed
from gleanner.model.transformer import Transformer, embedded_folder
from gleanner.model.units import SpanUnits
from gleanner.train.fit import Plan
from gleanner.train.settings import Training
from gleanner.types import Corpus, Sentence

BATCH = 16
SIDES: tuple[tuple[str, dict[str, Any], float | None, float | None], ...] = (
    ("plain on all spans", {"name": "plain"}, None, 5.0),
    ("negative sampling, 0.35 a word", {"name": "negative-sampling"}, 0.35, None),
)


def rows(material: Material) -> Iterator[Row]:
    """How many times faster, and how much of both sides' batches is padding."""
    most = min(BATCH * (8 if material.quick else 30), len(material.sentences))
    sentences = list(material.take(most - most % BATCH))
    encoder = str(embedded_folder()) if material.encoder == "minilm" else material.encoder
    labels = encode(sentences).labels
    epochs = 2 if material.quick else 4  # the first is not counted
    for name, method, rate, at_least in SIDES:
        torch.manual_seed(0)
        naive = NaiveTraining(encoder, labels, rate)
        batches = [batch for epoch in range(epochs) for batch in _shuffled(sentences, epoch)]
        steps = len(batches) // epochs
        turns = BetweenSteps(lambda step, naive=naive, batches=batches: naive.step(batches[step]), warm=steps)  # type: ignore[misc]
        material.train(Corpus(sentences), method, epochs, turns)
        yield _faster(name, turns.pairs, steps, sum(len(s.words) for s in sentences), at_least)
    yield from _padding(NaiveData(encoder, labels, None), material.encoder, sentences)


def _faster(name: str, pairs: Sequence[Pair], steps: int, words: int, at_least: float | None) -> Row:
    """By whole epochs, for a batch of one side holds other sentences than that of the other; the median over them."""
    epochs = [pairs[k : k + steps] for k in range(0, len(pairs), steps)]
    totals = [Pair(*map(sum, zip(*epoch, strict=True))) for epoch in epochs]
    ours, theirs = (words / median(side) for side in zip(*totals, strict=True))
    return Row(
        f"training epoch, {name}: times the speed of a naive span model",
        median(total.theirs / total.ours for total in totals),
        "x",
        at_least=at_least,
        detail=f"{ours:,.0f} against {theirs:,.0f} words/s",
    )


def _padding(naive: NaiveData, encoder: str, sentences: Sequence[Sentence]) -> Iterator[Row]:
    """Shares of one epoch's batches."""
    feed = Feed(encode(sentences), Transformer.load(encoder, "first"), SpanUnits(8))
    plan = Plan(feed, Training(epochs=1), seed=0, processes=1, process=0)
    masks = [feed.batch(batches[0]).inputs["mask"] for _, batches in plan.batches(0)]
    ours = 100 * mean(1 - float(mask.float().mean()) for mask in masks)
    pieces, spans = (
        100 * mean(share)
        for share in zip(*(naive.batch(batch).padding for batch in _shuffled(sentences, 0)), strict=True)
    )
    yield Row("padding among pieces", ours, "%", detail=f"naive {pieces:.1f} %")
    yield Row("padding among spans", 0.0, "%", detail=f"naive {spans:.1f} %; ours are flat arrays")


def _shuffled(sentences: Sequence[Sentence], epoch: int) -> list[Sequence[Sentence]]:
    order = list(sentences)
    Random(epoch).shuffle(order)
    return [order[k : k + BATCH] for k in range(0, len(order), BATCH)]
