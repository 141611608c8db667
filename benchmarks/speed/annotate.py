"""Labels from a dictionary of 100,000 terms in raw text, from file to file: gleanner against what else there is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.speed.alternate import seconds
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from gleanner import demo_data
from gleanner.engine.inputs import sources
from gleanner.engine.run import How, run
from gleanner.gazetteer.annotating import Annotating
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.recipe import Recipe
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.store import save
from gleanner.gazetteer.term import Term

TERMS = 100_000
MEGABYTES = 10
TIMES = 5
"""Each of ours is measured so often, and the median counts; the others, which take seconds, once."""

AT_LEAST = {"exact": 15.0, "ignore": 8.0}
OURS = {
    "exact": f"annotation, {TERMS:,} terms, exact",
    "ignore": f"annotation, {TERMS:,} terms, ignoring case",
    "exact report": "the same, exact, counted for the report",
}
MANY = 40
"""So many times the text for several processes, which take a second to start."""

Find = Callable[[str], Iterable[tuple[int, int, str]]]


@dataclass(frozen=True)
class Place:
    """Where the text is and where the labels go."""

    folder: Path
    terms: Mapping[str, str]
    """Terms and their types."""

    @property
    def text(self) -> Path:
        """Ten megabytes."""
        return self.folder / "text.txt"

    @property
    def size(self) -> float:
        """In megabytes."""
        return self.text.stat().st_size / 1e6

    def ours(self, case: str, *, report: bool = False) -> None:
        """The whole work, from the loading of the compiled dictionary to the closing of the output."""
        task = Annotating(Recipe((self.folder / case,)), counted=report)
        run(task, sources([self.text]), self.folder / f"{case}.jsonl", how=How(force=True))

    def command(self, text: Path, *options: str) -> float:
        """Seconds of `gleanner annotate`, with all that a user waits for."""
        files = (
            "--dictionary",
            str(self.folder / "terms.tsv"),
            "--text",
            str(text),
            "-o",
            str(self.folder / "out.jsonl"),
        )
        command = (sys.executable, "-m", "gleanner.cli.main", "annotate", *files, "--force", *options)
        own = os.environ | {"XDG_CACHE_HOME": str(self.folder)}
        return seconds(lambda: subprocess.run(command, check=True, env=own, capture_output=True))

    def theirs(self, find: Find) -> None:
        """The same with another matcher: a paragraph a record, which costs less than sentences do."""
        with self.text.open(encoding="utf-8") as lines, (self.folder / "theirs.jsonl").open("w") as out:
            for line in lines:
                if text := line.strip():
                    out.write(json.dumps({"text": text, "entities": list(find(text))}, ensure_ascii=False) + "\n")


def rows(material: Material) -> Iterator[Row]:
    """Megabytes of text a second, and how much several processes gain."""
    with tempfile.TemporaryDirectory() as folder:
        place = _prepare(Path(folder), 1 if material.quick else MEGABYTES)
        for side, what in OURS.items():
            took = _alone(place, side)
            detail = f"{place.size:.0f} MB in {took:.2f} s"
            yield Row(what, place.size / took, "MB/s", at_least=AT_LEAST.get(side), detail=detail)
        for name in OTHERS:
            if find_spec(name.partition(" ")[0]) or name == TRIE:
                took = _alone(place, name)
                yield Row(f"the same, exact, with {name}", place.size / took, "MB/s", detail=f"{took:.1f} s")
        yield from _several(place, 1 if material.quick else MANY)


def _alone(place: Place, side: str) -> float:
    """Seconds of a side, in a process of its own: what other measurements left in memory is no part of it."""
    command = (sys.executable, "-m", "benchmarks.speed.annotate", str(place.folder), side)
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _measure(place: Place, side: str) -> float:
    """In this process."""
    if side in OTHERS:
        find = OTHERS[side](place.terms)
        return seconds(lambda: place.theirs(find))
    case, _, report = side.partition(" ")
    place.ours(case)  # the patterns are compiled at the first call
    return median(seconds(lambda: place.ours(case, report=bool(report))) for _ in range(TIMES))


def _several(place: Place, times: int) -> Iterator[Row]:
    long, short = place.folder / "long.txt", place.folder / "short.txt"
    short.write_text(demo_data.raw(), encoding="utf-8")
    text = place.text.read_text(encoding="utf-8")
    with long.open("w", encoding="utf-8") as handle:
        handle.writelines(text for _ in range(times))
    place.command(short)  # compiles the dictionary
    alone, two = place.command(long, "--quiet"), place.command(long, "--quiet", "--workers", "2")
    yield Row(
        f"gleanner annotate, {times * place.size:.0f} MB, --workers 2 / 1",
        alone / two,
        "x",
        at_least=1.7,
        detail=f"{alone:.1f} s, {two:.1f} s",
    )
    if find_spec("ray"):
        ray = ("--quiet", "--engine", "ray", "--workers", "2")
        start, whole = place.command(short, *ray), place.command(long, *ray)
        # To start Ray takes the same seconds, however much there is to do.
        share = (alone - place.command(short, "--quiet")) / (whole - start)
        detail = f"{whole:.1f} s, {start:.1f} s of them to start"
        yield Row(
            "gleanner annotate, --engine ray --workers 2 / 1, once started", share, "x", at_least=1.5, detail=detail
        )


def _prepare(folder: Path, megabytes: int) -> Place:
    """The text of the corpus that comes along, again and again, its dictionary, and names made of its names."""
    raw = demo_data.raw()
    text = raw * -(-megabytes * 1_000_000 // len(raw.encode()))
    terms: dict[str, str] = {}
    for line in demo_data.dictionary_path().read_text(encoding="utf-8").splitlines():
        kind, term = line.split("\t")
        terms.setdefault(term, kind)
    words = sorted(set(re.findall(r"(?<=[a-z,] )[A-Z][a-z]{3,}", raw)))
    random = np.random.default_rng(0)
    while len(terms) < TERMS:
        picked = random.integers(len(words), size=2 + len(terms) % 2).tolist()
        terms.setdefault(" ".join(words[k] for k in picked), "PER")
    place = Place(folder, terms)
    place.text.write_text(text, encoding="utf-8")
    (folder / "terms.tsv").write_text("".join(f"{kind}\t{term}\n" for term, kind in terms.items()), encoding="utf-8")
    for case in ("exact", "ignore"):
        found = (Term(term, (kind,), line) for line, (term, kind) in enumerate(terms.items(), 1))
        save(
            Lexicon.compile([("terms.tsv", found)], Rules(case="exact" if case == "exact" else "ignore")), folder / case
        )
    return place


def _phrase_matcher(terms: Mapping[str, str]) -> Find:
    import spacy
    from spacy.matcher import PhraseMatcher
    from spacy.util import filter_spans

    nlp = spacy.blank("en")
    matcher = PhraseMatcher(nlp.vocab)
    for kind in sorted(set(terms.values())):
        matcher.add(kind, [nlp.make_doc(term) for term, its in terms.items() if its == kind])

    def find(text: str) -> Iterator[tuple[int, int, str]]:
        for span in filter_spans(matcher(nlp.make_doc(text), as_spans=True)):
            yield span.start_char, span.end_char, span.label_

    return find


def _flashtext(terms: Mapping[str, str]) -> Find:
    from flashtext import KeywordProcessor

    processor = KeywordProcessor(case_sensitive=True)
    for term, kind in terms.items():
        processor.add_keyword(term, kind)
    return lambda text: [(start, end, kind) for kind, start, end in processor.extract_keywords(text, span_info=True)]


def _trie(terms: Mapping[str, str]) -> Find:
    """Dictionaries of words inside dictionaries; the longest term at each word."""
    cut = re.compile(r"\w+|[^\w\s]").finditer
    root: dict[str, Any] = {}
    for term, kind in terms.items():
        node = root
        for word in cut(term):
            node = node.setdefault(word[0], {})
        node[""] = kind

    def find(text: str) -> Iterator[tuple[int, int, str]]:
        words = [(match[0], *match.span()) for match in cut(text)]
        first = 0
        while first < len(words):
            node, place, found = root, first, None
            while place < len(words) and (node := node.get(words[place][0], {})):
                place += 1
                if "" in node:
                    found = place, node[""]
            if found is None:
                first += 1
            else:
                yield words[first][1], words[found[0] - 1][2], found[1]
                first = found[0]

    return find


TRIE = "a trie in Python"

OTHERS: dict[str, Callable[[Mapping[str, str]], Find]] = {
    "spacy PhraseMatcher": _phrase_matcher,
    "flashtext": _flashtext,
    TRIE: _trie,
}
"""By the library that must be there, if any."""


def _place(folder: Path) -> Place:
    """What `_prepare` made."""
    lines = (folder / "terms.tsv").read_text(encoding="utf-8").splitlines()
    return Place(folder, {term: kind for kind, term in (line.split("\t") for line in lines)})


if __name__ == "__main__":
    print(_measure(_place(Path(sys.argv[1])), sys.argv[2]))
