"""Character spans <-> word spans: what every format that marks characters in a text needs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

from gleanner.types import NOT_ENTITY, UNKNOWN, Sentence, Span

_BYTE_ORDER_MARK = "\ufeff"


def from_characters(
    text: str,
    spans: Iterable[tuple[int, int, str, str, float | None]],
    *,
    complete: bool,
    meta: Mapping[str, Any],
    tokens: Sequence[tuple[int, int]] | None = None,
) -> Sentence:
    """The sentence that `text` and its character spans (start, end, label, source, score) describe.

    `tokens` are the characters of each word; without them `gleanner.data.text.words` cuts the text. White space at the
    edges of a span is not part of it. Raises `ValueError`, with one phrase, for a span that is not made of whole words,
    for values of a wrong type (what a file says may be anything), and for all that `Sentence.problem` finds.

    >>> s = from_characters("Ada Lovelace wrote.", [(0, 12, "PER", "", None)], complete=True, meta={})
    >>> s.words, s.spans
    (('Ada', 'Lovelace', 'wrote', '.'), (Span(start=0, end=2, label='PER', source='', score=None),))
    >>> from_characters("Ada Lovelace wrote.", [(0, 6, "PER", "", None)], complete=True, meta={})
    Traceback (most recent call last):
    ...
    ValueError: span [0, 6) PER cuts the word 'Lovelace'; move the span to the word's edge, or give the tokens
    """
    if tokens is None:
        offsets = _cut(text)
    else:
        offsets = tuple(tokens)
        check_offsets(text, offsets)
    sentence = Sentence(
        words=tuple(text[start:end] for start, end in offsets),
        spans=tuple(_span(text, offsets, *span) for span in spans),
        complete=complete,
        text=text,
        offsets=offsets,
        meta=meta,
    )
    if problem := sentence.problem():
        raise ValueError(problem)
    return sentence


def to_characters(sentence: Sentence) -> tuple[str, list[tuple[int, int, str]]]:
    """The sentence's text and its spans as (start, end, label) in it.

    >>> to_characters(Sentence(("Ada", "Lovelace", "wrote"), (Span(0, 2, "PER"),)))
    ('Ada Lovelace wrote', [(0, 12, 'PER')])
    """
    text, offsets = located(sentence)
    return text, [(offsets[span.start][0], offsets[span.end - 1][1], span.label) for span in sentence.spans]


def entities_in_text(sentence: Sentence, dropped: Counter[str]) -> tuple[str, list[tuple[int, int, str]]]:
    """As `to_characters`, for a format that holds a text and entities and nothing more; counts the rest in `dropped`.

    Without tokens a reader cuts the text anew, so words that it would cut otherwise count as lost, too.
    """
    entities = entities_alone(sentence, dropped)
    text, offsets = located(sentence)
    if _cut(text) != tuple(offsets):
        dropped["sentences whose words are cut in another way"] += 1
    return to_characters(replace(sentence, spans=entities))


def entities_alone(sentence: Sentence, dropped: Counter[str]) -> tuple[Span, ...]:
    """The entities, for a format that holds their place and type and nothing more; the rest is counted in `dropped`.

    >>> lost = Counter()
    >>> entities_alone(Sentence(("Ada", "wrote"), (Span(0, 1, "PER", "dictionary"), Span(1, 2, "O"))), lost)
    (Span(start=0, end=1, label='PER', source='dictionary', score=None),)
    >>> lost
    Counter({'explicit negatives': 1, 'sources of labels': 1})
    """
    for span in sentence.spans:
        if span.label == NOT_ENTITY:
            dropped["explicit negatives"] += 1
        elif span.label == UNKNOWN:
            dropped["explicit unknowns"] += 1
    entities = sentence.entities
    count_provenance(entities, dropped)
    return entities


def outermost(entities: Iterable[Span]) -> list[Span]:
    """The entities in order, without those inside another.

    >>> outermost([Span(2, 3, "LOC"), Span(0, 3, "ORG"), Span(4, 5, "PER")])
    [Span(start=0, end=3, label='ORG', source='', score=None), Span(start=4, end=5, label='PER', source='', score=None)]
    """
    kept: list[Span] = []
    for entity in sorted(entities, key=lambda span: (span.start, -span.end)):
        if not kept or entity.start >= kept[-1].end:
            kept.append(entity)
    return kept


def count_provenance(spans: Iterable[Span], dropped: Counter[str]) -> None:
    """Count the sources and scores of `spans` as lost."""
    for span in spans:
        if span.source:
            dropped["sources of labels"] += 1
        if span.score is not None:
            dropped["scores of labels"] += 1


def located(sentence: Sentence) -> tuple[str, Sequence[tuple[int, int]]]:
    """The sentence's text and the characters of each word: as known, or the words joined by spaces."""
    if sentence.text is not None and sentence.offsets is not None:
        return sentence.text, sentence.offsets
    offsets, position = [], 0
    for word in sentence.words:
        offsets.append((position, position + len(word)))
        position += len(word) + 1
    return " ".join(sentence.words), offsets


def _cut(text: str) -> tuple[tuple[int, int], ...]:
    """The characters of each word. A byte order mark that was left at the beginning is none."""
    from gleanner.data.text import words

    return tuple((start, end) for word, start, end in words(text) if (word, start) != (_BYTE_ORDER_MARK, 0))


def check_offsets(text: str, offsets: Sequence[tuple[int, int]]) -> None:
    """Raise a `ValueError` unless the words lie in the text one after the other."""
    previous = 0
    for start, end in offsets:
        if not 0 <= start < end <= len(text):
            raise ValueError(f"token [{start}, {end}) is empty or outside the text of {len(text)} characters")
        if start < previous:
            raise ValueError(f"token [{start}, {end}) begins before the token in front of it ends ({previous})")
        previous = end


def _span(
    text: str, offsets: Sequence[tuple[int, int]], start: int, end: int, label: str, source: str, score: float | None
) -> Span:
    name = f"span [{start!r}, {end!r}) {label}"
    if type(start) is not int or type(end) is not int:  # True is no position
        raise ValueError(f"{name} has an edge that is not a whole number")
    if not (isinstance(label, str) and isinstance(source, str)):
        raise ValueError(f"{name} has a label or source that is not a string")  # noqa: TRY004
    if score is not None and (type(score) not in (int, float) or not 0 <= score <= 1):
        raise ValueError(f"{name} has the score {score!r}, which is not a number from 0 to 1")
    return Span(*_words_of(text, offsets, start, end, name), label, source, score)


def _words_of(text: str, offsets: Sequence[tuple[int, int]], start: int, end: int, name: str) -> tuple[int, int]:
    """The words that are exactly the characters `start` to `end`."""
    if start >= end:
        raise ValueError(f"{name} is reversed or empty")
    if start < 0 or end > len(text):
        raise ValueError(f"{name} is out of range: the text has {len(text)} characters")
    first = bisect_right(offsets, start, key=_end)
    last = bisect_left(offsets, end, key=_start) - 1
    if first > last:
        raise ValueError(f"{name} holds no word")
    for word_start, word_end in (offsets[first], offsets[last]):
        if word_start < start or word_end > end:
            word = text[word_start:word_end]
            raise ValueError(f"{name} cuts the word {word!r}; move the span to the word's edge, or give the tokens")
    for outside in (text[start : offsets[first][0]], text[offsets[last][1] : end]):
        if outside.strip():
            raise ValueError(f"{name} begins or ends with {outside!r}, which belongs to no word; move the span")
    return first, last + 1


_start, _end = itemgetter(0), itemgetter(1)
