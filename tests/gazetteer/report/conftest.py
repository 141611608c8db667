"""Dictionaries and an annotation of a few lines, without a matcher."""

import pytest

from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.origin import Origin, source
from gleanner.gazetteer.passage import Label, Passage
from gleanner.gazetteer.report.block import count
from gleanner.gazetteer.report.tally import Tally
from gleanner.gazetteer.report.terms import Terms
from gleanner.gazetteer.term import Term

LEXICON = Lexicon.compile(
    [
        (
            "places.tsv",
            [Term(name, ("LOC",), line) for line, name in enumerate(("London", "Lincoln", "Bath"), start=1)],
        ),
        ("people.tsv", [Term(name, ("PER",), 1) for name in ("Lincoln", "Abe")]),  # aliases
        ("phrases.txt", [Term("difference engine", (), 1)]),
    ]
)
LONDON, LINCOLN = Origin("dictionary", "places.tsv", 1, "London"), Origin("dictionary", "places.tsv", 2, "Lincoln")
ABE, OTHER = Origin("dictionary", "people.tsv", 1, "Abe"), Origin("dictionary", "people.tsv", 1, "Lincoln")
ENGINE = Origin("dictionary", "phrases.txt", 1, "difference engine")


def label(text, phrase, type_, *origins, alternatives=()):
    start = text.index(phrase)
    return Label(start, start + len(phrase), type_, source(origins, alternatives))


def annotated(text, *labels):
    return Passage(text), [
        label(text, *one[:3], **one[3]) if isinstance(one[-1], dict) else label(text, *one) for one in labels
    ]


SENTENCES = (
    annotated("Abe saw London.", ("Abe", "PER", ABE), ("London", "LOC", LONDON)),
    annotated("Lincoln left London <b>.", ("Lincoln", "?", LINCOLN, OTHER), ("London", "LOC", LONDON)),
    annotated("He took 5 mg of it.", ("5 mg", "DOSE", Origin("rule", "dosage"))),
    annotated("Nothing here."),
    annotated("A difference engine.", ("difference engine", "?", ENGINE)),
    annotated("Lincoln the town.", ("Lincoln", "LOC", LINCOLN)),
)


def counted(chosen, gold=None):
    return count([passage for passage, _ in chosen], [labels for _, labels in chosen], gold)


@pytest.fixture
def terms():
    return Terms(LEXICON)


@pytest.fixture
def tallied(terms):
    """A tally of the sentences."""

    def tallied(gold=None):
        tally = Tally(terms, gold)
        tally.add(counted(SENTENCES, gold))
        return tally

    return tallied


@pytest.fixture
def sentences():
    """Passages and their labels."""
    return SENTENCES


@pytest.fixture
def parts():
    """The sentences as blocks of so many."""

    def parts(size):
        return [counted(SENTENCES[first : first + size]) for first in range(0, len(SENTENCES), size)]

    return parts
