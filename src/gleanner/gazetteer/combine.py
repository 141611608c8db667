"""Several annotators as one: by priority, or by vote."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

from gleanner.errors import InputError
from gleanner.gazetteer.annotator import Annotator
from gleanner.gazetteer.choices import By
from gleanner.gazetteer.origin import alternatives, origins, source
from gleanner.gazetteer.passage import Label, Passage
from gleanner.types import UNKNOWN, Sentence


@dataclass(frozen=True)
class Precision:
    """How often an annotator is right, as a gold sample shows."""

    by_type: Mapping[str, float]
    overall: float
    """For types of which the sample shows nothing."""

    def __call__(self, label: str) -> float:
        """For labels of one type."""
        return self.by_type.get(label, self.overall)


CERTAIN = Precision({}, 1.0)
"""The weight of every annotator where no gold sample says otherwise."""


@dataclass(frozen=True)
class Combined:
    """Several annotators as one. No labels of it overlap, and each names all annotators that agreed on it.

    By priority, the first annotator's labels stand, and each later one fills in where nothing overlaps. By vote, each
    annotator's labels have its weight; the label with the greatest sum stands, then the next that does not overlap it, and
    so on. Of equal sums the longer stands, then the one further left. A vote's score is its share of the weight of all
    labels on its words, and two types with the same greatest sum on the same words leave them unknown.

    An unknown label is no opinion: on the same words any type replaces it, in a vote any label that overlaps it.
    """

    annotators: Sequence[Annotator]
    by: By = "priority"
    weights: Sequence[Precision] = ()
    """For a vote: one for each annotator, as `precisions` finds them. None: every annotator counts the same."""

    def __post_init__(self) -> None:
        if not self.annotators:
            raise InputError("no annotator is given", remedy="give a dictionary or a rule")
        if self.weights and len(self.weights) != len(self.annotators):
            raise InputError(
                f"{len(self.weights)} weights for {len(self.annotators)} annotators", remedy="give one for each"
            )

    @property
    def name(self) -> str:
        """All their names."""
        return f" {'>' if self.by == 'priority' else '+'} ".join(annotator.name for annotator in self.annotators)

    def __call__(self, passages: Sequence[Passage]) -> list[list[Label]]:
        """What they say together of each passage."""
        given = [annotator(passages) for annotator in self.annotators]
        if len(given) == 1:
            return given[0]
        if self.by == "priority":
            return [by_priority(one) for one in zip(*given, strict=True)]
        weights = self.weights or [CERTAIN] * len(given)
        return [by_vote(one, weights) for one in zip(*given, strict=True)]


def by_priority(given: Sequence[Sequence[Label]]) -> list[Label]:
    """What annotators say of one passage, the first of them first.

    >>> first = [Label(0, 3, "PER", "rule:a")]
    >>> second = [Label(0, 3, "PER", "rule:b"), Label(2, 5, "LOC", "rule:b"), Label(6, 9, "LOC", "rule:b")]
    >>> [(found.start, found.end, found.type, found.source) for found in by_priority([first, second])]
    [(0, 3, 'PER', 'rule:a | rule:b'), (6, 9, 'LOC', 'rule:b')]
    """
    speaking = [labels for labels in given if labels]
    if len(speaking) < 2:
        return [*speaking[0]] if speaking else []
    kept: list[Label] = []
    for group in _groups(given):
        if len(group) == 1:
            kept.append(group[0][1])
            continue
        chosen: dict[tuple[int, int], list[Label]] = {}
        for _, label in sorted(group, key=itemgetter(0)):
            place = label.start, label.end
            if place not in chosen:
                if _is_free(place, chosen):
                    chosen[place] = [label]
            elif chosen[place][0].type == label.type:
                chosen[place].append(label)
            elif chosen[place][0].type == UNKNOWN:
                chosen[place] = [label]
        kept.extend(_agreed(agreeing) for _, agreeing in sorted(chosen.items()))
    return kept


def by_vote(given: Sequence[Sequence[Label]], weights: Sequence[Precision]) -> list[Label]:
    """What annotators say of one passage, each with its weight.

    >>> votes = [[Label(0, 3, "PER", "rule:a")], [Label(0, 3, "LOC", "rule:b")], [Label(0, 3, "LOC", "rule:c")]]
    >>> [(label.type, label.source, round(label.score, 2)) for label in by_vote(votes, [CERTAIN] * 3)]
    [('LOC', 'rule:b | rule:c', 0.67)]
    """
    kept: list[Label] = []
    for group in _groups(given):
        if len(group) == 1:
            ((number, label),) = group
            sure = label.type != UNKNOWN and weights[number](label.type) > 0
            kept.append(Label(label.start, label.end, label.type, label.source, 1.0 if sure else None))
            continue
        votes: defaultdict[tuple[int, int], defaultdict[str, list[Label]]] = defaultdict(lambda: defaultdict(list))
        sums: defaultdict[tuple[int, int, str], float] = defaultdict(float)
        for number, label in group:
            votes[label.start, label.end][label.type].append(label)
            sums[label.start, label.end, label.type] += 0.0 if label.type == UNKNOWN else weights[number](label.type)
        # -1.0: whatever else overlaps an unknown label stands before it, even what nobody gives any weight
        best = {place: max(-1.0 if t == UNKNOWN else sums[*place, t] for t in types) for place, types in votes.items()}
        chosen: dict[tuple[int, int], Label] = {}
        for place in sorted(best, key=lambda place: (-best[place], place[0] - place[1], place)):
            if _is_free(place, chosen):
                rivals = sum(weight for (start, end, _), weight in sums.items() if start < place[1] and place[0] < end)
                chosen[place] = _elected(votes[place], {t: sums[*place, t] for t in votes[place]}, rivals)
        kept.extend(label for _, label in sorted(chosen.items()))
    return kept


def _elected(votes: Mapping[str, Sequence[Label]], sums: Mapping[str, float], rivals: float) -> Label:
    """The label of the type that most say; `rivals` is the weight of all labels that overlap these words."""
    types = [t for t in votes if t != UNKNOWN] or [UNKNOWN]
    first = [t for t in types if sums[t] == max(sums[t] for t in types)]
    if first == [UNKNOWN]:
        return _agreed(votes[UNKNOWN])
    if len(first) > 1:
        every = [label for t in sorted(first) for label in votes[t]]
        return replace(every[0], type=UNKNOWN, source=_source(every, sorted(first)), score=None)
    return replace(_agreed(votes[first[0]]), score=sums[first[0]] / rivals if rivals else None)


def precisions(annotators: Sequence[Annotator], gold: Iterable[Sentence]) -> list[Precision]:
    """How often each annotator is right, by type: (right + 1) / (right + wrong + 2), so that one hit is no certainty.

    In a complete sentence each label counts. In an incomplete one those count that overlap what is listed. Labels that are
    unknown, and those that overlap a span that is unknown in the gold sample, count nowhere.

    >>> from gleanner.gazetteer.annotator import annotator
    >>> from gleanner.types import Span
    >>> names = annotator(lambda text: [(0, 3, "PER"), (4, 7, "PER")])
    >>> precisions([names], [Sentence(("Ada", "ran"), (Span(0, 1, "PER"),), complete=True)])
    [Precision(by_type={'PER': 0.5}, overall=0.5)]
    """
    counts: list[defaultdict[str, list[int]]] = [defaultdict(lambda: [0, 0]) for _ in annotators]
    for sentence in gold:
        passage = Passage.of(replace(sentence, spans=()))
        for annotator, count in zip(annotators, counts, strict=True):
            (labels,) = annotator([passage])
            for span in passage.sentence(labels).spans:
                touched = [other for other in sentence.spans if other.start < span.end and span.start < other.end]
                if span.label == UNKNOWN or any(other.label == UNKNOWN for other in touched):
                    continue
                if touched or sentence.complete:
                    right = any((o.start, o.end, o.label) == (span.start, span.end, span.label) for o in touched)
                    count[span.label][not right] += 1
    return [_precision(count) for count in counts]


def _precision(counts: Mapping[str, Sequence[int]]) -> Precision:
    by_type = {label: _share(right, wrong) for label, (right, wrong) in sorted(counts.items())}
    return Precision(by_type, _share(sum(c[0] for c in counts.values()), sum(c[1] for c in counts.values())))


def _share(right: int, wrong: int) -> float:
    return (right + 1) / (right + wrong + 2)


def _groups(given: Sequence[Sequence[Label]]) -> Iterator[list[tuple[int, Label]]]:
    """The labels with their annotators' numbers, in groups of which none overlaps another."""
    ordered = [(number, label) for number, labels in enumerate(given) for label in labels]
    if len(ordered) > 1:
        ordered.sort(key=lambda one: one[1].start)
    group: list[tuple[int, Label]] = []
    end = 0
    for one in ordered:
        if group and one[1].start >= end:
            yield group
            group = []
        group.append(one)
        end = max(end, one[1].end)
    if group:
        yield group


def _is_free(place: tuple[int, int], taken: Iterable[tuple[int, int]]) -> bool:
    return all(end <= place[0] or place[1] <= start for start, end in taken)


def _agreed(labels: Sequence[Label]) -> Label:
    """The first of labels that say the same, with the source of all."""
    return labels[0] if len(labels) == 1 else replace(labels[0], source=_source(labels))


def _source(labels: Sequence[Label], types: Sequence[str] = ()) -> str:
    """All that gave the labels, and the types that are left open."""
    types = types or list(dict.fromkeys(name for label in labels for name in alternatives(label.source)))
    return source((origin for label in labels for origin in origins(label.source)), types)
