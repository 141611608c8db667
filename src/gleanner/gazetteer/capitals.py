"""Candidates for names by their letters alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gleanner.gazetteer.candidates import Candidate, Place, characters
from gleanner.gazetteer.passage import Passage

JOINERS = frozenset(
    "& and at for in of on the 's ’s af al au aus av d' da das de dei del della den der des di die do dos du e el en et i "  # noqa: SIM905
    "l' la las le les lo los och og til u und van vom von y z zu zum zur".split()
)
"""Words that may stand inside a name, between words with capitals, in languages of Europe."""

OPENERS = JOINERS | frozenset(
    "a about after all also although an another as because before both but by despite during each few from he her here "  # noqa: SIM905
    "his how however i if it its later like many more most my no not now one only or other our she since so some such that "
    "their then there these they this those though through thus to under until we what when where whether which while who "
    "why with yet you your auch auf aux avec beim ce ces cette con dans dem ein eine einem einen einer elle er es este "
    "estos gli han hij hun ik il ils im j' je les mais met mit nach nel non o para pero por pour se sie sin su sur é un una "
    "une uno uns voor wir zij".split()
)
"""Words that begin sentences and no names."""

_COMPOUND = r"(?:[CNl]H)*C(?:H[CNl])*"
_PHRASE = rf"{_COMPOUND}(?:P?{_COMPOUND}|N(?:H[CN])*)*"
_PHRASES = re.compile(_PHRASE)
_CANDIDATE = re.compile(rf"{_PHRASE}(?:J{{1,3}}{_PHRASE})*")
"""Of a string that has the sort of each word, as `_sort` tells it."""

_SIGNS = {"-": "H", "‐": "H", "‑": "H", "–": "H", ".": "P"}

_LONGEST = 8
"""Phrases in a candidate of which every sequence is tried as a part; a longer one is a list."""


@dataclass(frozen=True)
class Capitals:
    """Candidates by their letters: sequences of words with a capital or with letters and digits, and the numbers after them.

    Words of a compound with hyphens belong together, and "St." is a word. "of", "and", "the", "von" and their like may
    stand between. The parts are what they join. The first word of a sentence counts where others follow it.

    >>> (found,) = Capitals()([Passage("In May the University of Oxford sold 3 Boeing 747 to Jean-Luc de Brun.")])
    >>> ["In May the University of Oxford sold 3 Boeing 747 to Jean-Luc de Brun."[c.start : c.end] for c in found]
    ['May the University of Oxford', 'Boeing 747', 'Jean-Luc de Brun']
    """

    @property
    def name(self) -> str:
        """What unknown labels give as their source."""
        return "capitals"

    def __call__(self, passages: Sequence[Passage]) -> list[list[Candidate] | None]:
        """The candidates of each passage; None for one without a word in small letters."""
        return [self._candidates(passage) for passage in passages]

    def _candidates(self, passage: Passage) -> list[Candidate] | None:
        words = passage.cut()
        sorts = "".join([_sort(passage.text[start:end]) for start, end in words])
        if "l" not in sorts and "J" not in sorts:
            return None
        if "H" in sorts or "P" in sorts:
            sorts = _joined(sorts, words)
        first = re.search("[^xHP]", sorts)
        opening = first.start() if first else 0
        if sorts[opening] == "C" and passage.text[slice(*words[opening])].lower() in OPENERS:
            sorts = f"{sorts[:opening]}x{sorts[opening + 1 :]}"
        return [_candidate(match, words, match.start() == opening) for match in _CANDIDATE.finditer(sorts)]


def _candidate(match: re.Match[str], words: Sequence[Place], opening: bool) -> Candidate:
    phrases = [found.span() for found in _PHRASES.finditer(match.string, *match.span())]
    parts: list[Place] = []
    if 1 < len(phrases) <= _LONGEST:
        edges = range(len(phrases))
        parts = [(phrases[a][0], phrases[b][1]) for a in edges for b in edges[a:] if b - a + 1 < len(phrases)]
    elif len(phrases) > 1:
        parts = phrases
    if opening and phrases[0][1] - phrases[0][0] > 1:
        parts += [(start + 1, end) for start, end in [match.span(), *parts] if start == match.start() < end - 1]
    parts.sort(key=lambda part: (part[0] - part[1], part))
    weak = opening and match.end() - match.start() == 1
    return Candidate(*characters(match.span(), words), tuple(characters(part, words) for part in parts), weak)


def _joined(sorts: str, words: Sequence[Place]) -> str:
    """The sorts, of which an H is one only directly between two words, and a P directly after one."""
    letters = list(sorts)
    for number, letter in enumerate(letters):
        if letter in "HP":
            before = number > 0 and words[number - 1][1] == words[number][0]
            after = number + 1 < len(words) and words[number][1] == words[number + 1][0]
            if not before or (letter == "H" and not after):
                letters[number] = "x"
    return "".join(letters)


@lru_cache(1 << 16)
def _sort(word: str) -> str:
    """C: a capital, or letters with digits; N: a number; J: a joiner; H: a hyphen; P: a point; l: small letters; x: else."""
    if word in JOINERS:
        return "J"
    small = word.lower()
    digits = any(map(str.isdigit, word))
    if small != word or (digits and small != word.upper()):
        return "C"
    if small != word.upper():
        return "l"
    return "N" if digits else _SIGNS.get(word, "x")
