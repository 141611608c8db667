"""Terms that are the same, and terms whose letters are damaged: what a dictionary shows without any text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from gleanner.evaluation.spans import Ints
from gleanner.gazetteer import bulk
from gleanner.gazetteer.check.findings import Entry, Findings, Kind
from gleanner.gazetteer.encodings import faults, form
from gleanner.gazetteer.fold import Folder
from gleanner.gazetteer.lexicon import Lexicon, strings
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import CASES

ENCODING = Kind("bad encodings", "Letters that a file got by mistake: such a term finds nothing, or the wrong thing.")
DUPLICATE = Kind("duplicates", "The same term with the same type, as the rules compare them: delete one.")
CONFLICT = Kind("conflicts", "One term, several types: its mentions stay unknown, unless a rule decides.")
SIMILAR = Kind("nearly the same", "Terms that differ in case, accents, hyphens or width alone.", problem=False)

_WIDE = Rules(case="ignore", form="nfkc", width=True, hyphens="space", accents=True)


def spelling(lexicon: Lexicon, limit: int) -> list[Findings]:
    """Bad encodings, duplicates, conflicts, and terms that are nearly the same."""
    encodings, duplicates, conflicts, similar = (Findings(k, limit) for k in (ENCODING, DUPLICATE, CONFLICT, SIMILAR))
    keys = _Keys(lexicon)
    forms: Counter[str] = Counter()
    damaged: list[int] = []
    for first, texts in bulk.texts(lexicon):
        for number, text in enumerate(texts, start=first):
            if not (text.isascii() and text.isprintable()):
                forms.update(filter(None, [form(text)]))
                damaged.append(number)
        keys.add(first, texts)
    rare = min(forms, key=lambda name: forms[name]) if len(forms) > 1 else None
    for number in damaged:
        entry = Entry(*lexicon.term(number))
        if notes := [*faults(entry.term.text), *_form(entry.term.text, rare)]:
            encodings.add(entry, "; ".join(notes))
    of_term, kinds = bulk.types(lexicon)
    several = np.flatnonzero(np.array([len(types) > 1 for types in kinds], np.bool_)[of_term])
    for group in _groups(keys.wide, several):
        by_key: defaultdict[int, list[Entry]] = defaultdict(list)
        for number in group.tolist():
            by_key[int(keys.exact[number])].append(Entry(*lexicon.term(number)))
        for alike in by_key.values():
            _compare(alike, duplicates, conflicts)
        leader, *others = (alike[0] for alike in by_key.values())
        for entry in others:
            if entry.place != leader.place:
                note = f"{_types(entry)}, like {leader.term.text!r}, {_types(leader)} in {leader.place}"
                similar.add(entry, note)
    return [encodings, duplicates, conflicts, similar]


class _Keys:
    """What terms are compared by, as numbers: hashes of 64 bits, of which no two are the same by chance."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._rules, self._cases = lexicon.rules, lexicon.columns.arrays["case"]
        self.exact, self.wide = (np.empty(len(lexicon), np.int64) for _ in range(2))
        """By the rules of the lexicon; and when all is folded that can be."""
        self._folder = Folder(_WIDE, ignore_case=True)
        self._folders = {ignore: Folder(self._rules, ignore_case=ignore) for ignore in (False, True)}

    def add(self, first: int, texts: list[str]) -> None:
        """The keys of terms from the number `first` on."""
        last = first + len(texts)
        self.wide[first:last] = list(map(hash, strings(self._folder, texts)))
        stated = (CASES[case] if case >= 0 else None for case in self._cases[first:last].tolist())
        ignore = [self._rules.case_of(text, case) == "ignore" for text, case in zip(texts, stated, strict=True)]
        for ignored in set(ignore):
            rows = [row for row, own in enumerate(ignore) if own is ignored]
            folded = strings(self._folders[ignored], [texts[row] for row in rows])
            self.exact[np.array(rows) + first] = [hash((text, ignored)) for text in folded]


def _compare(alike: Sequence[Entry], duplicates: Findings, conflicts: Findings) -> None:
    """Looks at what the dictionaries say of one term."""
    first: dict[str, Entry] = {}
    for entry in alike:
        for type_ in entry.term.types or ("",):
            before = first.setdefault(type_, entry)
            if before is not entry and before.place != entry.place:
                duplicates.add(entry, f"{type_ or 'a phrase'} already in {before.place}{_as(before, entry)}")
    types = [type_ for type_ in first if type_]
    if len(types) > 1:
        conflicts.add(alike[0], ", ".join(f"{type_} in {first[type_].place}" for type_ in types))


def _groups(same: Ints, alone: Ints) -> list[Ints]:
    """The places of equal numbers, where there are several or the place is named, in the order of their first places.

    >>> [group.tolist() for group in _groups(np.array([3, 1, 3, 2, 1, 4]), np.array([3]))]
    [[0, 2], [1, 4], [3]]
    """
    order = np.argsort(same, kind="stable")
    ordered = same[order]
    starts = np.flatnonzero(np.r_[np.ones(min(1, len(ordered)), np.bool_), ordered[1:] != ordered[:-1]])
    ends = np.r_[starts[1:], len(ordered)] if len(starts) else starts
    wanted = (ends - starts > 1) | np.isin(order[starts], alone)
    groups = [order[a:b] for a, b in zip(starts[wanted].tolist(), ends[wanted].tolist(), strict=True)]
    return sorted(groups, key=lambda group: int(group[0]))


def _form(text: str, rare: str | None) -> Iterator[str]:
    if rare is not None and form(text) == rare:
        other = "NFC" if rare == "NFD" else "NFD"
        yield f"in normal form {rare}, while most terms are in {other}"


def _as(before: Entry, entry: Entry) -> str:
    return "" if before.term.text == entry.term.text else f" as {before.term.text!r}"


def _types(entry: Entry) -> str:
    return ", ".join(entry.term.types) or "a phrase"
