"""Annotation as a task: blocks of text or of sentences in, records with labels out.

Raw text becomes `{"text": ..., "entities": [{"start": 0, "end": 7, "label": "Drug", "source": ...}]}`, a sentence a line, in
characters: its words are not cut, for that takes longer than all the rest, and whoever reads the file cuts the same.
Sentences that have words keep them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from json import dumps
from json.encoder import encode_basestring as quoted
from typing import Protocol

from gleanner.data.jsonl import rendered
from gleanner.data.text import texts
from gleanner.data.windows import SIZE
from gleanner.engine.inputs import Block, Cut
from gleanner.engine.job import Made
from gleanner.gazetteer.annotator import Annotator
from gleanner.gazetteer.given import annotate_block
from gleanner.gazetteer.passage import Label, Passage
from gleanner.gazetteer.report.block import count, count_sentences
from gleanner.gazetteer.report.gold import Gold

_REMEMBERED = 1 << 16
"""Types and sources that are kept ready. Their number is bounded, or memory would grow with the corpus."""


class Maker(Protocol):
    """How an annotator is made. It can be pickled, and is small: each process makes its own."""

    @property
    def fingerprint(self) -> str:
        """A text that changes when the labels would."""
        ...

    def annotator(self) -> Annotator:
        """A new one."""
        ...


@dataclass(frozen=True)
class Annotating:
    """The task."""

    recipe: Maker
    share: float = 1.0
    """Of the sentences, this random share is annotated and written, the others are not."""
    seed: int = 0
    """For the share."""
    counted: bool = False
    """Whether each block's note is what a report needs of it, see `gleanner.gazetteer.report.block`."""
    gold: Gold | None = None
    """Sentences whose labels the notes keep."""

    @property
    def cut(self) -> Cut:
        """Paragraphs stay whole."""
        return Cut(SIZE)

    @property
    def fingerprint(self) -> str:
        """All that the records depend on."""
        gold = "" if self.gold is None else self.gold.fingerprint
        return f"{self.recipe.fingerprint} share={self.share} seed={self.seed} counted={self.counted} gold={gold}"

    def start(self) -> Callable[[Block], Made]:
        """With an annotator of this process."""
        annotator = self.recipe.annotator()
        return lambda block: self._text(block, annotator) if block.text else self._sentences(block, annotator)

    def _text(self, block: Block, annotator: Annotator) -> Made:
        passages = [Passage(text) for text in block.drawn(texts(block.text), self.share, self.seed)]
        labels = annotator(passages)
        lines = "".join(map(line, [passage.text for passage in passages], labels)).encode()
        note = count(passages, labels, self.gold).to_json() if self.counted else ""
        return Made(lines, len(passages), Counter([label.type for found in labels for label in found]), note)

    def _sentences(self, block: Block, annotator: Annotator) -> Made:
        found = annotate_block(block.drawn(block.sentences, self.share, self.seed), annotator)
        counts = Counter([span.label for sentence in found for span in sentence.spans])
        note = count_sentences(found, self.gold).to_json() if self.counted else ""
        return Made("".join(rendered(found, Counter())).encode(), len(found), counts, note)


def line(text: str, labels: Iterable[Label]) -> str:
    r"""A record, letter for letter as `json.dumps` writes it, and faster.

    >>> line('The "drug" aspirin.', [Label(11, 18, "Drug", "rule:drugs")])
    '{"text": "The \\"drug\\" aspirin.", "entities": [{"start": 11, "end": 18, "label": "Drug", "source": "rule:drugs"}]}\n'
    """
    entities = ", ".join(
        [
            f'{{"start": {label.start}, "end": {label.end}, {_rest(label.type, label.source, label.score)}'
            for label in labels
        ]
    )
    return f'{{"text": {quoted(text)}, "entities": [{entities}]}}\n'


@lru_cache(_REMEMBERED)
def _rest(kind: str, source: str, score: float | None) -> str:
    """What a label's record says after its place."""
    rest = {"label": kind} | ({"source": source} if source else {}) | ({} if score is None else {"score": score})
    return dumps(rest, ensure_ascii=False)[1:]
