"""Annotation again as a task: lines of records in, the same records as annotating everything anew would write them out.

A record is `{"text": ..., "entities": ...}` in characters, or has words, as `Annotating` wrote it. It is searched for the
terms that changed, and for nothing else; only if one is found do the annotators see it again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from json.encoder import encode_basestring as quoted
from typing import NoReturn

from gleanner.data import jsonl
from gleanner.data.files import ReadOptions
from gleanner.data.windows import SIZE
from gleanner.engine.inputs import Block, Cut
from gleanner.engine.job import Made
from gleanner.errors import InputError
from gleanner.gazetteer.again import is_ours, moved, present, touched, without_ours
from gleanner.gazetteer.annotating import Maker, line
from gleanner.gazetteer.annotator import Annotator, flat
from gleanner.gazetteer.changes import Changes
from gleanner.gazetteer.given import annotate_block, cover
from gleanner.gazetteer.matcher import Matcher
from gleanner.gazetteer.passage import Label, Passage
from gleanner.gazetteer.report.block import count
from gleanner.gazetteer.report.gold import Gold
from gleanner.types import Sentence

AGAIN = ""
"""What the sentences that were annotated again are counted as, beside the types. No type is empty."""

_RAW = {"text", "entities"}

# A record just as `line` writes it, if nothing in it needs a backslash. Most are, and are read faster so.
_STRING = r'"([^"\\\x00-\x1f]*)"'
_ENTITY = re.compile(rf'\{{"start": (\d+), "end": (\d+), "label": {_STRING}, "source": {_STRING}\}}')
_PLAIN = re.compile(rf'\{{"text": {_STRING}, "entities": \[((?:{_ENTITY.pattern}(?:, (?!\])|(?=\])))*)\]\}}')


_SOURCE = re.compile(rf'"source": {_STRING}')
_LABEL = re.compile(rf'"label": {_STRING}')


@dataclass(slots=True)
class _Raw:
    """A sentence of raw text."""

    text: str
    labels: Sequence[Label]


@dataclass(slots=True)
class _Unread:
    """A sentence of raw text whose labels nobody asks for."""

    text: str
    line: str


_Record = _Raw | _Unread | Sentence


@dataclass(frozen=True)
class Reannotating:
    """The task. Its inputs are files of JSON lines, read as text."""

    recipe: Maker
    """With the new dictionaries."""
    changes: Changes
    was: str
    """What tells the old dictionaries, for the fingerprint."""
    paths: tuple[str, ...]
    """Those of the inputs, for errors."""
    counted: bool = False
    """As in `Annotating`."""
    gold: Gold | None = None
    """As in `Annotating`."""

    @property
    def cut(self) -> Cut:
        """A line is a record."""
        return Cut(SIZE, whole_lines=True)

    @property
    def fingerprint(self) -> str:
        """All that the records depend on."""
        gold = "" if self.gold is None else self.gold.fingerprint
        return f"{self.recipe.fingerprint} was={self.was} counted={self.counted} gold={gold}"

    def start(self) -> Callable[[Block], Made]:
        """With an annotator of this process."""
        annotator, matcher = self.recipe.annotator(), Matcher(self.changes.terms)
        renewed = present(self.changes)

        def renew(record: _Record) -> _Record:
            return _renewed(record, renewed) if self.changes.shifted else record

        def do(block: Block) -> Made:
            lines = block.drawn([one for one in block.text.split("\n") if one.strip()])
            records = self._records(lines, self.paths[block.file])
            passages = [_passage(record) for record in records]
            numbers = touched(passages, matcher)
            for number in numbers:
                records[number] = _plain(lines[number]) or records[number]
            anew = dict(zip(numbers, self._anew([records[number] for number in numbers], annotator), strict=True))
            result = [anew.get(n) or renew(record) for n, record in enumerate(records)]
            written = (
                f"{old}\n" if new is record else _line(new)
                for old, record, new in zip(lines, records, result, strict=True)
            )
            return self._made("".join(written), passages, result, len(anew))

        return do

    def _records(self, lines: Sequence[str], path: str) -> list[_Record]:
        read = _plain if self.counted else _unread
        try:
            return [read(one) or _record(one, path) for one in lines]
        except (InputError, ValueError):
            _refuse(path)

    def _anew(self, records: Sequence[_Record], annotator: Annotator) -> Iterator[_Record]:
        """The records annotated again, in their order."""
        names = self.changes.names
        sentences = [without_ours(record, names) for record in records if isinstance(record, Sentence)]
        words = iter(annotate_block(sentences, annotator))
        kept = [
            _Raw(record.text, [label for label in record.labels if not is_ours(label.source, names)])
            for record in records
            if isinstance(record, _Raw)
        ]
        found = annotator([Passage(cover(raw.text, _places(raw.labels))) for raw in kept])
        texts = iter([_Raw(raw.text, _together(raw.labels, new)) for raw, new in zip(kept, found, strict=True)])
        return (next(texts) if isinstance(record, _Raw) else next(words) for record in records)

    def _made(self, lines: str, passages: Sequence[Passage], records: Sequence[_Record], again: int) -> Made:
        counts = Counter(chain.from_iterable(map(_types, records)))
        counts[AGAIN] = again
        note = count(passages, list(map(_labels, records)), self.gold).to_json() if self.counted else ""
        return Made(lines.encode(), len(records), counts, note)


def _plain(line: str) -> _Raw | None:
    match = _PLAIN.fullmatch(line)
    if match is None:
        return None
    found = _ENTITY.findall(match[2])
    return _raw(match[1], [Label(int(start), int(end), kind, source) for start, end, kind, source in found])


def _unread(line: str) -> _Unread | None:
    match = _PLAIN.fullmatch(line)
    return None if match is None else _Unread(match[1], line)


def _record(line: str, path: str) -> _Record:
    ((_, fields),) = jsonl.records(path, [(1, line)])
    if fields.keys() - _RAW or "text" not in fields:
        sentence = jsonl.sentence_of(fields, None)
        if problem := sentence.problem():
            raise ValueError(problem)
        return sentence
    text = fields["text"]
    if not isinstance(text, str):
        raise ValueError("no text")  # noqa: TRY004 - what is wrong with it is told in another place
    return _raw(text, [Label(*entity) for entity in jsonl.entities_of(fields)])


def _raw(text: str, labels: Sequence[Label]) -> _Raw:
    if any(not 0 <= label.start < label.end <= len(text) for label in labels):
        raise ValueError("a label outside the text")
    return _Raw(text, labels)


def _refuse(path: str) -> NoReturn:
    """Says what is wrong in a file, and in which line. A block does not know its lines, so the file is read again."""
    for _ in jsonl.read(path, ReadOptions()):
        pass
    raise InputError("it changed while it was read", path=path, remedy="run the same command again")


def _passage(record: _Record) -> Passage:
    return Passage.of(record) if isinstance(record, Sentence) else Passage(record.text)


def _types(record: _Record) -> list[str]:
    if isinstance(record, _Unread):
        return _LABEL.findall(record.line)
    if isinstance(record, _Raw):
        return [label.type for label in record.labels]
    return [span.label for span in record.spans]


def _labels(record: _Record) -> Sequence[Label]:
    if not isinstance(record, Sentence):
        return record.labels if isinstance(record, _Raw) else ()
    words = Passage.of(record).cut()
    return [Label(words[s.start][0], words[s.end - 1][1], s.label, s.source) for s in record.spans]


def _places(labels: Sequence[Label]) -> list[tuple[int, int]]:
    return [(label.start, label.end) for label in flat(labels)]


def _together(given: Sequence[Label], found: Sequence[Label]) -> list[Label]:
    """Labels that somebody else gave, and what was found beside them."""
    free = [new for new in found if all(new.end <= old.start or old.end <= new.start for old in given)]
    return sorted([*given, *free], key=lambda label: (label.start, -label.end))


def _renewed(record: _Record, renewed: Callable[[str], str]) -> _Record:
    if isinstance(record, Sentence):
        return moved(record, renewed)
    if isinstance(record, _Unread):
        line = _SOURCE.sub(lambda match: f'"source": {quoted(renewed(match[1]))}', record.line)
        return _Unread(record.text, line)
    sources = [renewed(label.source) for label in record.labels]
    if sources == [label.source for label in record.labels]:
        return record
    pairs = zip(record.labels, sources, strict=True)
    # Not `replace`, which takes five times as long.
    return _Raw(record.text, [Label(a.start, a.end, a.type, source, a.score) for a, source in pairs])


def _line(record: _Record) -> str:
    if isinstance(record, _Unread):
        return f"{record.line}\n"
    if isinstance(record, _Raw):
        return line(record.text, record.labels)
    (rendered,) = jsonl.rendered([record], Counter())
    return rendered
