"""doccano's JSON lines for sequence labelling, in the shapes of its versions.

    {"text": "...", "label": [[0, 5, "PER"]]}                                               "labels" in old exports
    {"text": "...", "entities": [{"start_offset": 0, "end_offset": 5, "label": "PER"}]}     with relations

The text may be under "data". Relations stay in `meta` but point to entities by number, so they are not written.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gleanner.data.atomic import atomic
from gleanner.data.characters import entities_in_text, from_characters
from gleanner.data.files import ReadOptions
from gleanner.data.json_values import require
from gleanner.data.jsonl import lines_of, parsed
from gleanner.types import Sentence

ENDINGS: tuple[str, ...] = ()

_SPANS = ("label", "labels", "entities")
_READ = ("text", "data", "complete", *_SPANS)
"""Keys of a record that are no part of `meta`."""


def read(path: Path, options: ReadOptions) -> Iterator[Sentence]:
    """One sentence a record."""
    return parsed(path, lambda record: _sentence(record, options.complete))


def write(sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None:
    """One record a sentence, with the spans under "label"."""
    with atomic(path) as handle:
        handle.writelines(lines_of(_record(sentence, dropped) for sentence in sentences))


def _sentence(record: Mapping[str, Any], complete: bool | None) -> Sentence:
    key = "text" if "text" in record else "data"
    if key not in record:
        raise ValueError(f"a record needs its text under 'text' or 'data'; the keys are {', '.join(map(repr, record))}")
    return from_characters(
        require(record[key], str, repr(key)),
        [_span(span) for spans in _SPANS for span in require(record.get(spans) or [], list, repr(spans))],
        complete=record.get("complete") is True if complete is None else complete,
        meta={key: value for key, value in record.items() if key not in _READ},
    )


def _span(span: Any) -> tuple[Any, Any, Any, str, None]:
    match span:
        case [start, end, label] | {"start_offset": start, "end_offset": end, "label": label}:
            return start, end, label, "", None
    raise ValueError(
        f"{json.dumps(span, ensure_ascii=False)} is no span; it must be [start, end, label] "
        "or an object with start_offset, end_offset and label"
    )


def _record(sentence: Sentence, dropped: Counter[str]) -> dict[str, Any]:
    text, entities = entities_in_text(sentence, dropped)
    meta = {key: value for key, value in sentence.meta.items() if key not in _READ}
    relations = meta.pop("relations", None)
    if isinstance(relations, list) and relations:
        dropped["relations"] += len(relations)
    record: dict[str, Any] = {"text": text, "label": entities}
    if sentence.complete:
        record["complete"] = True
    return record | meta
