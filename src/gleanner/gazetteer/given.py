"""Sentences in, sentences out: what is labelled already keeps its labels, and annotators label the words between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from gleanner.errors import InputError
from gleanner.gazetteer.annotator import Annotator
from gleanner.gazetteer.passage import Label, Passage
from gleanner.types import Sentence

BLOCK = 1000
"""Sentences that an annotator gets at once."""

_COVER = "\ufffc"
"""The "object replacement character": no term has it, and a rule sees that something stands there."""


def annotate(sentences: Iterable[Sentence | str], annotator: Annotator) -> Iterator[Sentence]:
    """The sentences with an annotator's labels beside those that they have. Silence is unknown afterwards.

    A string is a sentence, and is cut into words.

        from gleanner import DictionaryAnnotator, annotate, read

        labelled = annotate(read("corpus.txt"), DictionaryAnnotator.read("drugs.csv"))

    >>> from gleanner.gazetteer.annotator import annotator
    >>> from gleanner.types import Span
    >>> names = annotator(lambda text: [(0, 3, "PER"), (4, 7, "PER")])
    >>> next(annotate([Sentence(("Ada", "Lee"), (Span(0, 1, "LOC", "hand"),))], names)).spans
    (Span(start=0, end=1, label='LOC', source='hand', score=None), \
Span(start=1, end=2, label='PER', source='rule:<lambda>', score=None))
    """
    if isinstance(sentences, str):
        raise InputError(f"one string, {sentences[:40]!r}", remedy="give a list of sentences, or `read` the file")
    iterator = (Passage(one).sentence(()) if isinstance(one, str) else one for one in sentences)
    while block := list(islice(iterator, BLOCK)):
        yield from annotate_block(block, annotator)


def annotate_block(sentences: Sequence[Sentence], annotator: Annotator) -> list[Sentence]:
    """The same, for sentences that the annotator gets all at once."""
    found = annotator([covered(sentence) for sentence in sentences])
    return [added(sentence, labels) for sentence, labels in zip(sentences, found, strict=True)]


def covered(sentence: Sentence) -> Passage:
    """The passage that annotators see: labelled words are covered, so that no term and no rule finds anything in them.

    >>> from gleanner.types import Span
    >>> covered(Sentence(("Ada", "Lee", "ran"), (Span(0, 2, "PER"),))).text.replace(_COVER, "_")
    '_______ ran'
    """
    passage = Passage.of(sentence)
    if sentence.spans and passage.words is not None:
        passage.text = cover(passage.text, _places(sentence, passage.words))
    return passage


def cover(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text without the letters at these places, which are in order and do not overlap."""
    pieces, after = [], 0
    for start, end in places:
        pieces += [text[after:start], _COVER * (end - start)]
        after = end
    return "".join([*pieces, text[after:]])


def added(sentence: Sentence, labels: Iterable[Label]) -> Sentence:
    """The sentence with further labels, where nothing is labelled yet."""
    passage = Passage.of(sentence)
    if sentence.spans and passage.words is not None:
        places = list(_places(sentence, passage.words))
        labels = [label for label in labels if all(label.end <= start or end <= label.start for start, end in places)]
    spans = (*sentence.spans, *passage.sentence(labels).spans)
    return replace(sentence, spans=tuple(sorted(spans, key=lambda span: (span.start, -span.end))), complete=False)


def _places(sentence: Sentence, words: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The characters that the labels of a sentence take, those inside another aside."""
    after = 0
    for span in sorted(sentence.spans, key=lambda span: (span.start, -span.end)):
        if span.start >= after:
            after = span.end
            yield words[span.start][0], words[span.end - 1][1]
