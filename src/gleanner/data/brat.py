"""brat's standoff: a folder of pairs, a text (.txt) and the annotations with their characters in it (.ann).

A document becomes one sentence whose id is the files' name, so that writing gives the same files again. Only entities
without gaps are read as spans. All other lines stay in `meta` but point to entities by number, so they are not written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import count, pairwise
from pathlib import Path

from gleanner.data.atomic import atomic_folder
from gleanner.data.characters import entities_in_text, from_characters
from gleanner.data.files import ReadOptions
from gleanner.data.lines import lines, readable
from gleanner.errors import InputError
from gleanner.types import Sentence

ENDINGS: tuple[str, ...] = (".ann",)

_ENTITY = re.compile(r"T\d+\t(?P<label>\S+) (?P<places>\d+ \d+(?:;\d+ \d+)*)(?:\t(?P<quoted>.*))?")
_NAME_LENGTH = 60
"""Characters of a file's name; a file system allows 255 bytes, which may be four a character."""

_Place = tuple[int, int, str, str, None]


def read(path: Path, options: ReadOptions) -> Iterator[Sentence]:
    """One sentence for each .ann file of the folder, by name; or for the one .ann file that `path` is."""
    with readable(path):
        documents = sorted(path.glob("*.ann"), key=_in_order) if path.is_dir() else [path.with_suffix(".ann")]
    for document in documents:
        yield _document(document, complete=bool(options.complete))


def write(sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None:
    """A folder with two files a sentence, named after its id, or numbered."""
    if path.suffix in ENDINGS:
        raise InputError("brat keeps documents in a folder", path=path, remedy=f"name the folder, such as {path.stem}")
    used: set[str] = set()
    with atomic_folder(path) as folder:
        for number, sentence in enumerate(sentences, 1):
            name = _name(sentence, number, used)
            text, annotations = _standoff(sentence, dropped)
            (folder / f"{name}.txt").write_text(text, encoding="utf-8", newline="")
            (folder / f"{name}.ann").write_text(annotations, encoding="utf-8", newline="")


def _in_order(path: Path) -> tuple[list[str | int], str]:
    """The key by which 2.ann comes before 10.ann, as it was written."""
    parts = re.split(r"(\d+)", path.stem)
    return [int(part) if place % 2 else part for place, part in enumerate(parts)], path.stem


def _document(path: Path, *, complete: bool) -> Sentence:
    text = _text(path.with_suffix(".txt"))
    spans: dict[int, _Place] = {}
    others = []
    for number, line in lines(path):
        if not line.strip():
            continue
        if not line.startswith("T"):
            others.append(line)
            continue
        match = _ENTITY.fullmatch(line)
        if match is None:
            what = f"{line!r} is no entity; it must be an id, a tab, a type and characters, a tab, the text"
            raise InputError(what, path=path, line=number, remedy="mend the line or take it out")
        place = _place(text, match["places"])
        if place is None:
            others.append(line)
            continue
        start, end = place
        if match["quoted"] is not None and text[start:end].split() != match["quoted"].split():
            what = f"characters [{start}, {end}) are {text[start:end]!r}, not {match['quoted']!r}"
            raise InputError(what, path=path, line=number, remedy="the .txt is not the one that was annotated")
        spans[number] = (start, end, match["label"], "", None)
    return _sentence(text, spans, others, path, complete=complete)


def _sentence(text: str, spans: Mapping[int, _Place], others: list[str], path: Path, *, complete: bool) -> Sentence:
    meta = {"id": path.stem} | ({"brat": others} if others else {})
    try:
        return from_characters(text, spans.values(), complete=complete, meta=meta)
    except ValueError as problem:
        for number, span in spans.items():  # whose fault it is, if it is not that of two together
            try:
                from_characters(text, [span], complete=complete, meta=meta)
            except ValueError:
                raise InputError(str(problem), path=path, line=number) from None
        raise InputError(str(problem), path=path) from None


def _text(path: Path) -> str:
    """The text, its line ends and byte order mark untouched: brat counts them."""
    with readable(path):
        content = path.read_bytes()
    try:
        return content.decode()
    except UnicodeDecodeError:
        for _ in lines(path):  # says in which line
            pass
        raise


def _place(text: str, places: str) -> tuple[int, int] | None:
    """The characters of an entity; None if there are words between its fragments.

    brat breaks an entity at a line end, so fragments with white space between them are one.
    """
    fragments = [tuple(map(int, fragment.split())) for fragment in places.split(";")]
    if any(text[end:start].strip() or start < end for (_, end), (start, _) in pairwise(fragments)):
        return None
    return fragments[0][0], fragments[-1][1]


def _standoff(sentence: Sentence, dropped: Counter[str]) -> tuple[str, str]:
    """The contents of the two files."""
    text, entities = entities_in_text(sentence, dropped)
    rows = []
    for number, (start, end, label) in enumerate(entities, 1):
        if not re.fullmatch(r"\S+", label):
            raise InputError(f"brat has no types with white space such as {label!r}", remedy="rename the type")
        # The quoted text must stay on its line; brat has a fragment a line, and a space for the line end.
        fragments = [(start + m.start(), start + m.end()) for m in re.finditer(r"[^\r\n]+", text[start:end])]
        places = ";".join(f"{a} {b}" for a, b in fragments)
        quoted = " ".join(text[a:b] for a, b in fragments)
        rows.append(f"T{number}\t{label} {places}\t{quoted}\n")
    if sentence.complete:
        dropped["completeness of sentences"] += 1
    others = sentence.meta.get("brat")
    if isinstance(others, list) and others:
        dropped["discontinuous entities, relations, events, attributes and notes"] += len(others)
    if sentence.meta.keys() - {"id", "brat"}:
        dropped["metadata of sentences"] += 1
    return text, "".join(rows)


def _name(sentence: Sentence, number: int, used: set[str]) -> str:
    """A name that no other document has, on no file system, and that leads to no other folder."""
    id_ = sentence.meta.get("id")
    wanted = re.sub(r"[^\w.-]+", "_", "" if id_ is None else str(id_)).strip(".")[:_NAME_LENGTH] or str(number)
    names = (wanted if turn == 1 else f"{wanted}-{turn}" for turn in count(1))
    name = next(name for name in names if name.casefold() not in used)
    used.add(name.casefold())
    return name
