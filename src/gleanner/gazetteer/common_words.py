"""Terms that are common words too, such as "May" and "Nature": a corpus shows them, because it has them in lower case."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.matcher import Matcher, longest
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term

SHARE = 0.5
"""From which share of lower case on a term is taken for a common word, unless the user says otherwise."""

_BLOCK = 5000
"""Passages that are searched at once. Counts of all terms are added as often as there are blocks."""

_LETTER_OR_DIGIT = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class CommonWord:
    """A term that stands in the corpus in lower case, too."""

    term: str
    dictionary: str
    line: int
    lower: int
    """How often it stands there in lower case."""
    capital: int
    """How often with a capital, the beginnings of sentences aside."""

    @property
    def share(self) -> float:
        """Of lower case among all."""
        return self.lower / (self.lower + self.capital)


@dataclass(frozen=True)
class LetterCases:
    """How often each term of a lexicon stands in lower case and with capitals. Counts of parts of a corpus can be added."""

    lower: NDArray[np.int64]  # terms
    capital: NDArray[np.int64]  # terms

    def __add__(self, other: LetterCases) -> LetterCases:
        return LetterCases(self.lower + other.lower, self.capital + other.capital)


def capitalised(terms: Iterable[Term], rules: Rules) -> Iterator[Term]:
    """The terms that a dictionary writes with a capital, to be found whatever their case.

    Terms in lower case are left out: that they stand so in a corpus says nothing. So are acronyms that the rules find as they
    are alone: "who" says nothing of "WHO".

    >>> terms = [Term("May", ("MONTH",), 1), Term("aspirin", ("DRUG",), 2), Term("WHO", ("ORG",), 3)]
    >>> [term.text for term in capitalised(terms, Rules())]
    ['May']
    >>> [term.text for term in capitalised(terms, Rules(case="ignore"))]
    ['May', 'WHO']
    """
    for term in terms:
        told_apart = term.text.isupper() and len(term.text) > 1 and rules.case_of(term.text, term.case) == "exact"
        if term.text != term.text.lower() and not told_apart:
            yield replace(term, case="ignore")


def lexicon(dictionaries: Iterable[tuple[str, Iterable[Term]]], rules: Rules) -> Lexicon:
    """What `count` looks for: the capitalised terms of the dictionaries, whatever their case."""
    return Lexicon.compile(
        ((name, capitalised(terms, rules)) for name, terms in dictionaries),
        replace(rules, case="ignore", ignore_above=0),
    )


def count(passages: Sequence[Passage], matcher: Matcher) -> LetterCases:
    """How the terms of a `lexicon` are written in some passages.

    A capital at the beginning of a sentence says nothing and is not counted, nor is what stands inside a longer term.
    """
    matches = longest(matcher.find(passages))
    seen: Counter[tuple[int, bool]] = Counter()
    for number, start, end, term in zip(*(column.tolist() for column in matches), strict=True):
        text = passages[number].text
        mention = text[start:end]
        if mention == mention.lower():
            seen[term, True] += 1
        elif _LETTER_OR_DIGIT.search(text, 0, start):
            seen[term, False] += 1
    cases = LetterCases(*(np.zeros(len(matcher.lexicon), np.int64) for _ in range(2)))
    for (term, is_lower), times in seen.items():
        (cases.lower if is_lower else cases.capital)[term] = times
    return cases


def common_words(cases: LetterCases, lexicon: Lexicon, share: float = SHARE) -> list[CommonWord]:
    """The terms that stand in lower case at least that share of the time, the commonest first.

    >>> words = lexicon([("months.tsv", [Term("May", ("MONTH",), 1), Term("June", ("MONTH",), 2)])], Rules())
    >>> found = common_words(count([Passage("It may rain in May or June, and may not.")], Matcher(words)), words)
    >>> [(word.term, word.lower, word.capital) for word in found]
    [('May', 2, 1)]
    """
    candidates = np.flatnonzero((cases.lower > 0) & (cases.lower >= share * (cases.lower + cases.capital)))
    found = []
    for number in candidates[np.argsort(-cases.lower[candidates], kind="stable")].tolist():
        term, name = lexicon.term(number)
        found.append(CommonWord(term.text, name, term.line, int(cases.lower[number]), int(cases.capital[number])))
    return found


def counted(passages: Iterable[Passage], lexicon: Lexicon) -> LetterCases:
    """How the terms of a `lexicon` are written in a whole corpus, which is read once, as a stream."""
    matcher = Matcher(lexicon)
    iterator = iter(passages)
    cases = count([], matcher)
    while block := list(islice(iterator, _BLOCK)):
        cases += count(block, matcher)
    return cases
