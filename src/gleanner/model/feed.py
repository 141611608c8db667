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

BLOCK = 1 << 12
"""Windows whose targets are found together."""


@dataclass(frozen=True)
class Batch:
    """What a model reads, the units in it, and what is known of them."""

    rows: Longs  # rows: windows of the feed
    inputs: dict[str, Tensor]
    units: Units
    targets: Targets
    twin: dict[str, Tensor] | None = None
    """The same rows in other words, with the same units."""

    def to(self, device: torch.device) -> Batch:
        """The same on another device."""
        if device.type == "cpu":
            return self
        return replace(
            self,
            inputs=_moved(self.inputs, device),
            twin=None if self.twin is None else _moved(self.twin, device),
            units=Units(*(tensor.to(device, non_blocking=True) for tensor in self.units)),
            targets=Targets(*(tensor.to(device, non_blocking=True) for tensor in self.targets if tensor is not None)),
        )


class Feed:
    """Examples as one encoder and one kind of unit see them."""

    def __init__(self, examples: Examples, encoder: Encoder, kind: UnitKind, twin: Examples | None = None) -> None:
        """`twin` has the same sentences in other words, as many words each."""
        self.examples, self.encoder, self.kind, self.twin = examples, encoder, kind, twin

    @property
    def places(self) -> int:
        """How many numbers `Units.place` may take: the length of a table of the whole corpus."""
        return len(self.examples.words) * self.kind.places

    @cached_property
    def table(self) -> Ragged:
        """The encoder's table of the vocabulary."""
        return self.encoder.table(self.examples.vocabulary.words)

    @cached_property
    def twin_table(self) -> Ragged | None:
        """That of the twin's vocabulary, where there is a twin."""
        return None if self.twin is None else self.encoder.table(self.twin.vocabulary.words)

    @cached_property
    def windows(self) -> Windows:
        """The sentences, the long ones cut, so that a window has room for its words and for their twins."""
        examples, costs = self.examples, self.encoder.costs(self.table)
        words = examples.words
        if self.twin is not None and self.twin_table is not None:
            costs = np.maximum(costs[words], self.encoder.costs(self.twin_table)[self.twin.words])
            words = np.arange(len(words), dtype=np.int32)
        return cut(words, examples.starts, costs, self.encoder.window)

    def rows(self) -> list[dict[str, Longs]]:
        """Of the encoder's embeddings, the rows that it may need: for the sentences, and for their twins."""
        needed = [self.encoder.rows(self.table, self.examples.words, self.examples.lengths)]
        if self.twin is not None and self.twin_table is not None:
            needed.append(self.encoder.rows(self.twin_table, self.twin.words, self.twin.lengths))
        return needed

    def batch(self, rows: Longs) -> Batch:
        """The batch of these windows."""
        windows = self.windows
        length = windows.length[rows].astype(np.int64)
        word = ranges(self.examples.starts[windows.sentence[rows]] + windows.begin[rows], length)
        inputs = self.encoder.collate(self.table, self.examples.words[word], length)
        twin = None
        if self.twin is not None and self.twin_table is not None:
            twin = self.encoder.collate(self.twin_table, self.twin.words[word], length)
        return Batch(rows, inputs, *self.units(rows), twin)

    def units(self, rows: Longs) -> tuple[Units, Targets]:
        """Those of these windows."""
        examples, windows = self.examples, self.windows
        sentence, begin = windows.sentence[rows], windows.begin[rows].astype(np.int64)
        length = windows.length[rows].astype(np.int64)
        spans = examples.span_starts[sentence + 1] - examples.span_starts[sentence]  # rows: spans of its sentence
        span = ranges(examples.span_starts[sentence], spans)
        row = np.repeat(np.arange(len(rows)), spans)
        start, end = examples.span_start[span] - begin[row], examples.span_end[span] - begin[row]
        inside = (start < length[row]) & (end > 0)
        return self.kind.enumerate(
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

    def targets(self) -> Targets:
        """What is known of all units, each in its place; a place without a unit weighs nothing."""
        whole = Targets(
            torch.zeros(self.places, dtype=torch.long),
            torch.zeros(self.places, dtype=torch.bool),
            torch.zeros(self.places),
        )
        for first in range(0, len(self.windows), BLOCK):
            units, found = self.units(np.arange(first, min(first + BLOCK, len(self.windows))))
            whole.label[units.place], whole.known[units.place] = found.label, found.known
            whole.weight[units.place] = found.weight
        return whole

    def whole(self) -> tuple[Units, Targets]:
        """All units, in the order of their places, and what is known of them, without anything for the encoder to read.

        Here a row is a sentence, however long it is.
        """
        examples = self.examples
        length = examples.lengths
        row = np.repeat(np.arange(len(examples)), np.diff(examples.span_starts))
        spans = (examples.span_start, examples.span_end, examples.span_label)
        start, end, label = (array.astype(np.int64) for array in spans)
        begin = np.zeros_like(length)
        return self.kind.enumerate(
            Rows(length, begin, length, examples.complete, row, start, end, label, examples.starts[:-1])
        )

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


def _moved(tensors: dict[str, Tensor], device: torch.device) -> dict[str, Tensor]:
    return {name: tensor.to(device, non_blocking=True) for name, tensor in tensors.items()}
