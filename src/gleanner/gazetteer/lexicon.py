"""Dictionaries, compiled: every term as it was read, and the indexes by which text is searched for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gleanner.gazetteer.block import Block, Integers
from gleanner.gazetteer.boundaries import Boundaries
from gleanner.gazetteer.columns import Arrays, Columns, ColumnsBuilder, offsets
from gleanner.gazetteer.fold import SEPARATOR, SPACE, Folder
from gleanner.gazetteer.forms import Form, forms
from gleanner.gazetteer.index import Index, ranges
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term

_AT_ONCE = 1 << 15

Kind = Literal["exact", "ignore"]
KINDS: tuple[Kind, ...] = ("exact", "ignore")


class Skipped(IntEnum):
    """Why a term is not looked for."""

    NO = 0
    SHORT = 1
    STOPPED = 2
    EMPTY = 3
    """Nothing is left of it when it is folded."""


@dataclass(frozen=True)
class Spellings:
    """The forms of the terms whose case matters, or of those whose case does not, folded and indexed."""

    index: Index
    term: NDArray[np.int32]
    """For each string of the index the number of the term."""
    given: NDArray[np.bool_]
    """Whether the string is looked for only where words are given."""
    ending: NDArray[np.int8]
    """How many characters at its end must not begin a word."""


class Lexicon:
    """Terms by number, in the order of the dictionaries.

    >>> lexicon = Lexicon.compile([("drugs.csv", [Term("aspirin", ("Drug",), line=17)])])
    >>> len(lexicon), lexicon.term(0)[0].text, lexicon.term(0)[1]
    (1, 'aspirin', 'drugs.csv')
    """

    def __init__(
        self, rules: Rules, dictionaries: Sequence[tuple[str, int]], columns: Columns, spellings: dict[Kind, Spellings]
    ) -> None:
        """See `compile`. Of each dictionary the name and the number of its first term."""
        self.rules = rules
        self.dictionaries = tuple(dictionaries)
        self.columns = columns
        self.spellings = spellings
        self.folder: Path | None = None
        """Where it was loaded from. Another process gets only the name, and maps the same files."""
        self._firsts = [first for _, first in dictionaries]

    def __reduce__(self) -> tuple[Any, ...]:
        if self.folder is None:
            return Lexicon, (self.rules, self.dictionaries, self.columns, self.spellings)
        return _load, (self.folder,)

    @classmethod
    def compile(cls, dictionaries: Iterable[tuple[str, Iterable[Term]]], rules: Rules | None = None) -> Lexicon:
        """Of named dictionaries. Their terms are read once, as a stream."""
        rules = rules or Rules()
        builder = ColumnsBuilder()
        compilers = {kind: _Compiler(rules, ignore_case=kind == "ignore") for kind in KINDS}
        names, count = [], 0
        skipped: list[NDArray[np.uint8]] = []
        for name, terms in dictionaries:
            names.append((name, count))
            for batch in _batches(terms):
                builder.add(batch)
                why = np.array([Skipped.SHORT if len(t.text) < rules.min_length else 0 for t in batch], np.uint8)
                kinds = [rules.case_of(term.text, term.case) for term in batch]
                for kind in KINDS:
                    rows = [row for row, own in enumerate(kinds) if own == kind and not why[row]]
                    if rows:
                        numbers = np.array(rows)
                        why[numbers] = compilers[kind].add([batch[row].text for row in rows], numbers + count)
                skipped.append(why)
                count += len(batch)
        columns = Columns(
            builder.arrays() | {"skipped": np.concatenate([np.zeros(0, np.uint8), *skipped])}, tuple(builder.types)
        )
        spellings = {kind: compiler.spellings() for kind, compiler in compilers.items() if compiler.parts}
        return cls(rules, names, columns, spellings)

    def __len__(self) -> int:
        return len(self.columns)

    def term(self, number: int) -> tuple[Term, str]:
        """A term and the name of its dictionary."""
        if not 0 <= number < len(self):
            raise IndexError(f"no term {number} among {len(self)}")
        return self.columns[number], self.dictionaries[int(np.searchsorted(self._firsts, number, "right")) - 1][0]

    @property
    def skipped(self) -> NDArray[np.uint8]:
        """For each term a `Skipped`: whether, and why, it is not looked for."""
        return self.columns.arrays["skipped"]


def _load(folder: Path) -> Lexicon:
    from gleanner.gazetteer.store import load

    return load(folder, check=False)


@dataclass
class _Compiler:
    """Folds terms by the thousand."""

    rules: Rules
    ignore_case: bool
    parts: list[Arrays] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._folder = Folder(self.rules, ignore_case=self.ignore_case)
        self._stop = frozenset(strings(self._folder, self.rules.stop)) if self.rules.stop else None

    def add(self, texts: list[str], numbers: Integers) -> NDArray[np.uint8]:
        """Terms with their numbers; says for each whether it is skipped."""
        letters, sizes = folded(self._folder, texts)
        why = np.where(sizes > 0, Skipped.NO, Skipped.EMPTY).astype(np.uint8)
        if self._stop:
            stopped = np.array([text in self._stop for text in strings(self._folder, texts)])
            why[stopped & (sizes > 0)] = Skipped.STOPPED
        kept = why == Skipped.NO
        self._keep(letters[np.repeat(kept, sizes)], sizes[kept], numbers[kept], given=False, ending=0)
        rows = np.flatnonzero(kept & (True if self.rules.plural or self.rules.possessive else _cut(texts)))
        if rows.size:
            self._add_forms([texts[row] for row in rows.tolist()], numbers[rows])
        return why

    def _add_forms(self, texts: list[str], numbers: Integers) -> None:
        known = set(enumerate(strings(self._folder, texts)))
        candidates = [(row, form) for row, text in enumerate(texts) for form in forms(text, self.rules)]
        spelled = strings(self._folder, [form.text for _, form in candidates])
        kept: dict[tuple[int, str, bool, int], Form] = {}
        for (row, form), spelling in zip(candidates, spelled, strict=True):
            if spelling and (row, spelling) not in known:
                kept[row, spelling, form.given, form.ending] = form
        if kept:
            letters, sizes = folded(self._folder, [form.text for form in kept.values()])
            given = np.array([form.given for form in kept.values()])
            ending = np.array([form.ending for form in kept.values()], np.int8)
            self._keep(letters, sizes, numbers[[row for row, *_ in kept]], given, ending)

    def _keep(self, letters: NDArray[Any], sizes: Integers, numbers: Integers, given: Any, ending: Any) -> None:
        count = len(sizes)
        self.parts.append(
            {
                "letters": letters.astype(_smallest(letters)),
                "sizes": sizes,
                "term": numbers.astype(np.int32),
                "given": np.broadcast_to(np.asarray(given, bool), count),
                "ending": np.broadcast_to(np.asarray(ending, np.int8), count),
            }
        )

    def spellings(self) -> Spellings:
        """All of them."""
        columns = {name: np.concatenate([part[name] for part in self.parts]) for name in self.parts[0]}
        self.parts.clear()
        index = Index.build(columns["letters"], offsets(columns["sizes"]))
        return Spellings(index, columns["term"], columns["given"], columns["ending"])


def folded(folder: Folder, texts: Sequence[str]) -> tuple[NDArray[Any], Integers]:
    """The folded characters of terms one after the other, without spaces at their ends, and how many each has."""
    codes = folder.fold(Block.of(texts)).codes
    separators = np.flatnonzero(codes == SEPARATOR)
    starts = np.concatenate([[0], separators + 1])
    ends = np.append(separators, len(codes))
    padded = np.append(codes, SEPARATOR)
    starts += padded[starts] == SPACE
    ends -= (ends > starts) & (padded[ends - 1] == SPACE)
    sizes = np.maximum(ends - starts, 0)
    return codes[ranges(starts, sizes)], sizes


def strings(folder: Folder, texts: Sequence[str]) -> list[str]:
    """Folded terms."""
    letters, sizes = folded(folder, texts)
    text = letters.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    places = offsets(sizes).tolist()
    return [text[a:b] for a, b in pairwise(places)]


def _cut(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which of the terms may be several words without white space between them."""
    block = Block.of(texts)
    boundaries = Boundaries(block, [None] * len(texts))
    places, _ = boundaries.likely()
    visible = boundaries.kinds > 0
    inside = np.flatnonzero(places[1:-1] & visible[1:] & visible[:-1]) + 1
    found = np.zeros(len(texts), bool)
    found[np.searchsorted(block.starts, inside, "right") - 1] = True
    return found


def _smallest(letters: NDArray[Any]) -> type[np.unsignedinteger[Any]]:
    highest = int(letters.max(initial=0))
    return np.uint8 if highest < 1 << 8 else np.uint16 if highest < 1 << 16 else np.uint32


def _batches(terms: Iterable[Term]) -> Iterator[list[Term]]:
    rest = iter(terms)
    while batch := list(islice(rest, _AT_ONCE)):
        yield batch
