"""Batches cut from flat arrays: bucketed by length, each made by a few array operations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from gleanner.model.encoder import Encoder
from gleanner.model.examples import Examples
from gleanner.model.units import Rows, Targets, UnitKind, Units
from gleanner.model.vocabulary import Longs, Ragged, ranges
from gleanner.model.windows import Windows, cut

BUCKET = 50
"""Batches that are sorted by length together: enough that almost nothing is padded, few enough that epochs still differ."""


@dataclass(frozen=True)
class Batch:
    """What a model reads, the units in it, and what is known of them."""

    rows: Longs  # rows: windows of the feed
    inputs: dict[str, Tensor]
    units: Units
    targets: Targets

    def to(self, device: torch.device) -> Batch:
        """The same on another device."""
        if device.type == "cpu":
            return self
        return replace(
            self,
            inputs={name: tensor.to(device, non_blocking=True) for name, tensor in self.inputs.items()},
            units=Units(*(tensor.to(device, non_blocking=True) for tensor in self.units)),
            targets=Targets(*(tensor.to(device, non_blocking=True) for tensor in self.targets if tensor is not None)),
        )


class Feed:
    """Examples as one encoder and one kind of unit see them."""

    def __init__(self, examples: Examples, encoder: Encoder, kind: UnitKind) -> None:
        self.examples, self.encoder, self.kind = examples, encoder, kind

    @property
    def places(self) -> int:
        """How many numbers `Units.place` may take: the length of a table of the whole corpus."""
        return len(self.examples.words) * self.kind.places

    @cached_property
    def table(self) -> Ragged:
        """The encoder's table of the vocabulary."""
        return self.encoder.table(self.examples.vocabulary.words)

    @cached_property
    def windows(self) -> Windows:
        """The sentences, the long ones cut."""
        return cut(self.examples.words, self.examples.starts, self.encoder.costs(self.table), self.encoder.window)

    def rows(self) -> dict[str, Longs]:
        """Of the encoder's embeddings, the rows that it may need."""
        return self.encoder.rows(self.table, self.examples.words, self.examples.lengths)

    def batch(self, rows: Longs) -> Batch:
        """The batch of these windows."""
        examples, windows = self.examples, self.windows
        sentence, begin = windows.sentence[rows], windows.begin[rows].astype(np.int64)
        length = windows.length[rows].astype(np.int64)
        words = examples.words[ranges(examples.starts[sentence] + begin, length)]
        spans = examples.span_starts[sentence + 1] - examples.span_starts[sentence]  # rows: spans of its sentence
        span = ranges(examples.span_starts[sentence], spans)
        row = np.repeat(np.arange(len(rows)), spans)
        start, end = examples.span_start[span] - begin[row], examples.span_end[span] - begin[row]
        inside = (start < length[row]) & (end > 0)
        units, targets = self.kind.enumerate(
            Rows(
                length=length,
                core_begin=windows.core_begin[rows].astype(np.int64),
                core_end=windows.core_end[rows].astype(np.int64),
                complete=examples.complete[sentence],
                span_row=row[inside],
                span_start=start[inside],
                span_end=end[inside],
                span_label=examples.span_label[span[inside]].astype(np.int64),
                word=examples.starts[sentence] + begin,
            )
        )
        return Batch(rows, self.encoder.collate(self.table, words, length), units, targets)

    def shuffled(self, size: int, seed: tuple[int, ...]) -> list[Longs]:
        """One epoch: batches of `size` windows of similar length, in an order that only the seed decides."""
        random = np.random.default_rng(seed)
        order = random.permutation(len(self.windows))
        cost = self.windows.cost
        batches: list[Longs] = []
        for k in range(0, len(order), size * BUCKET):
            bucket = order[k : k + size * BUCKET]
            bucket = bucket[np.argsort(cost[bucket], kind="stable")]
            batches.extend(bucket[j : j + size] for j in range(0, len(bucket), size))
        return [batches[k] for k in random.permutation(len(batches))]

    def by_length(self, pieces: int) -> Iterator[Longs]:
        """All windows once, longest first, in batches of at most `pieces` pieces with padding (or one window)."""
        order = np.argsort(-self.windows.cost.astype(np.int64), kind="stable")
        k = 0
        while k < len(order):
            count = max(1, pieces // int(self.windows.cost[order[k]]))
            yield order[k : k + count]
            k += count
