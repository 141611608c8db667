"""What went wrong most often: this type taken for that one, boundaries missed, spans missed or invented."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gleanner.evaluation.spans import Ints, SpanArrays
from gleanner.types import Sentence, Span

_KEPT = 20
_EXAMPLES = 3
_NOTHING = -1  # stands for the type of the side that has no span


@dataclass(frozen=True, slots=True)
class Example:
    """One error: the number of the sentence, counted from 1, and the words of either span."""

    sentence: int
    gold: str | None
    predicted: str | None


@dataclass(frozen=True, slots=True)
class Confusion:
    """One kind of error, how often it happened, and where.

    `gold` is None for invented spans, `predicted` is None for missed ones. If both name the same type, only the
    boundaries are wrong.
    """

    gold: str | None
    predicted: str | None
    count: int
    examples: tuple[Example, ...]

    def to_dict(self) -> dict[str, Any]:
        """The confusion ready for JSON."""
        examples = [{"sentence": e.sentence, "gold": e.gold, "predicted": e.predicted} for e in self.examples]
        return {"gold": self.gold, "predicted": self.predicted, "count": self.count, "examples": examples}


def confusions(
    missed: SpanArrays,
    invented: SpanArrays,
    pairs: tuple[Ints, Ints],
    sentences: Sequence[Sentence],
    labels: Sequence[str],
) -> tuple[Confusion, ...]:
    """The most frequent confusions of the gold spans that were not found with the predictions that are wrong.

    `pairs` says which of them stand for each other, as `partial.pair` does.
    """
    lone_missed = np.setdiff1d(np.arange(len(missed)), pairs[0])
    lone_invented = np.setdiff1d(np.arange(len(invented)), pairs[1])
    # One row an error, with the row of the span on either side or _NOTHING.
    ours = np.concatenate([pairs[0], lone_missed, np.full(len(lone_invented), _NOTHING)])
    theirs = np.concatenate([pairs[1], np.full(len(lone_missed), _NOTHING), lone_invented])
    our_type = np.append(missed.label, _NOTHING)[ours]  # index -1 is the appended _NOTHING
    their_type = np.append(invented.label, _NOTHING)[theirs]
    sentence = np.where(ours == _NOTHING, np.append(invented.sentence, 0)[theirs], np.append(missed.sentence, 0)[ours])

    def phrase(spans: SpanArrays, row: int) -> str | None:
        if row == _NOTHING:
            return None
        span = Span(int(spans.start[row]), int(spans.end[row]), "")
        return sentences[int(spans.sentence[row])].phrase(span)

    def name(label: int) -> str | None:
        return None if label == _NOTHING else labels[label]

    cells = our_type * (len(labels) + 1) + their_type
    _, first, counts = np.unique(cells, return_index=True, return_counts=True)
    found = [
        (count, name(int(our_type[row])), name(int(their_type[row])), int(cells[row]))
        for row, count in zip(first.tolist(), counts.tolist(), strict=True)
    ]
    found.sort(key=lambda item: (-item[0], item[1] or "", item[2] or ""))
    return tuple(
        Confusion(
            gold=gold,
            predicted=predicted,
            count=count,
            examples=tuple(
                Example(int(sentence[row]) + 1, phrase(missed, int(ours[row])), phrase(invented, int(theirs[row])))
                for row in np.flatnonzero(cells == cell)[:_EXAMPLES].tolist()
            ),
        )
        for count, gold, predicted, cell in found[:_KEPT]
    )
