"""Everything there is to say about predictions: scores, intervals, partial scores, confusions, warnings."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gleanner.errors import InputError
from gleanner.evaluation.bootstrap import Intervals, intervals
from gleanner.evaluation.confusions import Confusion, confusions
from gleanner.evaluation.partial import pair
from gleanner.evaluation.scores import Macro, Score, score_arrays, score_flags
from gleanner.evaluation.sides import Sides, lay_side_by_side
from gleanner.types import Sentence


@dataclass(frozen=True)
class Report:
    """What `evaluate` found. Spans are right if words and type are, unless a field says otherwise."""

    micro: Score
    """All types together."""
    macro: Macro
    """The mean over `types`."""
    types: dict[str, Score]
    """Each type of the gold or of the predictions, by name."""
    interval: Intervals | None
    """95% bootstrap intervals; None if no sample was asked for."""
    boundaries: Score
    """Words only: the type does not matter."""
    type_only: Score
    """Type only: a span is right if it is paired with one of its type that shares a word, each paired once."""
    confusions: tuple[Confusion, ...]
    """The most frequent kinds of error, most frequent first."""
    unseen: tuple[str, ...]
    """Types of the gold that were never predicted."""
    warnings: tuple[str, ...]
    """Why the numbers may not mean what they seem to."""
    sentences: int
    words: int

    def to_dict(self) -> dict[str, Any]:
        """The report ready for JSON."""
        interval = self.interval
        micro, types = self.micro.to_dict(), {name: score.to_dict() for name, score in self.types.items()}
        if interval is not None:
            micro["interval"] = {
                "precision": list(interval.precision),
                "recall": list(interval.recall),
                "f1": list(interval.f1),
            }
            for name, of_type in interval.types.items():
                types[name]["interval"] = {"f1": list(of_type)}
        return {
            "micro": micro,
            "macro": self.macro.to_dict(),
            "types": types,
            "boundaries": self.boundaries.to_dict(),
            "type_only": self.type_only.to_dict(),
            "confusions": [confusion.to_dict() for confusion in self.confusions],
            "unseen": list(self.unseen),
            "warnings": list(self.warnings),
            "sentences": self.sentences,
            "words": self.words,
        }


def evaluate(
    gold: Iterable[Sentence],
    predicted: Iterable[Sentence],
    *,
    bootstrap: int = 1000,
    seed: int = 0,
    known_types: Collection[str] | None = None,
) -> Report:
    """Score predictions of the gold sentences, with the same words in the same order.

    Only entities count, and a span that is listed twice counts once. A prediction on exactly the words of a gold span
    labelled unknown is left out. `bootstrap` is the number of samples for the intervals, 0 for none. `known_types` are
    the types that the model can predict: the report warns of others in the gold.

    >>> from gleanner.types import Span
    >>> words = ("Ada", "Lovelace", "visited", "Paris")
    >>> gold = [Sentence(words, (Span(0, 2, "PER"), Span(3, 4, "LOC")), complete=True)]
    >>> predicted = [Sentence(words, (Span(1, 2, "PER"), Span(3, 4, "LOC")))]
    >>> report = evaluate(gold, predicted)
    >>> report.micro.f1, report.type_only.f1, report.confusions[0].examples[0]
    (0.5, 1.0, Example(sentence=1, gold='Ada Lovelace', predicted='Lovelace'))
    """
    if bootstrap < 0:
        raise InputError(f"bootstrap is {bootstrap}", remedy="give a number of samples, or 0 for no intervals")
    sides = lay_side_by_side(gold, {"the predictions": predicted})
    in_gold, in_predicted = sides.present
    micro = score_flags(in_gold, in_predicted)
    types = _by_type(sides)
    missed = sides.spans[in_gold & ~in_predicted]
    invented = sides.spans[in_predicted & ~in_gold]
    pairs = pair(missed, invented)
    same_type = int(np.count_nonzero(missed.label[pairs[0]] == invented.label[pairs[1]]))
    return Report(
        micro=micro,
        macro=Macro.of(types.values()),
        types=types,
        interval=intervals(sides, bootstrap, seed) if bootstrap else None,
        boundaries=score_arrays(sides.spans[in_gold].untyped(), sides.spans[in_predicted].untyped()),
        type_only=Score(micro.true_positives + same_type, micro.predicted, micro.gold),
        confusions=confusions(missed, invented, pairs, sides.sentences, sides.labels),
        unseen=tuple(name for name, score in types.items() if score.gold and not score.predicted),
        warnings=tuple(_warnings(sides, types, known_types)),
        sentences=len(sides.sentences),
        words=sum(len(sentence.words) for sentence in sides.sentences),
    )


def _by_type(sides: Sides) -> dict[str, Score]:
    """The score of each type that occurs, by name."""
    in_gold, in_predicted = sides.present
    labels, kinds = sides.spans.label, len(sides.labels)
    counted = (in_gold & in_predicted, in_predicted, in_gold)
    counts = np.stack([np.bincount(labels[rows], minlength=kinds) for rows in counted])  # counts x labels
    return {
        sides.labels[label]: Score(*counts[:, label].tolist())
        for label in sorted(np.unique(labels).tolist(), key=sides.labels.__getitem__)
    }


def _warnings(sides: Sides, types: dict[str, Score], known_types: Collection[str] | None) -> Iterable[str]:
    incomplete = sum(not sentence.complete for sentence in sides.sentences)
    if incomplete:
        yield (
            "a prediction that an incomplete annotation left out counts as wrong; "
            f"gold sentences not marked complete: {incomplete} of {len(sides.sentences)}"
        )
    if not any(score.gold for score in types.values()):
        yield "the gold has no entity, so recall and F1 are 0 whatever is predicted"
    if sides.ignored:
        yield f"predictions left out because the gold marks their words as unknown: {sides.ignored}"
    for name, score in types.items():
        if known_types is not None and score.gold and name not in known_types:
            missed = score.gold - score.true_positives
            yield f"the model never saw type {name!r}; gold spans of it that count as missed: {missed}"
