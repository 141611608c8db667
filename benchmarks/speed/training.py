"""A training step of each head and sampler, against the same encoder with a bare token head on the same batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.speed.alternate import BetweenSteps, Pair, milliseconds, ratio
from benchmarks.speed.bare import BareStep, labelled_pieces
from benchmarks.speed.material import Material, first_batches
from benchmarks.speed.row import Row
from gleanner.model.compact import compact
from gleanner.model.examples import encode
from gleanner.model.feed import Feed
from gleanner.model.transformer import Transformer
from gleanner.model.units import TokenUnits
from gleanner.types import Corpus

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
    for name, method, at_most in SIDES:
        pairs = _measure(material, method, steps=8 if material.quick else 32)
        what = f"training step, {name} / bare token head"
        yield Row(what, ratio(pairs), "x", at_most=at_most, detail=milliseconds(pairs))


def _measure(material: Material, method: Mapping[str, Any], steps: int) -> list[Pair]:
    corpus = Corpus(material.sentences)
    examples = encode(corpus)
    encoder = Transformer.load(material.encoder, "first")
    kind = TokenUnits("BIO")
    feed = Feed(examples, encoder, kind)
    made = [labelled_pieces(feed.batch(batch)) for batch in first_batches(feed, BetweenSteps.warm + steps)]
    with compact(encoder, feed.rows()):
        bare = BareStep(encoder, len(kind.classes(examples.labels)))
        turns = BetweenSteps(lambda step: bare(*made[step]), steps)
        material.first_steps(corpus, method, turns)
    return turns.pairs
