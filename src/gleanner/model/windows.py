"""Sentences cut to what an encoder can read at once, with overlap, so that nothing is ever truncated.

A window *owns* the words of its core; the words around the core are context. Every word of a sentence is owned by exactly one
window, so nothing is counted, trained on or predicted twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gleanner.model.vocabulary import Ints, Longs

BLOCK = 1 << 14
"""Sentences that are cut together: what is in the way while cutting does not grow with the corpus."""


@dataclass(frozen=True)
class Windows:
    """One entry a window, in the order of the sentences. Sentences without words have none."""

    sentence: Ints  # windows
    begin: Ints  # windows: first word, counted from the beginning of the sentence
    length: Ints  # windows: words, context included
    core_begin: Ints  # windows: first owned word, counted from `begin`
    core_end: Ints  # windows: one past the last owned word, counted from `begin`
    cost: Ints  # windows: pieces, for bucketing

    def __len__(self) -> int:
        return len(self.sentence)


def cut(words: Ints, starts: Longs, costs: Longs, room: int) -> Windows:
    """Windows of at most `room` pieces; `costs` is the number of pieces of each vocabulary word, at most `room // 4`."""
    tables = [np.empty((0, 6), np.int32)]
    for first in range(0, len(starts) - 1, BLOCK):
        block = starts[first : first + BLOCK + 1]
        table = _cut_block(words[block[0] : block[-1]], block - block[0], costs, room)
        table[:, 0] += first
        tables.append(table.astype(np.int32))
    return Windows(*(np.concatenate([table[:, k] for table in tables]) for k in range(6)))


def _cut_block(words: Ints, starts: Longs, costs: Longs, room: int) -> Longs:
    """The columns of `Windows` for a few sentences: (windows, 6)."""
    total = np.concatenate(([0], np.cumsum(costs[words])))  # words + 1: pieces before
    per_sentence = total[starts[1:]] - total[starts[:-1]]
    lengths = np.diff(starts)
    whole = np.flatnonzero((per_sentence <= room) & (lengths > 0))
    zeros = np.zeros(len(whole), np.int64)
    table = [np.stack((whole, zeros, lengths[whole], zeros, lengths[whole], per_sentence[whole]), axis=1)]
    for sentence in np.flatnonzero(per_sentence > room).tolist():
        piece = total[starts[sentence] : starts[sentence + 1] + 1] - total[starts[sentence]]  # words + 1
        table.append(_cut_long(sentence, piece, room))
    rows = np.concatenate(table)
    return rows[np.lexsort((rows[:, 1], rows[:, 0]))]


def _cut_long(sentence: int, piece: Longs, room: int) -> Longs:
    """Windows over one sentence; `piece[i]` is the number of pieces before word i."""
    count, context = len(piece) - 1, room // 4
    rows, core = [], 0
    while core < count:
        begin = int(np.searchsorted(piece, piece[core] - context))
        end = int(np.searchsorted(piece, piece[begin] + room, side="right")) - 1
        core_end = end
        if end < count:  # leave context on the right, but own at least one word
            core_end = max(int(np.searchsorted(piece, piece[end] - context, side="right")) - 1, core + 1)
        rows.append((sentence, begin, end - begin, core - begin, core_end - begin, int(piece[end] - piece[begin])))
        core = core_end
    return np.array(rows, np.int64)
