"""Which wrong prediction stands for which unfound gold span.

A gold span and a prediction can be paired if they share a word. Each is paired at most once. Pairs of the same type
come first, then pairs on exactly the same words, then the rest, each group from left to right. For spans that are
not nested this makes the greatest possible number of pairs of the same type.
"""

from __future__ import annotations

import numpy as np

from gleanner.evaluation.spans import Ints, SpanArrays, number_rows


def pair(gold: SpanArrays, predicted: SpanArrays) -> tuple[Ints, Ints]:
    """Pair distinct spans, both in the order of the text: ascending rows of `gold`, for each its row of `predicted`."""
    ours, theirs = overlaps(gold, predicted)
    other_type = gold.label[ours] != predicted.label[theirs]
    other_words = (gold.start[ours] != predicted.start[theirs]) | (gold.end[ours] != predicted.end[theirs])
    order = np.lexsort((theirs, ours, other_words, other_type))
    # Whether a pair is free depends on the pairs before it, so this is a loop: over overlaps of wrong spans only.
    mate: dict[int, int] = {}
    taken: set[int] = set()
    for a, b in zip(ours[order].tolist(), theirs[order].tolist(), strict=True):
        if a not in mate and b not in taken:
            mate[a] = b
            taken.add(b)
    ours, theirs = np.array(sorted(mate.items()), dtype=np.int64).reshape(-1, 2).T
    return ours, theirs


def overlaps(gold: SpanArrays, predicted: SpanArrays) -> tuple[Ints, Ints]:
    """Every pair of rows that share a word of a sentence, once."""
    width = int(max(gold.end.max(initial=0), predicted.end.max(initial=0)))
    our_row, our_word = _words(gold, width)
    their_row, their_word = _words(predicted, width)
    order = np.argsort(our_word, kind="stable")
    our_row, our_word = our_row[order], our_word[order]
    first = np.searchsorted(our_word, their_word, side="left")
    count = np.searchsorted(our_word, their_word, side="right") - first
    ours, theirs = our_row[_ranges(first, count)], np.repeat(their_row, count)
    _, examples = number_rows(ours, theirs)
    return ours[examples], theirs[examples]


def _words(spans: SpanArrays, width: int) -> tuple[Ints, Ints]:
    """A row for each word of each span: the number of the span and the place of the word in the corpus."""
    length = spans.end - spans.start
    place = _ranges(spans.sentence * width + spans.start, length)
    return np.repeat(np.arange(len(spans), dtype=np.int64), length), place


def _ranges(first: Ints, count: Ints) -> Ints:
    """The numbers from `first` on, `count` of them, for each row, one after the other.

    >>> _ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(count) - count
    return np.repeat(first - before, count) + np.arange(count.sum(), dtype=np.int64)
