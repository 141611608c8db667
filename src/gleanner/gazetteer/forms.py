"""The forms of a term that are looked for beside the one in the dictionary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gleanner.data.text import words
from gleanner.gazetteer.rules import Rules

_SHORTEST_PLURAL = 3


class Form(NamedTuple):
    """What a term may look like."""

    text: str
    given: bool = False
    """Whether it is looked for only in texts whose words are given."""
    ending: int = 0
    """How many characters at its end must not begin a word: 's where it is a word does not belong to the term."""


def forms(term: str, rules: Rules) -> Iterator[Form]:
    """The other forms of a term. Given words may be apart as the text never was: "King 's" for "King's".

    >>> [form.text for form in forms("King's man", Rules(plural=True))]
    ["King's mans", "King 's man", "King 's mans"]
    >>> [form.text for form in forms("Bess", Rules(possessive=True))]
    ["Bess's", "Bess'", 'Bess', "Bess's", "Bess'"]
    """
    spellings = [term]
    if rules.plural and (plural := _plural(term)):
        spellings.append(plural)
    marks = "'" if rules.apostrophes else "'’"
    endings = [mark + s for mark in marks for s in ("s", "")] if rules.possessive else []
    for given in (False, True):
        bases = [" ".join(word for word, _, _ in words(s)) for s in spellings] if given else spellings
        for base in bases if given else bases[1:]:
            yield Form(base, given)
        for base in bases:
            plain = base[-1:] not in ("s", "S")
            for ending in endings:
                if len(ending) > 1 or not plain:
                    yield Form(base + ending, given, len(ending))


def _plural(term: str) -> str | None:
    """A term's plural by the rules of English, where it ends with a letter of English."""
    if len(term) < _SHORTEST_PLURAL or not (term[-1].isascii() and term[-1].isalpha()):
        return None
    last = term[-2:].lower()
    if last[1] in "sxz" or last in ("ch", "sh"):
        return term + "es"
    if last[1] == "y" and last[0] not in "aeiou":
        return term[:-1] + "ies"
    return term + "s"
