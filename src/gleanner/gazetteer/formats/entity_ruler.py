"""Patterns of spaCy's EntityRuler, and of Prodigy: JSON lines with "label", "pattern" and perhaps "id".

A pattern that is a string has the case rule of the dictionary. One that is a list of tokens matches as they stand
(`ORTH`, `TEXT`) or whatever their case (`LOWER`). What is more than letters, such as `POS`, `REGEX` or `OP`, is not for a
dictionary: these patterns are passed over, and said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from gleanner.data.blocks import numbered
from gleanner.data.json_values import require
from gleanner.data.jsonl import records
from gleanner.errors import InputError
from gleanner.gazetteer.cells import types_of
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.records import terms_of
from gleanner.gazetteer.skipped import Skipped
from gleanner.gazetteer.term import Case, Term

OPTIONS = frozenset(["case"])

_JOINED = re.compile(r" (?=[-–/,.:;!?%)\]’']|n['’]t\b)|(?<=[-–/(\[]) ")
"""The spaces between tokens that most texts do not have."""


def read(file: DictionaryFile, skipped: Skipped) -> Iterator[Term]:
    """One term a pattern; two where tokens may stand together or apart, as "COVID-19" and "COVID - 19" do."""
    for line, record in records(file.path, numbered(file.path)):
        try:
            literal = _literal(record)
            if literal is None:
                skipped.add("patterns that are more than letters", line)
                continue
            text, case = literal
            label, id_ = require(record["label"], str, "'label'"), record.get("id")
            apart = () if isinstance(record["pattern"], str) else (text,)
            yield from terms_of(
                file,
                line,
                _JOINED.sub("", text) if apart else text,
                types_of((label,)),
                id="" if id_ is None else str(id_),
                aliases=apart,
                case=case,
            )
        except ValueError as problem:
            raise InputError(str(problem), path=file.path, line=line) from None


def _literal(record: dict[str, Any]) -> tuple[str, Case | None] | None:
    """The letters of a pattern and their case rule; None where it has more than letters."""
    for key in ("label", "pattern"):
        if key not in record:
            raise ValueError(f"no {key!r} among the keys {', '.join(map(repr, record))}; this is no pattern of spaCy")
    pattern = record["pattern"]
    if isinstance(pattern, str):
        return pattern, None
    words, cases = [], set[Case]()
    for token in require(pattern, list, "'pattern'"):
        (key, word), *others = require(token, dict, "a token").items() or [("", None)]
        if others or key.upper() not in ("LOWER", "ORTH", "TEXT") or not isinstance(word, str):
            return None
        words.append(word)
        if word.lower() != word.upper():
            cases.add("ignore" if key.upper() == "LOWER" else "exact")
    if len(cases) > 1:
        return None
    return " ".join(words), cases.pop() if cases else "exact"
