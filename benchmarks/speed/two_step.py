"""Two-step PU learning: what a CRF costs beside the linear head, in training and in decoding, and what the first step takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import cycle
from statistics import median
from time import perf_counter

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_
from torch.optim import AdamW

from benchmarks.speed.alternate import alternate, milliseconds, ratio, seconds
from benchmarks.speed.material import Material, first_batches
from benchmarks.speed.row import Row
from gleanner.methods.load import build
from gleanner.methods.two_step import table_loss
from gleanner.model.compact import compact
from gleanner.model.config import TaggerConfig
from gleanner.model.examples import Examples, encode
from gleanner.model.feed import Feed
from gleanner.model.heads.crf import CRF
from gleanner.model.heads.head import HeadShape
from gleanner.model.tagger import PIECES, Tagger
from gleanner.model.transformer import Transformer
from gleanner.model.units import Units
from gleanner.training.fit import StageModel
from gleanner.training.rates import parameter_groups
from gleanner.training.reporter import Silent
from gleanner.training.run import run
from gleanner.training.settings import Training, check
from gleanner.training.stage import Progress, cross_entropy, everything

REMOVED = 0.1
"""Share of the words that are removed; the paper's largest."""


def rows(material: Material) -> Iterator[Row]:
    """Two ratios, a time and a share."""
    examples = encode(material.sentences)
    steps = 8 if material.quick else 32
    for name, removing in (("crf", False), ("crf, a tenth of the words removed", True)):
        with ExitStack() as stack:
            ours = _step(material, examples, "crf", stack, removing=removing)
            pairs = alternate(ours, _step(material, examples, "linear", stack, removing=False), steps)
        yield Row(f"training step, {name} / linear", ratio(pairs), "x", at_most=1.3, detail=milliseconds(pairs))
    yield _decoding(sentences=1_000 if material.quick else 10_000, length=30, quick=material.quick)
    yield _first_step(material)


def _step(
    material: Material, examples: Examples, head: str, stack: ExitStack, *, removing: bool
) -> Callable[[], object]:
    """A step of the loop: the next batch is made, forward, backward, clipping, optimiser."""
    torch.manual_seed(0)
    encoder = Transformer.load(material.encoder, "first")
    tagger = Tagger(TaggerConfig(labels=examples.labels, head=head), encoder).train()
    feed = Feed(examples, encoder, tagger.kind)
    stack.enter_context(compact(encoder, feed.rows()))
    model = StageModel(tagger, everything, table_loss if removing else cross_entropy)
    optimizer = AdamW(parameter_groups(tagger, Training()), fused=True)
    batches = cycle(first_batches(feed, 64))
    table = _table(feed) if removing else None

    def step() -> None:
        model(feed.batch(next(batches)), Progress(0, 1, 1), table).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def _table(feed: Feed) -> Tensor:
    """The labels as they are; some of the words labelled O are removed."""
    _, targets = feed.whole()
    removed = (torch.rand(feed.places) < REMOVED) & (targets.label == 0)
    return torch.stack((targets.label, removed), dim=1).int()


def _decoding(sentences: int, length: int, *, quick: bool) -> Row:
    """Viterbi and the marginals of what it found, in batches as prediction makes them."""
    tags = ("O", *(f"{prefix}-{label}" for label in ("PER", "LOC", "ORG", "MISC") for prefix in "BI"))
    torch.manual_seed(0)
    head = CRF(HeadShape(1, tags, 1, None)).eval()
    for parameter in (head.transition, head.first, head.last):
        torch.nn.init.normal_(parameter)
    rows = PIECES // length
    batches = [min(rows, sentences - k) for k in range(0, sentences, rows)]
    logits = [torch.randn(count * length, len(tags)) for count in batches]
    units = [_units(count, length) for count in batches]

    @torch.inference_mode()
    def decode() -> None:
        for one, of in zip(logits, units, strict=True):
            head.best(one, of)

    took = median(seconds(decode) for _ in range(5))
    what = f"CRF decoding of {sentences:,} sentences of {length} words with {len(tags)} tags"
    return Row(what, took, "s", at_most=None if quick else 2.0, detail="Viterbi and marginals")


def _units(count: int, length: int) -> Units:
    word = torch.arange(count * length)
    lengths = torch.full((count,), length)
    return Units(word // length, word, word, lengths, lengths, word)


class _Clock(Silent):
    """When the stages began, and when the last one ended."""

    def __init__(self) -> None:
        self.began: list[float] = []
        self.ended = 0.0

    def begin(self, stage: str, done: int, steps: int) -> None:
        """A stage begins."""
        self.began.append(perf_counter())

    def end(self) -> None:
        """A stage ends."""
        self.ended = perf_counter()


def _first_step(material: Material) -> Row:
    """The share of a run of ten epochs that lies before its second stage: an epoch and a pass over everything."""
    method = {"name": "two-step"}
    settings = check({"encoder": material.encoder, "method": method, "training": {"epochs": 10}})
    clock = _Clock()
    run(build(method), settings, corpus=material.take(64 if material.quick else 480), reporter=clock)
    first, second = clock.began
    before, total = second - first, clock.ended - first
    detail = f"{before:.1f} s of {total:.1f} s; no development data"
    return Row("two-step's first step in a run of 10 epochs", 100 * before / total, "%", at_most=20, detail=detail)
