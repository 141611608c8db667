"""Label Studio's exports: a JSON array of tasks ("JSON"), or of tasks with the regions beside the data ("JSON-MIN").

A task becomes one sentence. Of several annotations the first that was not cancelled counts; predictions are not
annotations and stay in `meta`. A task that nobody annotated is never complete. Writing makes the "JSON" shape, which
Label Studio also imports.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from gleanner.data.atomic import atomic
from gleanner.data.characters import entities_in_text, from_characters
from gleanner.data.files import ReadOptions
from gleanner.data.json_array import elements
from gleanner.data.json_values import require
from gleanner.errors import InputError
from gleanner.types import Sentence

ENDINGS: tuple[str, ...] = (".json",)

_NAMES = {"text": "text", "from_name": "label", "to_name": "text"}
"""The key of the text in a task's data and the names of the two tags, as in Label Studio's template."""

_ANNOTATIONS = ("annotations", "completions")
"""Where a task holds them; before version 1.0 they were called completions."""

_MIN_STRINGS = ("created_at", "updated_at", "annotator")
"""Strings that JSON-MIN puts beside the data."""


def read(path: Path, options: ReadOptions) -> Iterator[Sentence]:
    """One sentence a task. JSON-MIN repeats a task for every annotation; the first one counts there too."""
    for _, group in groupby(enumerate(elements(path)), key=_identity):
        (_, (line, task)), *others = group
        try:
            if "data" in require(task, dict, "a task"):
                yield _from_json(task, options.complete)
            else:
                yield _from_json_min(task, len(others), options.complete)
        except ValueError as problem:
            raise InputError(str(problem), path=path, line=line) from None


def write(sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None:
    """One task a sentence, with one annotation."""
    with atomic(path) as handle:
        before = "[\n"
        for sentence in sentences:
            handle.write(before + json.dumps(_task(sentence, dropped), ensure_ascii=False))
            before = ",\n"
        handle.write("[]\n" if before == "[\n" else "\n]\n")


def _identity(element: tuple[int, tuple[int, Any]]) -> tuple[str, int | str]:
    """What the records of one task have in common. In JSON every task is one element."""
    number, (_, task) = element
    if isinstance(task, dict) and "data" not in task and isinstance(task.get("id"), int | str):
        return "task", task["id"]
    return "element", number


def _from_json(task: Mapping[str, Any], complete: bool | None) -> Sentence:
    data = dict(require(task["data"], dict, "'data'"))
    said = data.pop("complete", False) is True
    annotations = [annotation for key in _ANNOTATIONS for annotation in _objects(task, key)]
    usable = [annotation for annotation in annotations if not annotation.get("was_cancelled")]
    results = _objects(usable[0], "result") if usable else []
    regions = [result for result in results if "labels" in require(result.get("value", {}), dict, "'value'")]
    names = {name: regions[0].get(name, default) if regions else default for name, default in _NAMES.items()}
    names["text"] = _text_key(data)
    text = data.pop(names["text"])
    beside = {
        "names": names if names != _NAMES else None,
        "data": data,
        "other_annotations": len(usable[1:]),
        "other_results": [result for result in results if result not in regions],
    }
    return from_characters(
        text,
        [span for region in regions for span in _spans(region["value"], text)],
        complete=(said if complete is None else complete) and bool(usable),
        meta=_meta({key: value for key, value in task.items() if key not in ("data", *_ANNOTATIONS)}, beside),
    )


def _from_json_min(task: Mapping[str, Any], others: int, complete: bool | None) -> Sentence:
    kept = dict(task)
    text = kept.pop(_text_key({key: value for key, value in task.items() if key not in _MIN_STRINGS}))
    regions: list[Mapping[str, Any]] = []
    for key, value in task.items():
        if isinstance(value, list) and value and all(isinstance(v, dict) and "labels" in v for v in value):
            regions += kept.pop(key)
    return from_characters(
        text,
        [span for region in regions for span in _spans(region, text)],
        complete=bool(complete),
        meta=_meta(kept, {"other_annotations": others}),
    )


def _meta(kept: Mapping[str, Any], beside: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a task, and under one key what is no key of a task."""
    found = {key: value for key, value in beside.items() if value}
    return {**kept, "label_studio": found} if found else dict(kept)


def _task(sentence: Sentence, dropped: Counter[str]) -> dict[str, Any]:
    kept = {key: value for key, value in sentence.meta.items() if key not in ("data", *_ANNOTATIONS)}
    beside = kept.pop("label_studio", None)
    if not isinstance(beside, dict):
        beside = {}
    names = _NAMES | beside.get("names", {})
    text, entities = entities_in_text(sentence, dropped)
    result = [
        {
            "id": f"span{number}",
            "from_name": names["from_name"],
            "to_name": names["to_name"],
            "type": "labels",
            "value": {"start": start, "end": end, "text": text[start:end], "labels": [label]},
        }
        for number, (start, end, label) in enumerate(entities, 1)
    ]
    data = {**beside.get("data", {}), names["text"]: text}
    if sentence.complete:
        data["complete"] = True
    if count := beside.get("other_annotations"):
        dropped["annotations of further annotators"] += count
    if others := beside.get("other_results"):
        dropped["results that are no labels"] += len(others)
    return {**kept, "data": data, "annotations": [{"result": result}]}


def _text_key(data: Mapping[str, Any]) -> str:
    strings = [key for key, value in data.items() if isinstance(value, str)]
    if "text" in strings:
        return "text"
    if len(strings) != 1:
        found = ", ".join(map(repr, data)) or "nothing"
        raise ValueError(f"a task needs its text under 'text' or as its only string; the keys are {found}")
    return strings[0]


def _objects(of: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = require(of.get(key) or [], list, repr(key))
    return [require(each, dict, f"what is in {key!r}") for each in found]


def _spans(region: Mapping[str, Any], text: str) -> Iterator[tuple[int, int, str, str, None]]:
    """A span for each label of a region, in code points.

    Older versions of Label Studio counted UTF-16 units, so that an emoji counts twice; the text that a region
    quotes tells which it is.
    """
    start, end, quoted = region.get("start"), region.get("end"), region.get("text")
    if type(start) is not int or type(end) is not int:
        raise ValueError(f"region [{start!r}, {end!r}) has no whole numbers as edges; only plain text can be read")
    if isinstance(quoted, str) and not _same(text[start:end], quoted):
        units = text.encode("utf-16-le", "surrogatepass")
        from_units = [len(units[: 2 * edge].decode("utf-16-le", "ignore")) for edge in (start, end)]
        if not _same(text[slice(*from_units)], quoted):
            raise ValueError(f"region [{start}, {end}) quotes {quoted!r}, but the text there is {text[start:end]!r}")
        start, end = from_units
    for label in require(region["labels"], list, "'labels'"):
        yield start, end, label, "", None


def _same(piece: str, quoted: str) -> bool:
    """Whether they are the same but for white space, which Label Studio trims and escapes."""
    return "".join(piece.split()) == "".join(quoted.replace("\\n", "\n").split())
