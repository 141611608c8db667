"""A training step of each head and sampler, against the same encoder with a bare token head on the same batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from benchmarks.speed.alternate import BetweenSteps, milliseconds, ratio
from benchmarks.speed.bare import BareStep, bare_steps
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from gleanner.model.examples import encode
from gleanner.model.feed import Feed
from gleanner.model.transformer import Transformer
from gleanner.model.units import TokenUnits
from gleanner.train.fit import Plan
from gleanner.train.settings import Training

SIDES: tuple[tuple[str, dict[str, Any], float | None], ...] = (
    ("negative sampling, interaction", {"name": "negative-sampling"}, 1.2),
    ("plain on all spans, concat", {"name": "plain"}, 1.5),
    ("weighted sampling, interaction", {"name": "weighted-sampling"}, None),
    ("plain on all spans, interaction", {"name": "plain", "head": "interaction"}, None),
    ("plain on all spans, biaffine", {"name": "plain", "head": "biaffine"}, None),
    ("plain, linear", {"name": "plain", "head": "linear"}, None),
    ("plain, crf", {"name": "plain", "head": "crf"}, None),
)


def rows(material: Material) -> Iterator[Row]:
    """A ratio for each."""
    corpus = material.take(16 * (12 if material.quick else 40))
    examples = encode(corpus)
    for name, method, at_most in SIDES:
        kind = TokenUnits("BIO")
        feed = Feed(examples, Transformer.load(material.encoder, "first"), kind)
        # The order of a run with seed 0, which all of them have.
        plan = Plan(feed, Training(epochs=1), seed=0, processes=1, process=0)
        torch.manual_seed(0)
        with bare_steps(feed, [batches[0] for _, batches in plan.batches(0)]) as made:
            theirs = BareStep(feed.encoder, len(kind.classes(examples.labels)))  # type: ignore[arg-type]
            turns = BetweenSteps(lambda step, made=made, theirs=theirs: theirs(*made[step]), warm=3)  # type: ignore[misc]
            material.train(corpus, method, 1, turns)
        yield Row(
            f"training step, {name} / bare token head",
            ratio(turns.pairs),
            "x",
            at_most=at_most,
            detail=milliseconds(turns.pairs),
        )
