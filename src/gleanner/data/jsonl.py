"""The format of gleanner: one JSON object a line, which can hold all that a `Sentence` holds.

    {"tokens": ["Ada", "Lovelace", "wrote"], "entities": [[0, 2, "PER"]]}                 words, end exclusive
    {"text": "Ada Lovelace wrote", "entities": [[0, 12, "PER"]]}                          characters, end exclusive
    {"text": "Ada Lovelace wrote", "spans": [{"start": 0, "end": 12, "label": "PER"}]}    the same

An entity may be an object in either form, and then also have a "source" and a "score" from 0 to 1. The label "O" says that
a span is no entity, "?" that nobody may take it for either. `"complete": true` says that spans that are not listed are no
entities. Beside tokens there may be a "text" and, for each word, its characters in it as "offsets". Other keys are kept.
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gleanner.data.atomic import atomic
from gleanner.data.characters import check_offsets, from_characters
from gleanner.data.files import ReadOptions
from gleanner.data.json_text import no_constant
from gleanner.data.json_values import half_character, require
from gleanner.data.lines import checked, lines
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

ENDINGS: tuple[str, ...] = (".jsonl", ".ndjson")

_LOG = logging.getLogger(__name__)
_DECODER = json.JSONDecoder(parse_constant=no_constant)  # `json.loads` would make one for every line
_KEYS = frozenset(["tokens", "text", "entities", "spans", "offsets", "complete"])

_Entity = tuple[int, int, str, str, float | None]


def records(
    path: str | Path, numbered: Iterable[tuple[int, str]] | None = None
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file of JSON lines, or of some `numbered` lines of it. Blank lines are passed over."""
    for number, line in lines(path) if numbered is None else numbered:
        if not line.strip():
            continue
        remedy = "write one JSON object a line"
        try:
            record = _DECODER.decode(line)
            record = require(record, dict, "the line")
        except json.JSONDecodeError as error:
            problem = f"malformed JSON at column {error.colno}: {error.msg}"
        except (ValueError, RecursionError) as error:
            problem = str(error)
        else:
            half = half_character(record, line)
            if half is None:
                yield number, record
                continue
            problem, remedy = f"{half} is half of a surrogate pair", "write the whole character"
        raise InputError(problem, path=path, line=number, remedy=remedy)


def parsed(path: str | Path, make: Callable[[dict[str, Any]], Sentence | None]) -> Iterator[Sentence]:
    """What `make` makes of each record; None is passed over, and said. Its ValueErrors become errors with their line."""
    passed_over = 0
    for number, record in records(path):
        try:
            sentence = make(record)
        except ValueError as problem:
            raise InputError(str(problem), path=path, line=number) from None
        if sentence is None:
            passed_over += 1
        else:
            yield checked(sentence, path, number)
    if passed_over:
        _LOG.warning("%s: %d records marked to be ignored were passed over", path, passed_over)


def lines_of(records: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The inverse of `records`."""
    for record in records:
        yield json.dumps(record, ensure_ascii=False) + "\n"


def read(path: str | Path, options: ReadOptions) -> Iterator[Sentence]:
    """One sentence a line."""
    return parsed(path, lambda record: sentence_of(record, options.complete))


def write(sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None:
    """One sentence a line, as words. Nothing is lost but metadata that have the name of a key of the format."""
    with atomic(path) as handle:
        handle.writelines(rendered(sentences, dropped))


def rendered(sentences: Iterable[Sentence], dropped: Counter[str]) -> Iterator[str]:
    """The lines of a file, for one that is not written at a stroke: a pipe."""
    return lines_of(record_of(sentence, dropped) for sentence in sentences)


def sentence_of(record: dict[str, Any], complete: bool | None) -> Sentence:
    """What a record says; `complete` in the place of what it says of silence. A ValueError says what is wrong."""
    text = require(record["text"], str, "'text'") if "text" in record else None
    said = record.get("complete", False)
    if not isinstance(said, bool):
        raise ValueError(f"'complete' must be true or false, not {said!r}")  # noqa: TRY004
    complete = said if complete is None else complete
    meta = {key: value for key, value in record.items() if key not in _KEYS}
    entities = entities_of(record)
    if "tokens" in record:
        offsets = _offsets(require(record["offsets"], list, "'offsets'")) if "offsets" in record else None
        if text is not None and offsets is not None:
            check_offsets(text, offsets)
        return Sentence(
            words=_words(require(record["tokens"], list, "'tokens'")),
            spans=tuple(Span(*entity) for entity in entities),
            complete=complete,
            text=text,
            offsets=offsets,
            meta=meta,
        )
    if text is None:
        keys = ", ".join(map(repr, record))
        raise ValueError(f"neither 'tokens' nor 'text' among the keys {keys}; add one, or name the format")
    if "offsets" in record:
        raise ValueError("'offsets' without 'tokens'; give both or neither")
    return from_characters(text, entities, complete=complete, meta=meta)


def _words(tokens: list[Any]) -> tuple[str, ...]:
    for word in tokens:
        if not isinstance(word, str) or not word:
            raise ValueError(f"{word!r} is among the 'tokens'; they must be strings with at least one character")
    return tuple(tokens)


def _offsets(offsets: list[Any]) -> tuple[tuple[int, int], ...]:
    for pair in offsets:
        if not isinstance(pair, list) or [type(edge) for edge in pair] != [int, int]:
            raise ValueError(f"{pair!r} is among the 'offsets'; they must be pairs of whole numbers")
    return tuple((start, end) for start, end in offsets)


def entities_of(record: dict[str, Any]) -> list[_Entity]:
    """Start, end, label, source and score of each, in words or in characters, as the record has them."""
    if "spans" in record and ("tokens" in record or "entities" in record):
        raise ValueError("'spans' beside 'tokens' or 'entities'; give 'entities' alone, or name the format")
    key = "spans" if "spans" in record else "entities"
    for tags in ("ner_tags", "tags"):
        if key not in record and "tokens" in record and isinstance(record.get(tags), list):
            raise ValueError(
                f"{tags!r} but no 'entities'; write them as [start, end, label], or the file as CoNLL columns"
            )
    return [_entity(entity) for entity in require(record.get(key, []), list, repr(key))]


def _entity(entity: Any) -> _Entity:
    match entity:
        case [start, end, label]:
            source, score = "", None
        case {"start": start, "end": end, "label": label}:
            source, score = entity.get("source", ""), entity.get("score")
        case _:
            raise ValueError(
                f"{entity!r} is no entity; write [start, end, label] or an object with start, end and label"
            )
    if type(start) is not int or type(end) is not int:  # isinstance would take True for a number
        raise ValueError(f"entity {entity!r} has an edge that is not a whole number; count words or characters from 0")
    if score is not None and (type(score) not in (int, float) or not 0 <= score <= 1):
        raise ValueError(f"entity {entity!r} has a score that is not a number from 0 to 1; leave it out if unknown")
    return start, end, require(label, str, "a label"), require(source, str, "a source"), score


def record_of(sentence: Sentence, dropped: Counter[str]) -> dict[str, Any]:
    """The inverse of `sentence_of`; what does not fit in is counted in `dropped`."""
    record: dict[str, Any] = {"tokens": sentence.words, "entities": [_plain(span) for span in sentence.spans]}
    if sentence.complete:
        record["complete"] = True
    if sentence.text is not None:
        record["text"] = sentence.text
    if sentence.offsets is not None:
        record["offsets"] = sentence.offsets
    for key, value in sentence.meta.items():
        if key in _KEYS:
            dropped[f"metadata named {key!r}"] += 1
        else:
            record[key] = value
    return record


def _plain(span: Span) -> list[Any] | dict[str, Any]:
    if not span.source and span.score is None:
        return [span.start, span.end, span.label]
    plain: dict[str, Any] = {"start": span.start, "end": span.end, "label": span.label}
    if span.source:
        plain["source"] = span.source
    if span.score is not None:
        plain["score"] = span.score
    return plain
