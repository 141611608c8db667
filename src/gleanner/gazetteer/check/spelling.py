"""Terms that are the same, and terms whose letters are damaged: what a dictionary shows without any text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from gleanner.evaluation.spans import Ints
from gleanner.gazetteer.block import Block
from gleanner.gazetteer.check.findings import Entry, Findings, Kind
from gleanner.gazetteer.encodings import faults, form
from gleanner.gazetteer.fold import Folder
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.rules import Rules

ENCODING = Kind("bad encodings", "Letters that a file got by mistake: such a term finds nothing, or the wrong thing.")
DUPLICATE = Kind("duplicates", "The same term with the same type, as the rules compare them: delete one.")
CONFLICT = Kind("conflicts", "One term, several types: its mentions stay unknown, unless a rule decides.")
SIMILAR = Kind("nearly the same", "Terms that differ in case, accents, hyphens or width alone.", problem=False)

_WIDE = Rules(case="ignore", form="nfkc", width=True, hyphens="space", accents=True)
_AT_ONCE = 10_000


def spelling(lexicon: Lexicon, limit: int) -> list[Findings]:
    """Bad encodings, duplicates, conflicts, and terms that are nearly the same."""
    encodings, duplicates, conflicts, similar = (Findings(k, limit) for k in (ENCODING, DUPLICATE, CONFLICT, SIMILAR))
    folder = Folder(_WIDE, ignore_case=True)
    same = np.empty(len(lexicon), np.int64)
    forms: Counter[str] = Counter()
    for first in range(0, len(lexicon), _AT_ONCE):
        texts = [lexicon.term(n)[0].text for n in range(first, min(first + _AT_ONCE, len(lexicon)))]
        forms.update(known for text in texts if (known := form(text)) is not None)
        same[first : first + len(texts)] = [hash(folded) for folded in _folded(folder, texts)]
    rare = min(forms, key=lambda name: forms[name]) if len(forms) > 1 else None
    several: list[int] = []  # terms that are several types by themselves
    for number in range(len(lexicon)):
        entry = Entry(*lexicon.term(number))
        if len(entry.term.types) > 1:
            several.append(number)
        if notes := [*faults(entry.term.text), *_form(entry.term.text, rare)]:
            encodings.add(entry, "; ".join(notes))
    exact = {ignore: Folder(lexicon.rules, ignore_case=ignore) for ignore in (False, True)}
    for group in _groups(same, several):
        entries = [Entry(*lexicon.term(number)) for number in group.tolist()]
        _compare(entries, lexicon.rules, exact, duplicates, conflicts, similar)
    return [encodings, duplicates, conflicts, similar]


def _compare(
    entries: Sequence[Entry],
    rules: Rules,
    folders: dict[bool, Folder],
    duplicates: Findings,
    conflicts: Findings,
    similar: Findings,
) -> None:
    """Tells terms apart that are the same when all is folded that can be."""
    by_key: defaultdict[str, list[Entry]] = defaultdict(list)
    keys: dict[tuple[str, bool], str] = {}
    for entry in entries:
        spelling = entry.term.text, rules.case_of(entry.term.text, entry.term.case) == "ignore"
        if spelling not in keys:
            keys[spelling] = folders[spelling[1]].string(entry.term.text)
        by_key[keys[spelling]].append(entry)
    for alike in by_key.values():
        first: dict[str, Entry] = {}
        for entry in alike:
            for type_ in entry.term.types or ("",):
                before = first.setdefault(type_, entry)
                if before is not entry and before.place != entry.place:
                    duplicates.add(entry, f"{_named(type_)} already in {before.place}{_as(before, entry)}")
        types = [type_ for type_ in first if type_]
        if len(types) > 1:
            conflicts.add(alike[0], ", ".join(f"{type_} in {first[type_].place}" for type_ in types))
    leaders = [alike[0] for alike in by_key.values()]
    for entry in leaders[1:]:
        if entry.place != leaders[0].place:
            similar.add(
                entry, f"{_types(entry)}, like {leaders[0].term.text!r}, {_types(leaders[0])} in {leaders[0].place}"
            )


def _groups(same: Ints, alone: Sequence[int]) -> list[Ints]:
    """The places of equal numbers, where there are several or the place is named, in the order of their first places.

    >>> [group.tolist() for group in _groups(np.array([3, 1, 3, 2, 1, 4]), [3])]
    [[0, 2], [1, 4], [3]]
    """
    order = np.argsort(same, kind="stable")
    ordered = same[order]
    starts = np.flatnonzero(np.r_[np.ones(min(1, len(ordered)), np.bool_), ordered[1:] != ordered[:-1]])
    ends = np.r_[starts[1:], len(ordered)] if len(starts) else starts
    wanted = (ends - starts > 1) | np.isin(order[starts], alone)
    groups = [order[a:b] for a, b in zip(starts[wanted].tolist(), ends[wanted].tolist(), strict=True)]
    return sorted(groups, key=lambda group: int(group[0]))


def _folded(folder: Folder, texts: Sequence[str]) -> list[str]:
    codes = folder.fold(Block.of(texts)).codes
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass").split("\n")


def _form(text: str, rare: str | None) -> Iterator[str]:
    if rare is not None and form(text) == rare:
        other = "NFC" if rare == "NFD" else "NFD"
        yield f"in normal form {rare}, while most terms are in {other}"


def _as(before: Entry, entry: Entry) -> str:
    return "" if before.term.text == entry.term.text else f" as {before.term.text!r}"


def _types(entry: Entry) -> str:
    return ", ".join(entry.term.types) or "a phrase"


def _named(type_: str) -> str:
    return type_ or "a phrase"
