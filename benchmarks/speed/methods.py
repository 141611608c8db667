"""A training step of the methods that choose or forgive negatives, against `plain` with the same head on the same batches."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import torch
from torch.optim import AdamW

from benchmarks.speed.alternate import alternate, milliseconds, ratio
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from gleanner.methods.load import build
from gleanner.model.compact import compact
from gleanner.model.config import TaggerConfig
from gleanner.model.examples import encode
from gleanner.model.feed import Feed
from gleanner.model.heads.head import head_class
from gleanner.model.tagger import Tagger
from gleanner.model.transformer import Transformer
from gleanner.training.fit import Plan, StageModel
from gleanner.training.rates import parameter_groups
from gleanner.training.settings import Training
from gleanner.training.stage import Progress
from gleanner.types import Corpus

SIDES = (("top-neg", "concat"), ("nrces", "concat"), ("weighted-sampling", "interaction"))
TRAINING = Training()


def rows(material: Material) -> Iterator[Row]:
    """A ratio for each."""
    corpus = Corpus(material.sentences)
    for method, head in SIDES:
        with ExitStack() as stack:
            stack.callback(torch.use_deterministic_algorithms, torch.are_deterministic_algorithms_enabled())
            torch.use_deterministic_algorithms(True, warn_only=True)  # as in the loop
            ours, theirs = (Steps(material, corpus, name, head, stack) for name in (method, "plain"))
            pairs = alternate(ours, theirs, repeats=8 if material.quick else 48)
        what = f"training step, {method} / plain, {head}"
        yield Row(what, ratio(pairs), "x", at_most=1.1, detail=milliseconds(pairs))


class Steps:
    """The steps of a method with one stage, one at each call: batch, forward, sampler, loss, backward, clipping, optimiser."""

    def __init__(self, material: Material, corpus: Corpus, method: str, head: str, stack: ExitStack) -> None:
        stage = build({"name": method, "head": head}).fit(corpus, lambda stage: stage)
        examples = encode(corpus)
        pooling = head_class(head).pooling
        encoder = Transformer.load(material.encoder, pooling)
        tagger = Tagger(TaggerConfig(labels=examples.labels, head=head, pooling=pooling), encoder)
        self._feed = Feed(examples, encoder, tagger.kind)
        stack.enter_context(compact(encoder, self._feed.rows()))
        self._model = StageModel(tagger, stage.sampler, stage.loss).train()
        self._optimizer = AdamW(parameter_groups(tagger, TRAINING), fused=True)
        self._plan = Plan(self._feed, TRAINING, seed=0, processes=1, process=0)
        self._batches = self._plan.batches(0)

    def __call__(self) -> None:
        """The next one."""
        step, (batch,) = next(self._batches)
        torch.manual_seed(step)
        self._model(self._feed.batch(batch), Progress(step, self._plan.per_epoch, TRAINING.epochs), None).backward()
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), TRAINING.clip)
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
