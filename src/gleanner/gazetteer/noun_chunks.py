"""Candidates for names by a model of spaCy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from gleanner.errors import InputError
from gleanner.gazetteer.candidates import Candidate, Place, characters
from gleanner.gazetteer.passage import Passage

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Span as Chunk

_NO_NAMES = frozenset(["DET", "PRON", "ADP", "PUNCT", "CCONJ", "SCONJ", "SPACE"])
"""Parts of speech that no name begins with, though a noun chunk may."""


@dataclass(frozen=True)
class NounChunks:
    """Candidates by spaCy: the noun chunks that a model finds, without the articles and pronouns that begin them.

    The parts of a chunk are those that hold its head: "renal failure" of "severe renal failure".
    """

    model: str
    """A model that is installed, or its folder. It must have a parser."""

    @property
    def name(self) -> str:
        """What unknown labels give as their source."""
        return "noun-chunks"

    def __call__(self, passages: Sequence[Passage]) -> list[list[Candidate] | None]:
        """The candidates of each passage, whose words are spaCy's tokens."""
        docs = self._language.pipe(self._document(passage) for passage in passages)
        return [list(self._candidates(doc, passage.cut())) for doc, passage in zip(docs, passages, strict=True)]

    def __getstate__(self) -> dict[str, str]:
        return {"model": self.model}  # another process loads it anew

    @cached_property
    def _language(self) -> Language:
        try:
            import spacy
        except ImportError:
            raise InputError("noun chunks need spaCy", remedy="pip install 'gleanner[spacy]'") from None
        try:
            return spacy.load(self.model)
        except OSError:
            raise InputError(
                f"there is no spaCy model {self.model!r}", remedy=f"python -m spacy download {self.model}"
            ) from None

    def _document(self, passage: Passage) -> Doc:
        from spacy.tokens import Doc

        words = passage.cut()
        spaces = [before[1] < after[0] for before, after in pairwise(words)]
        return Doc(self._language.vocab, [passage.text[a:b] for a, b in words], [*spaces, False] if words else [])

    def _candidates(self, doc: Doc, words: Sequence[Place]) -> Iterator[Candidate]:
        try:
            chunks = list(doc.noun_chunks)
        except (NotImplementedError, ValueError):
            raise InputError(
                f"the spaCy model {self.model!r} finds no noun chunks", remedy="choose one with a parser"
            ) from None
        for chunk in chunks:
            yield from _of_chunk(chunk, words)


def _of_chunk(chunk: Chunk, words: Sequence[Place]) -> Iterator[Candidate]:
    start = next((token.i for token in chunk if token.pos_ not in _NO_NAMES), chunk.end)
    if start == chunk.end:
        return
    head = max(chunk.root.i, start)
    whole, *parts = sorted(
        ((a, b) for a in range(start, head + 1) for b in range(head + 1, chunk.end + 1)),
        key=lambda part: part[0] - part[1],
    )
    yield Candidate(*characters(whole, words), tuple(characters(part, words) for part in parts))
