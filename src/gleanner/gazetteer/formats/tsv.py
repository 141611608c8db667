"""Lines of `type<TAB>term`, without a header and without quotes. Blank lines are passed over."""

from __future__ import annotations

from collections.abc import Iterator

from gleanner.data.blocks import batches
from gleanner.errors import InputError
from gleanner.gazetteer.cells import clean, shown, types_of
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.skipped import Skipped
from gleanner.gazetteer.term import Term

OPTIONS = frozenset(["case"])


def read(file: DictionaryFile, skipped: Skipped) -> Iterator[Term]:
    """One term a line."""
    case = file.case
    known: dict[str, tuple[str, ...]] = {}  # a million terms share a few tuples of types
    for first, lines in batches(file.path):
        for number, line in enumerate(lines, first):
            label, _, text = line.partition("\t")
            try:
                if label not in known or "\t" in text:
                    if not line.strip():
                        continue
                    known[label] = _types(label, line)
                yield Term(clean(text), known[label], number, case=case)
            except ValueError as problem:
                raise InputError(str(problem), path=file.path, line=number) from None


def _types(label: str, line: str) -> tuple[str, ...]:
    """The types of a line that has two columns."""
    columns = line.split("\t")
    if len(columns) != 2:
        count = f"{len(columns)} columns" if len(columns) > 1 else "one column"
        raise ValueError(f"{shown(line)} has {count}; write type<TAB>term, or say what format it is with format=NAME")
    return types_of((label,))
