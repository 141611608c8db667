"""What is in a corpus: counts, lengths, density, and labels that contradict each other."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any

from gleanner.types import NOT_ENTITY, UNKNOWN, Corpus, Sentence, Span

Phrase = tuple[str, ...]
"""The words of a mention."""

_NUMBERED = re.compile(r"([^:]+:.+?):\d+(?::.*)?", re.DOTALL)
"""A source with a line of a file, and perhaps a term, as in "dictionary:people.tsv:17:Ada"."""

_CONTEXT = 30
"""Words of an example on either side of the phrase; a document may be one sentence."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """How a whole number is spread over a corpus; all zero when there is none of it.

    >>> Distribution.of(Counter({1: 3, 5: 1}))
    Distribution(min=1, mean=2.0, median=1, p95=5, max=5)
    """

    min: int
    mean: float
    median: int
    """The smallest value that at least half of all do not exceed."""
    p95: int
    """The smallest value that at least 95 % of all do not exceed."""
    max: int

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Distribution:
        """The distribution of the values that `counts` says how often occur."""
        if not counts:
            return cls(0, 0.0, 0, 0, 0)
        total = sum(counts.values())
        return cls(
            min=min(counts),
            mean=sum(value * count for value, count in counts.items()) / total,
            median=_quantile(counts, total, 50),
            p95=_quantile(counts, total, 95),
            max=max(counts),
        )


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A phrase that bears two types or more."""

    phrase: str
    counts: dict[str, int]
    """How often it bears each type, the commonest first."""
    examples: dict[str, str]
    """For each type the first sentence where it does, cut where it is long."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A phrase that is labelled in one place and bare in another."""

    phrase: str
    labelled: int
    bare: int
    """Occurrences outside every listed span."""
    example: str
    """The first sentence where it is bare, cut where it is long."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What `inspect` found. Lists are sorted, the most frequent first."""

    sentences: int
    complete_sentences: int
    """Sentences whose silence means 'not an entity'."""
    words: int
    entities: int
    types: dict[str, int]
    """Entities by type."""
    sentence_lengths: Distribution
    """In words."""
    entity_lengths: Distribution
    """In words."""
    entities_per_100_words: float
    share_without_entities: float
    """Sentences without an entity, from 0 to 1."""
    explicit_negatives: int
    unknowns: int
    nested: int
    """Entities inside another entity."""
    sources: dict[str, int]
    """Spans by provenance, all lines of one dictionary together; the empty string where the file does not say."""
    duplicate_sentences: int
    """Sentences whose words all occurred before in the same order."""
    distinct_mentions: int
    """Different phrases that are entities."""
    common_mentions: dict[str, list[tuple[str, int]]]
    """For each type the commonest phrases and their counts."""
    ambiguous_phrases: int
    ambiguous: list[Ambiguity]
    """The commonest of the ambiguous phrases."""
    phrases_with_gaps: int
    bare_occurrences: int
    gaps: list[Gap]
    """Those that are both labelled and bare most often: ranked by the smaller of the two counts."""

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)


def inspect(corpus: Corpus, *, top: int = 10) -> Inspection:
    """Describe a corpus in two readings, one to collect the mentions and one to find where they are bare.

    Memory grows with the number of distinct phrases and, by one hash a sentence, with that of distinct sentences.
    Bare occurrences are found from left to right, the longest phrase first, and never inside a listed span. `top` is
    how many mentions a type, ambiguous phrases and gaps to list.

    >>> found = inspect(Corpus([Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),)), Sentence(("I", "saw", "Ada"))]))
    >>> found.types, found.gaps
    ({'PER': 1}, [Gap(phrase='Ada', labelled=1, bare=1, example='I saw Ada')])
    """
    tally = _Tally()
    for sentence in corpus:
        tally.add(sentence)
    bare: Counter[Phrase] = Counter()
    bare_examples: dict[Phrase, str] = {}
    for phrase, sentence, place in _bare_occurrences(corpus, tally.mentions):
        bare[phrase] += 1
        if phrase not in bare_examples:
            bare_examples[phrase] = _line(sentence, place, place + len(phrase))

    ambiguous = {phrase: types for phrase, types in tally.mentions.items() if len(types) > 1}
    entities = sum(tally.types.values())
    return Inspection(
        sentences=tally.sentences,
        complete_sentences=tally.complete,
        words=tally.words,
        entities=entities,
        types=_ranked(tally.types),
        sentence_lengths=Distribution.of(tally.sentence_lengths),
        entity_lengths=Distribution.of(tally.entity_lengths),
        entities_per_100_words=100 * entities / tally.words if tally.words else 0.0,
        share_without_entities=tally.without_entities / tally.sentences if tally.sentences else 0.0,
        explicit_negatives=tally.negatives,
        unknowns=tally.unknowns,
        nested=tally.nested,
        sources=_ranked(tally.sources),
        duplicate_sentences=tally.sentences - len(tally.seen),
        distinct_mentions=len(tally.mentions),
        common_mentions=_common_mentions(tally, top),
        ambiguous_phrases=len(ambiguous),
        ambiguous=[
            Ambiguity(
                " ".join(phrase), _ranked(ambiguous[phrase]), {type_: tally.examples[phrase, type_] for type_ in types}
            )
            for phrase, types in sorted(ambiguous.items(), key=lambda item: (-item[1].total(), item[0]))[:top]
        ],
        phrases_with_gaps=len(bare),
        bare_occurrences=bare.total(),
        gaps=[
            Gap(" ".join(phrase), tally.mentions[phrase].total(), bare[phrase], bare_examples[phrase])
            for phrase in sorted(
                bare, key=lambda phrase: (-min(tally.mentions[phrase].total(), bare[phrase]), -bare[phrase], phrase)
            )[:top]
        ],
    )


class _Tally:
    """The counts of the first reading."""

    def __init__(self) -> None:
        self.sentences = self.complete = self.words = self.without_entities = 0
        self.negatives = self.unknowns = self.nested = 0
        self.types: Counter[str] = Counter()
        self.sources: Counter[str] = Counter()
        self.sentence_lengths: Counter[int] = Counter()
        self.entity_lengths: Counter[int] = Counter()
        self.seen: set[int] = set()
        self.mentions: defaultdict[Phrase, Counter[str]] = defaultdict(Counter)
        self.examples: dict[tuple[Phrase, str], str] = {}

    def add(self, sentence: Sentence) -> None:
        entities = sentence.entities
        self.sentences += 1
        self.complete += sentence.complete
        self.words += len(sentence.words)
        self.sentence_lengths[len(sentence.words)] += 1
        self.seen.add(hash(sentence.words))
        self.without_entities += not entities
        self.nested += _nested(entities)
        for span in sentence.spans:
            self.sources[_without_line(span.source)] += 1
            self.negatives += span.label == NOT_ENTITY
            self.unknowns += span.label == UNKNOWN
        for span in entities:
            phrase = sentence.words[span.start : span.end]
            self.types[span.label] += 1
            self.entity_lengths[len(phrase)] += 1
            self.mentions[phrase][span.label] += 1
            if (phrase, span.label) not in self.examples:
                self.examples[phrase, span.label] = _line(sentence, span.start, span.end)


def _nested(entities: tuple[Span, ...]) -> int:
    """How many lie inside another; they never cross, so one that begins before the last outer end does."""
    nested = outer_end = 0
    for span in sorted(entities, key=lambda s: (s.start, -s.end)):
        nested += span.start < outer_end
        outer_end = max(outer_end, span.end)
    return nested


def _bare_occurrences(corpus: Corpus, mentions: Mapping[Phrase, Any]) -> Iterator[tuple[Phrase, Sentence, int]]:
    """Each place where a mention's phrase is outside every listed span: one look-up for each length at each word."""
    lengths: defaultdict[str, set[int]] = defaultdict(set)
    for phrase in mentions:
        lengths[phrase[0]].add(len(phrase))
    longest_first = {word: sorted(sizes, reverse=True) for word, sizes in lengths.items()}
    for sentence in corpus:
        words = sentence.words
        taken = {index for span in sentence.spans for index in range(span.start, span.end)}
        position = 0
        while position < len(words):
            step = 1
            for length in longest_first.get(words[position], ()):
                phrase = words[position : position + length]
                if phrase in mentions and taken.isdisjoint(range(position, position + length)):
                    yield phrase, sentence, position
                    step = length
                    break
            position += step


def _common_mentions(tally: _Tally, top: int) -> dict[str, list[tuple[str, int]]]:
    by_type: defaultdict[str, list[tuple[int, Phrase]]] = defaultdict(list)
    for phrase, types in tally.mentions.items():
        for type_, count in types.items():
            by_type[type_].append((-count, phrase))
    return {
        type_: [(" ".join(phrase), -count) for count, phrase in sorted(by_type[type_])[:top]]
        for type_ in _ranked(tally.types)
    }


def _ranked(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _quantile(counts: Mapping[int, int], total: int, percent: int) -> int:
    values = sorted(counts)
    so_far = accumulate(counts[value] for value in values)
    return next(value for value, seen in zip(values, so_far, strict=True) if 100 * seen >= percent * total)


def _without_line(source: str) -> str:
    parts = source.split(" | ")  # as several that agree are written
    return " | ".join(numbered[1] if (numbered := _NUMBERED.fullmatch(part)) else part for part in parts)


def _line(sentence: Sentence, start: int, end: int) -> str:
    """The words from `start` to `end` with those around them."""
    first, last = max(0, start - _CONTEXT), end + _CONTEXT
    around = " ".join(sentence.words[first:last])
    return ("… " if first else "") + around + (" …" if last < len(sentence.words) else "")
