"""Prodigy's JSON lines: text, tokens, spans, and what the annotator answered.

    accept, or no answer    the spans are as they stand
    reject                  of one span: it is not an entity; of several: one at least is wrong, so all are unknown
    ignore                  the record is passed over

A rejected record is never complete. Whether an accepted one is, Prodigy does not say; the key "complete" may.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gleanner.data.atomic import atomic
from gleanner.data.characters import from_characters, located
from gleanner.data.files import ReadOptions
from gleanner.data.json_values import require
from gleanner.data.jsonl import lines_of, parsed
from gleanner.types import NOT_ENTITY, UNKNOWN, Sentence

ENDINGS: tuple[str, ...] = ()

_READ = ("text", "tokens", "spans", "answer", "complete")
"""Keys of a record that are no part of `meta`."""


def read(path: Path, options: ReadOptions) -> Iterator[Sentence]:
    """One sentence a record, except for those that were ignored."""
    return parsed(
        path, lambda record: None if record.get("answer") == "ignore" else _sentence(record, options.complete)
    )


def write(sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None:
    """One accepted record a sentence; a sentence that was read as rejected is again."""
    with atomic(path) as handle:
        handle.writelines(lines_of(_record(sentence, dropped) for sentence in sentences))


def _sentence(record: Mapping[str, Any], complete: bool | None) -> Sentence:
    answer = record.get("answer", "accept")
    if answer not in ("accept", "reject"):
        raise ValueError(f"the answer {answer!r} is none of 'accept', 'reject', 'ignore'")
    text = require(record.get("text"), str, "'text'")
    marked = [require(span, dict, "a span") for span in require(record.get("spans") or [], list, "'spans'")]
    labels = [span.get("label", UNKNOWN) for span in marked]
    meta = {key: value for key, value in record.items() if key not in _READ}
    if complete is None:
        complete = record.get("complete") is True
    if answer == "reject":
        meta["rejected"] = labels
        labels = [NOT_ENTITY if len(marked) == 1 else UNKNOWN] * len(marked)
        complete = False
    return from_characters(
        text,
        [_place(span, label) for span, label in zip(marked, labels, strict=True)],
        complete=complete,
        meta=meta,
        tokens=_tokens(record["tokens"], text) if record.get("tokens") else None,
    )


def _place(span: Mapping[str, Any], label: Any) -> tuple[Any, Any, Any, Any, Any]:
    return span.get("start"), span.get("end"), label, span.get("source", ""), span.get("score")


def _tokens(tokens: Any, text: str) -> list[tuple[int, int]]:
    """The characters of each token that is not white space."""
    places = []
    for token in require(tokens, list, "'tokens'"):
        start, end = require(token, dict, "a token").get("start"), token.get("end")
        if type(start) is not int or type(end) is not int:
            raise ValueError(f"token [{start!r}, {end!r}) has an edge that is not a whole number")
        if token.get("text", text[start:end]) != text[start:end]:
            raise ValueError(f"token [{start}, {end}) is {token['text']!r}, but the text there is {text[start:end]!r}")
        if start == end or text[start:end].strip():
            places.append((start, end))
    return places


def _record(sentence: Sentence, dropped: Counter[str]) -> dict[str, Any]:
    text, offsets = located(sentence)
    meta = {key: value for key, value in sentence.meta.items() if key not in _READ}
    rejected = meta.pop("rejected", None)
    is_rejected = isinstance(rejected, list) and len(rejected) == len(sentence.spans) and not sentence.entities
    spans = []
    for number, span in enumerate(sentence.spans):
        if not (span.is_entity or is_rejected):
            dropped["explicit negatives" if span.label == NOT_ENTITY else "explicit unknowns"] += 1
            continue
        marked = {
            "start": offsets[span.start][0],
            "end": offsets[span.end - 1][1],
            "token_start": span.start,
            "token_end": span.end - 1,
            "label": rejected[number] if is_rejected else span.label,
        }
        if span.source:
            marked["source"] = span.source
        if span.score is not None:
            marked["score"] = span.score
        spans.append(marked)
    tokens = [
        {"text": word, "start": start, "end": end, "id": number, "ws": text[end : end + 1].isspace()}
        for number, (word, (start, end)) in enumerate(zip(sentence.words, offsets, strict=True))
    ]
    record: dict[str, Any] = {
        "text": text,
        "tokens": tokens,
        "spans": spans,
        "answer": "reject" if is_rejected else "accept",
    }
    if sentence.complete:
        record["complete"] = True
    return record | meta
