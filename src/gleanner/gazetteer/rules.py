"""What counts as the same: the rules by which a dictionary's terms are compared with text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gleanner.gazetteer.term import Case

Form = Literal["none", "nfc", "nfkc"]
Hyphens = Literal["exact", "fold", "space"]


@dataclass(frozen=True)
class Rules:
    """How terms are looked for. White space is always folded: any run of it is one space.

    >>> Rules(case="ignore", ignore_above=3).case_of("WHO", None), Rules(case="acronym").case_of("Who", None)
    ('exact', 'ignore')
    """

    case: Case = "exact"
    """Whether capitals matter, for terms that do not say so themselves."""
    ignore_above: int = 0
    """Terms of at most this many characters keep their case, whatever `case` and they themselves say."""
    form: Form = "nfc"
    """Unicode normalisation: nfc takes é for e and an accent, nfkc also ﬁ for fi and ² for 2."""
    width: bool = False
    """Whether ＡＢＣ is ABC, and ｶ is カ."""
    accents: bool = False
    """Whether accents are ignored: é is e."""
    hyphens: Hyphens = "fold"
    """fold: all hyphens and dashes are one, and soft hyphens nothing; space: they are white space."""
    apostrophes: bool = True
    """Whether all apostrophes are one."""
    plural: bool = False
    """Whether a term is found in its English plural too."""
    possessive: bool = False
    """Whether a term is found with 's where that is no word of its own."""
    min_length: int = 1
    """Shorter terms are not looked for."""
    stop: tuple[str, ...] = ()
    """Terms that are not looked for."""
    distance: int = 0
    """How many letters may be wrong in a long term (needs rapidfuzz)."""
    distance_from: int = 8
    """From how many characters on a term is long."""

    def case_of(self, text: str, stated: Case | None) -> Literal["exact", "ignore"]:
        """Whether capitals matter in a term that states, or does not state, a rule of its own."""
        case = stated or self.case
        if case == "exact" or len(text) <= self.ignore_above or (case == "acronym" and text.isupper()):
            return "exact"
        return "ignore"
