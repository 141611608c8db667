"""Training speed beside that of the naive span model, on the same sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from statistics import mean, median
from typing import Any

import torch

from benchmarks.speed.alternate import BetweenSteps
from benchmarks.speed.material import Material, first_batches
from benchmarks.speed.naive import NaiveData, NaiveTraining
from benchmarks.speed.row import Row
from gleanner.model.examples import encode
from gleanner.model.feed import Feed
from gleanner.model.transformer import Transformer, embedded_folder
from gleanner.model.units import SpanUnits
from gleanner.types import Corpus, Sentence

BATCH = 16
TURN = 8
"""Steps that are summed up: batches of both sides hold other sentences, so words a second are compared."""

SIDES: tuple[tuple[str, dict[str, Any], float | None, float | None], ...] = (
    ("plain on all spans", {"name": "plain"}, None, 5.0),
    ("negative sampling, 0.35 a word", {"name": "negative-sampling"}, 0.35, None),
)


def rows(material: Material) -> Iterator[Row]:
    """How many times faster, and how much of both sides' batches is padding."""
    batches = _shuffled(material.sentences)
    for name, method, rate, at_least in SIDES:
        ours, theirs = _measure(material, method, rate, batches, steps=TURN * (1 if material.quick else 4))
        yield Row(
            f"training, {name} / naive span model",
            median(a / b for a, b in zip(ours, theirs, strict=True)),
            "x",
            at_least=at_least,
            detail=f"{median(ours):,.0f} against {median(theirs):,.0f} words/s",
        )
    yield from _padding(material, batches)


def _measure(
    material: Material,
    method: Mapping[str, Any],
    rate: float | None,
    batches: Sequence[Sequence[Sentence]],
    steps: int,
) -> tuple[list[float], list[float]]:
    """Words a second of both sides, a number a turn."""
    examples = encode(material.sentences)
    feed = Feed(examples, Transformer.load(material.encoder, "first"), SpanUnits(8))
    skip = BetweenSteps.warm
    words = [int(feed.windows.length[rows].sum()) for rows in first_batches(feed, skip + steps)]
    naive_words = [sum(len(sentence.words) for sentence in batch) for batch in batches]
    torch.manual_seed(0)
    naive = NaiveTraining(_folder(material), examples.labels, rate)
    turns = BetweenSteps(lambda step: naive.step(batches[step]), steps)
    material.first_steps(Corpus(material.sentences), method, turns)
    ours = [pair.ours for pair in turns.pairs]
    theirs = [pair.theirs for pair in turns.pairs]
    return _speeds(words[skip:], ours), _speeds(naive_words[skip : skip + steps], theirs)


def _speeds(words: Sequence[int], seconds: Sequence[float]) -> list[float]:
    return [sum(words[k : k + TURN]) / sum(seconds[k : k + TURN]) for k in range(0, len(seconds), TURN)]


def _padding(material: Material, batches: Sequence[Sequence[Sentence]]) -> Iterator[Row]:
    """Shares of an epoch's batches."""
    examples = encode(material.sentences)
    feed = Feed(examples, Transformer.load(material.encoder, "first"), SpanUnits(8))
    masks = [feed.batch(rows).inputs["mask"] for rows in first_batches(feed, len(batches))]
    ours = 100 * mean(1 - float(mask.float().mean()) for mask in masks)
    naive = NaiveData(_folder(material), examples.labels, None)
    pieces, spans = (100 * mean(share) for share in zip(*(naive.batch(b).padding for b in batches), strict=True))
    yield Row("padding among pieces", ours, "%", detail=f"naive {pieces:.1f} %")
    yield Row("padding among spans", 0.0, "%", detail=f"naive {spans:.1f} %; ours are flat arrays")


def _folder(material: Material) -> str:
    """The encoder as transformers knows it."""
    return str(embedded_folder()) if material.encoder == "minilm" else material.encoder


def _shuffled(sentences: Sequence[Sentence]) -> list[Sequence[Sentence]]:
    """Batches of an epoch as a data loader makes them."""
    order = list(sentences)
    Random(0).shuffle(order)
    return [order[k : k + BATCH] for k in range(0, len(order), BATCH)]
