"""From classified units to entities: tags are joined, spans that clash are decided by probability."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gleanner.evaluation.spans import SpanArrays
from gleanner.model.choices import Decoding
from gleanner.model.vocabulary import Longs

Floats = NDArray[np.float32]


class Found(NamedTuple):
    """Predicted entities, ordered by sentence and first word."""

    spans: SpanArrays
    score: Floats  # spans: the probability


def accept(spans: SpanArrays, score: Floats, decoding: Decoding) -> Found:
    """Greedily by probability, a span is kept unless it clashes with one kept before."""
    order = np.lexsort((spans.end, spans.start, spans.sentence))
    spans, score = spans[order], score[order]
    if decoding == "all" or not len(spans):
        return Found(spans, score)
    # One number line for all sentences, so that clashes are found in one sweep.
    stride = int(spans.end.max()) + 1
    start, end = spans.sentence * stride + spans.start, spans.sentence * stride + spans.end
    reach = np.maximum.accumulate(end)
    first = np.concatenate(([True], start[1:] >= reach[:-1]))  # spans that touch nothing before them
    group = np.cumsum(first) - 1
    keep = np.bincount(group)[group] == 1
    # Only what clashes is looked at one by one: a handful of spans, unless the model is a bad one.
    clashing = np.flatnonzero(~keep)
    clashing = clashing[np.argsort(-score[clashing], kind="stable")]
    over: dict[int, list[tuple[int, int]]] = {}  # for each word the spans that were kept and cover it
    for k, a, b in zip(clashing.tolist(), start[clashing].tolist(), end[clashing].tolist(), strict=True):
        near = (other for word in range(a, b) for other in over.get(word, ()))
        if not any(_clash((a, b), other, decoding) for other in near):
            keep[k] = True
            for word in range(a, b):
                over.setdefault(word, []).append((a, b))
    return Found(spans[keep], score[keep])


def _clash(a: tuple[int, int], b: tuple[int, int], decoding: Decoding) -> bool:
    """Whether two spans that overlap exclude each other."""
    return decoding == "flat" or not ((a[0] <= b[0] and b[1] <= a[1]) or (b[0] <= a[0] and a[1] <= b[1]))


def join(sentence: Longs, word: Longs, tag: Longs, score: Floats, prefixes: str) -> Found:
    """Runs of tagged words to entities, as conlleval reads them: what is inconsistent still begins an entity.

    `tag` counts the tags of all types from 1, as `TokenUnits.classes` does; words tagged O are not given. An entity's score is
    the mean over its words.
    """
    order = np.lexsort((word, sentence))
    sentence, word, tag, score = sentence[order], word[order], tag[order], score[order]
    kind, letter = np.divmod(tag - 1, len(prefixes))
    letters = np.array(list(prefixes))[letter]
    begins = np.ones(len(tag), bool)
    follows = (sentence[1:] == sentence[:-1]) & (word[1:] == word[:-1] + 1) & (kind[1:] == kind[:-1])
    follows &= ~np.isin(letters[1:], ("B", "S")) & ~np.isin(letters[:-1], ("E", "S"))
    begins[1:] = ~follows
    first = np.flatnonzero(begins)
    if not len(first):
        empty = np.empty(0, np.int64)
        return Found(SpanArrays(empty, empty, empty, empty), np.empty(0, np.float32))
    last = np.concatenate((first[1:], [len(tag)])) - 1
    mean = np.add.reduceat(score, first) / (last - first + 1)
    spans = SpanArrays(sentence[first], word[first], word[last] + 1, kind[first] + 1)
    return Found(spans, mean.astype(np.float32))
