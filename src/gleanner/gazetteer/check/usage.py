"""What becomes of terms in a text: those that never match, those that match too often, and those inside others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise

import numpy as np

from gleanner.evaluation.scores import Floats
from gleanner.evaluation.spans import Bools, Ints
from gleanner.gazetteer import bulk, common_words
from gleanner.gazetteer.check.findings import Entry, Findings, Kind
from gleanner.gazetteer.lexicon import Lexicon, Skipped
from gleanner.gazetteer.matcher import Matcher, longest
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.term import Term

OFTEN = Kind("suspiciously frequent", "Terms far more frequent than others of their type: look at them in the text.")
COMMON = Kind("common words", "Terms with a capital that stand in the text in lower case, as common words do.")
NEVER = Kind("never found", "Terms that the text does not have.", problem=False)
HIDDEN = Kind("found only inside others", "Terms that never count, because a longer one always does.", problem=False)
INSIDE = Kind(
    "part of others", "Terms inside longer ones: what is labelled depends on the longer ones being there.", False
)

OUTLIER = 3.5
"""Iglewicz and Hoaglin's bound (1993) for the modified z-score, by medians: here of the logarithm of counts."""

_LEAST = 20
"""Matches that are never too many."""

_SPREAD = 0.7
"""The least spread: where most terms match once, the median of all distances is 0, and twice would be too often."""

_NONE = -1


class Usage:
    """Counts what terms match in a text, in one pass."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._matcher = Matcher(lexicon)
        capitals = common_words.lexicon(_dictionaries(lexicon), lexicon.rules)
        self._capitals = Matcher(capitals) if len(capitals) else None
        self._cases = common_words.count([], self._capitals) if self._capitals else None
        self._matches = np.zeros(len(lexicon), np.int64)
        self._counting = np.zeros(len(lexicon), np.int64)
        self.sentences = 0

    def add(self, passages: Sequence[Passage]) -> None:
        """Looks for the terms in some sentences."""
        found = self._matcher.find(passages)
        np.add.at(self._matches, found.term, 1)
        np.add.at(self._counting, longest(found).term, 1)
        if self._capitals is not None and self._cases is not None:
            self._cases += common_words.count(passages, self._capitals)
        self.sentences += len(passages)

    def findings(self, limit: int) -> list[Findings]:
        """Too frequent ones, common words, terms that were never found, and terms inside others."""
        often, common, never, hidden = (Findings(kind, limit) for kind in (OFTEN, COMMON, NEVER, HIDDEN))
        for number, note in self._too_often():
            often.add(Entry(*self._lexicon.term(number)), note)
        for word in self._common_words():
            entry = Entry(Term(word.term, (), word.line), word.dictionary)
            common.add(entry, f"{_times(word.lower)} in lower case, {_times(word.capital)} not")
        # That terms are not found which the user leaves out is no news.
        left_out = np.isin(self._lexicon.skipped, (Skipped.SHORT, Skipped.STOPPED))
        for findings, numbers in (
            (never, np.flatnonzero((self._matches == 0) & ~left_out)),
            (hidden, np.flatnonzero((self._matches > 0) & (self._counting == 0))),
        ):
            for number in numbers[:limit].tolist():
                times = int(self._matches[number])
                findings.add(Entry(*self._lexicon.term(number)), _times(times) if times else "")
            findings.total = len(numbers)
        return [often, common, never, hidden]

    def _common_words(self) -> Iterator[common_words.CommonWord]:
        """Those that are not meant: "cocaine" may be a term, too."""
        if self._capitals is None or self._cases is None:
            return
        words = common_words.common_words(self._cases, self._capitals.lexicon)
        small = {word.term.lower() for word in words}
        meant = {text for _, texts in bulk.texts(self._lexicon) for text in texts if text in small}
        for word in words:
            if word.term.lower() not in meant:
                yield word

    def _too_often(self) -> Iterator[tuple[int, str]]:
        found = np.flatnonzero(self._counting)
        kinds, types = bulk.types(self._lexicon)
        of_kind = kinds[found]
        suspects = []
        for kind in np.unique(of_kind).tolist():
            numbers = found[of_kind == kind]
            counts = self._counting[numbers]
            typical = float(np.median(counts))
            name = ", ".join(types[kind]) or "phrases"
            for number in numbers[outliers(counts)].tolist():
                note = f"{self._counting[number]:,} matches; half of {name} have {typical:g} or fewer"
                suspects.append((-int(self._counting[number]), number, note))
        for _, number, note in sorted(suspects):
            yield number, note


def outliers(counts: Ints) -> Bools:
    """Which counts are far above the others.

    >>> outliers(np.array([1, 1, 2, 1, 3, 900, 2])).tolist()
    [False, False, False, False, False, True, False]
    """
    logs: Floats = np.log(counts)
    middle = np.median(logs)
    spread = max(_SPREAD, 1.4826 * float(np.median(np.abs(logs - middle))))
    return np.asarray((counts >= _LEAST) & (logs - middle > OUTLIER * spread))


def inside(lexicon: Lexicon, limit: int) -> Findings:
    """The terms that are part of longer ones, found as they would be in a text."""
    matcher = Matcher(lexicon)
    times = np.zeros(len(lexicon), np.int64)
    outer = np.full(len(lexicon), _NONE, np.int64)
    for first, texts in bulk.texts(lexicon):
        found = matcher.find([Passage(text) for text in texts])
        lengths = np.array([len(text) for text in texts], np.int64)
        part = found.end - found.start < lengths[found.passage]
        inner, longer = found.term[part], found.passage[part] + first
        np.add.at(times, inner, 1)
        known, places = np.unique(inner, return_index=True)
        new = outer[known] == _NONE
        outer[known[new]] = longer[places[new]]
    findings = Findings(INSIDE, limit)
    for number in np.flatnonzero(times)[:limit].tolist():
        entry, other = Entry(*lexicon.term(number)), Entry(*lexicon.term(int(outer[number])))
        more = f" and {times[number] - 1:,} more" if times[number] > 1 else ""
        findings.add(entry, f"{_types(entry)}, in {other.term.text!r}, {_types(other)} ({other.place}){more}")
    findings.total = int(np.count_nonzero(times))
    return findings


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _types(entry: Entry) -> str:
    return ", ".join(entry.term.types) or "a phrase"


def _dictionaries(lexicon: Lexicon) -> Iterator[tuple[str, Iterable[Term]]]:
    """Texts and lines of a lexicon's terms, by the dictionaries that they came from."""
    lines = bulk.lines(lexicon)
    terms = (
        Term(text, (), line)
        for first, texts in bulk.texts(lexicon)
        for text, line in zip(texts, lines[first : first + len(texts)].tolist(), strict=True)
    )
    for (name, first), (_, end) in pairwise([*lexicon.dictionaries, ("", len(lexicon))]):
        yield name, islice(terms, end - first)
