"""A dictionary has changed: only the sentences that its changed terms touch are annotated again.

What is labelled in a sentence depends on the terms that are found in it and on nothing else in the dictionary. So where no
term is found that was removed, added or altered, the labels are as they would be; only the lines of the file may have moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from gleanner.gazetteer.annotator import Annotator
from gleanner.gazetteer.changes import Changes
from gleanner.gazetteer.given import BLOCK, annotate_block
from gleanner.gazetteer.matcher import Matcher
from gleanner.gazetteer.origin import Origin, origins, parts, source
from gleanner.gazetteer.passage import Passage
from gleanner.types import Sentence

_REMEMBERED = 1 << 16


def annotate_again(
    sentences: Iterable[Sentence], annotator: Annotator, changes: Changes, counts: Counter[str]
) -> Iterator[Sentence]:
    """What annotating everything anew gives, from sentences that the same annotator annotated before the changes.

    `annotator` has the new lexicon; nothing else about it may be different. The labels of its dictionaries, of rules and
    of candidates are made anew where a changed term is found; those of others stay. `counts` is told the number of
    `sentences`, and of those `annotated again`.
    """
    matcher = Matcher(changes.terms)
    renewed = present(changes)
    iterator = iter(sentences)
    while block := list(islice(iterator, BLOCK)):
        numbers = touched([Passage.of(sentence) for sentence in block], matcher)
        bare = [without_ours(block[number], changes.names) for number in numbers]
        anew = dict(zip(numbers, annotate_block(bare, annotator), strict=True))
        counts["sentences"] += len(block)
        counts["annotated again"] += len(anew)
        for number, sentence in enumerate(block):
            yield anew[number] if number in anew else moved(sentence, renewed) if changes.shifted else sentence


def touched(passages: Sequence[Passage], matcher: Matcher) -> list[int]:
    """The numbers of the passages in which a changed term is found."""
    return sorted(set(matcher.find(passages).passage.tolist()))


def without_ours(sentence: Sentence, dictionaries: frozenset[str]) -> Sentence:
    """The sentence with the labels that annotators did not give."""
    return replace(
        sentence,
        spans=tuple(span for span in sentence.spans if not is_ours(span.source, dictionaries)),
    )


def is_ours(said: str, dictionaries: frozenset[str]) -> bool:
    """Whether an annotator that is asked again gave a label, by what is `said` as its source."""
    return any(_is_asked(origin, dictionaries) for origin in origins(said))


def _is_asked(origin: Origin, dictionaries: frozenset[str]) -> bool:
    return origin.kind in ("rule", "candidates") or (origin.kind == "dictionary" and origin.name in dictionaries)


def moved(sentence: Sentence, renewed: Callable[[str], str]) -> Sentence:
    """The sentence with the present lines in the sources of its labels."""
    sources = [renewed(span.source) for span in sentence.spans]
    if all(source == span.source for source, span in zip(sources, sentence.spans, strict=True)):
        return sentence
    spans = zip(sentence.spans, sources, strict=True)
    return replace(sentence, spans=tuple(replace(span, source=source) for span, source in spans))


def present(changes: Changes) -> Callable[[str], str]:
    """What makes of a source the same with the present names and lines."""

    def part(text: str) -> str:
        (origin,) = origins(text) or (Origin(""),)
        if origin.kind != "dictionary" or origin.line is None:
            return text
        name = changes.renamed.get(origin.name, origin.name)
        lines = changes.moved.get(name)
        if name == origin.name and lines is None:
            return text
        return str(replace(origin, name=name, line=lines(origin.line) if lines else origin.line))

    return lru_cache(_REMEMBERED)(lambda text: source(part(one) for one in parts(text)))
