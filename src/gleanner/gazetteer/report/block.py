"""What is counted of a block of sentences, in whatever process annotates it; `Tally` adds blocks up."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter

from gleanner.gazetteer.passage import Label, Passage
from gleanner.gazetteer.report.gold import Answers, Gold
from gleanner.gazetteer.report.sample import Sample, sentence_hash, written
from gleanner.gazetteer.report.words import words_of
from gleanner.types import NOT_ENTITY, UNKNOWN, Sentence

_kind = attrgetter("type", "source")


@dataclass(frozen=True, slots=True)
class Block:
    """The counts of some sentences. No larger than their labels, and it can be kept as a line of JSON."""

    sentences: int
    words: int
    by_labels: Mapping[int, int]
    """How many sentences have how many labels that are a type."""
    labels: Mapping[tuple[str, str], int]
    """How many labels have which type and source."""
    sample: Sample
    answers: Answers
    """What was said of the gold sentences among them."""

    def to_json(self) -> str:
        """The counts as one line of ASCII, without its end."""
        record = {
            "sentences": self.sentences,
            "words": self.words,
            "by_labels": list(self.by_labels.items()),
            "labels": [(*kind, count) for kind, count in self.labels.items()],
            "sample": self.sample.to_dict(),
            "answers": self.answers,
        }
        return json.dumps(record, separators=(",", ":"))

    @classmethod
    def from_json(cls, line: str) -> Block:
        """The inverse of `to_json`."""
        record = json.loads(line)
        return cls(
            record["sentences"],
            record["words"],
            dict(record["by_labels"]),
            {(type_, source): count for type_, source, count in record["labels"]},
            Sample.from_dict(record["sample"]),
            {key: [tuple(map(tuple, places)) for places in noted] for key, noted in record["answers"].items()},
        )


def count(passages: Sequence[Passage], labels: Sequence[Sequence[Label]], gold: Gold | None = None) -> Block:
    """Counts sentences with the labels of each.

    >>> count([Passage("Ada wrote.")], [[Label(0, 3, "PER", "rule:names")]]).labels
    Counter({('PER', 'rule:names'): 1})
    """
    kinds = Counter(map(_kind, chain.from_iterable(labels)))
    types = {type_ for type_, _ in kinds}
    sizes = (
        (sum(label.type not in (NOT_ENTITY, UNKNOWN) for label in found) for found in labels)
        if types & {NOT_ENTITY, UNKNOWN}
        else map(len, labels)
    )
    sample = Sample()
    limit = sample.limit(types)
    answers: Answers = {}
    for passage, found in zip(passages, labels, strict=True):
        if found and (hash_ := sentence_hash(passage.text)) <= limit:
            for label in found:
                place = passage.text, label.start, label.end
                sample.offer(label.type, *(written(*place) if passage.joined else place), label.source, hash_)
            limit = sample.limit(types)
        if gold is not None:
            gold.note(passage.text, ((label.start, label.end, label.type) for label in found), answers)
    return Block(len(passages), words_of(passages), Counter(sizes), kinds, sample, answers)


def count_sentences(sentences: Iterable[Sentence], gold: Gold | None = None) -> Block:
    """The same of annotated sentences that have their words.

    >>> from gleanner.types import Span
    >>> count_sentences([Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),))]).words
    2
    """
    passages, labels = [], []
    for sentence in sentences:
        passages.append(passage := Passage.of(sentence))
        words = passage.cut()
        labels.append([Label(words[s.start][0], words[s.end - 1][1], s.label, s.source) for s in sentence.spans])
    return count(passages, labels, gold)
