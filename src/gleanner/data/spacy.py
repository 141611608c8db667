"""spaCy's training files: a `DocBin` of documents (.spacy), whose entities are three-valued like ours.

spaCy knows for each token whether it is in an entity, outside of all ("O"), or *missing*: nobody said. So

    no missing token        <->   a complete sentence
    a missing token         <->   an incomplete one, in which
    an outside token        <->   is a one-word span `NOT_ENTITY`

`Doc.ents` cannot hold an entity inside another. All entities, nested ones too, are also in the span group "sc", the one
that spaCy's span categoriser learns from. White-space tokens are no words.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gleanner.data.atomic import atomic
from gleanner.data.characters import count_provenance, from_characters, located, outermost
from gleanner.data.files import ReadOptions
from gleanner.data.lines import readable
from gleanner.errors import InputError
from gleanner.types import NOT_ENTITY, UNKNOWN, Sentence, Span

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

ENDINGS: tuple[str, ...] = (".spacy",)

SPAN_GROUP = "sc"
"""The default key of spaCy's span categoriser."""

_MISSING = 0
"""The value of `Token.ent_iob` for a token of which nobody said anything."""


def read(path: Path, options: ReadOptions) -> Iterator[Sentence]:
    """One sentence a document. The documents' user data is not read."""
    _import(path)
    for number, doc in enumerate(_docs(path), 1):
        try:
            yield _sentence(doc, options.complete)
        except ValueError as problem:
            raise InputError(f"document {number}: {problem}", path=path) from None


def write(sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None:
    """One document a sentence. The format is one compressed block, so all of it is in memory before it is written."""
    _import(path)
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    vocab = Vocab()
    documents = DocBin(store_user_data=False)
    for sentence in sentences:
        documents.add(_document(sentence, vocab, dropped))
    with atomic(path, binary=True) as handle:
        handle.write(documents.to_bytes())


def _import(path: Path) -> None:
    try:
        import spacy.tokens  # noqa: F401
    except ImportError:
        raise InputError("this format needs spaCy", path=path, remedy="pip install 'gleanner[spacy]'") from None


def _docs(path: Path) -> Iterator[Doc]:
    from spacy.tokens import DocBin
    from spacy.vocab import Vocab

    with readable(path):
        content = path.read_bytes()
    try:
        documents = DocBin().from_bytes(content)
        documents.user_data = [None] * len(documents)  # may hold anything; it is not ours to decode
        yield from documents.get_docs(Vocab())
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, EOFError, OverflowError, zlib.error):
        raise InputError(
            "is not a whole spaCy DocBin", path=path, remedy="export it again with DocBin.to_disk or `spacy convert`"
        ) from None


def _sentence(doc: Doc, complete: bool | None) -> Sentence:
    tokens = [token for token in doc if not token.text.isspace()]
    places = {(entity.start_char, entity.end_char, entity.label_): None for entity in doc.ents}
    if SPAN_GROUP in doc.spans:
        places |= {(span.start_char, span.end_char, span.label_): None for span in doc.spans[SPAN_GROUP]}
    some_missing = any(token.ent_iob == _MISSING for token in tokens)
    if complete is None:
        complete = not some_missing
    if some_missing and not complete:
        for token in tokens:
            # A blocked token is "inside" an entity without a type: somebody said that it is in none.
            if token.ent_iob != _MISSING and not token.ent_type:
                places[token.idx, token.idx + len(token), NOT_ENTITY] = None
    return from_characters(
        doc.text,
        [(start, end, label, "", None) for start, end, label in places],
        complete=complete,
        meta={},
        tokens=[(token.idx, token.idx + len(token)) for token in tokens],
    )


def _document(sentence: Sentence, vocab: Vocab, dropped: Counter[str]) -> Doc:
    from spacy.tokens import Doc
    from spacy.tokens import Span as DocSpan

    tokens, spaces, places = _tokens(sentence, dropped)
    doc = Doc(vocab, words=tokens, spaces=spaces)

    def span(start: int, end: int, label: str = "") -> DocSpan:
        return DocSpan(doc, places[start], places[end - 1] + 1, label=label)

    entities = sentence.entities
    doc.spans[SPAN_GROUP] = [span(s.start, s.end, s.label) for s in entities]
    missing, outside = _exceptions(sentence, entities, dropped)
    doc.set_ents(
        [span(s.start, s.end, s.label) for s in outermost(entities)],
        missing=[span(word, word + 1) for word in missing],
        outside=[span(word, word + 1) for word in outside],
        default="outside" if sentence.complete else "missing",
    )
    count_provenance(sentence.spans, dropped)
    if sentence.meta:
        dropped["metadata of sentences"] += 1
    return doc


def _tokens(sentence: Sentence, dropped: Counter[str]) -> tuple[list[str], list[bool], list[int]]:
    """Tokens as spaCy has them, whether a space follows each, and the token of each word.

    White space beyond one space becomes a token, as in spaCy's own tokeniser, so that the text stays as it is.
    """
    text, offsets = located(sentence)
    edges = [0, *(edge for offset in offsets for edge in offset), len(text)]
    gaps = [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    if "".join(gaps).strip():
        dropped["characters between words"] += 1
        gaps = ["", *[" "] * (len(sentence.words) - 1), ""]
    tokens: list[str] = []
    spaces: list[bool] = []
    places: list[int] = []
    for word, gap in zip((None, *sentence.words), gaps, strict=True):
        if word is not None:
            places.append(len(tokens))
            tokens.append(word)
            spaces.append(gap.startswith(" "))
        if rest := gap if word is None else gap.removeprefix(" "):
            tokens.append(rest)
            spaces.append(False)
    return tokens, spaces, places


def _exceptions(sentence: Sentence, entities: Iterable[Span], dropped: Counter[str]) -> tuple[list[int], list[int]]:
    """The words outside of entities that are not what silence means: missing ones, outside ones."""
    free = set(range(len(sentence.words)))
    for entity in entities:
        free.difference_update(range(entity.start, entity.end))
    missing: set[int] = set()
    outside: set[int] = set()
    for span in sentence.spans:
        if span.label == UNKNOWN:
            if sentence.complete and not free.isdisjoint(range(span.start, span.end)):
                missing |= free.intersection(range(span.start, span.end))
            else:
                dropped["explicit unknowns"] += 1
        elif span.label == NOT_ENTITY:
            if not sentence.complete and span.end - span.start == 1 and span.start in free:
                outside.add(span.start)
            else:
                dropped["explicit negatives"] += 1
    return sorted(missing), sorted(outside)
