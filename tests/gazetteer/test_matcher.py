import pickle

import brute
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.matcher import Matcher, longest
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term


def rows(matches):
    return list(zip(*(column.tolist() for column in matches), strict=True))


def check(terms, rules, passages):
    found = Matcher(Lexicon.compile([("terms", terms)], rules)).find(passages)
    expected = brute.matches(terms, rules, passages)
    assert rows(found) == expected
    assert rows(longest(found)) == brute.longest(expected)


ALPHABETS = [
    "ab ",
    "abA -",
    "aB '.",
    "nt'’ dD",
    "a1.,5 ",
    "JS. ,Th",
    "U.S D",
    "ae\u0301\u0323é ",
    "a東京ア ",
    "ｶﾞカガ\u3099ﾟ ",
    "iIİı\u0307 ",
    "sSßſẞ ",
    "ﬁfiFI ",
    "σςΣ\u0345ᾳΑ ",
    "a\u200b\u00ad\ufeff b",
    "👍🏽\u200d❤\ufe0fa ",
    "𝒜A𐐀𐐨 ",
    "ŉʼn'n ",
    "¨´\u0308 aä",
    "한하\u1112\u1161\u11ab ",
    "क\u094dष\u093c\u0941 ",
    "a-–‑\u2212⁻ ",
    "a\t\n\u00a0\u3000\u2028 b",
    "a_#\x00\x1f ",
    "ﷺ م",
    "'s's a",
    "y iesS'",
]
text = st.sampled_from(ALPHABETS).flatmap(lambda letters: st.text(st.sampled_from(letters), max_size=12))
mixed = st.text(st.sampled_from("".join(ALPHABETS)), max_size=10)
anything = st.text(max_size=10)


@st.composite
def passage(draw, source):
    content = draw(source)
    if draw(st.booleans()):
        return Passage(content)
    cuts = sorted(draw(st.sets(st.integers(0, len(content)), max_size=8)))
    words = [(a, b) for a, b in zip(cuts, cuts[1:], strict=False) if draw(st.integers(0, 4))]
    return Passage(content, tuple(words))


@st.composite
def case(draw):
    """Terms that are often in the texts, rules, passages."""
    letters = draw(st.sampled_from([*ALPHABETS, "".join(ALPHABETS)]))
    source = st.text(st.sampled_from(letters), max_size=12) | anything
    passages = draw(st.lists(passage(source), min_size=1, max_size=4))
    joined = " ".join(p.text for p in passages)
    part = st.tuples(st.integers(0, len(joined)), st.integers(1, 8)).map(lambda p: joined[p[0] : p[0] + p[1]])
    flip = part.map(str.swapcase)
    term = st.builds(
        lambda text, case: Term(text, ("X",), 1, case=case),
        source | part | flip,
        st.sampled_from([None, None, "exact", "ignore", "acronym"]),
    )
    rules = draw(
        st.builds(
            Rules,
            case=st.sampled_from(["exact", "ignore", "acronym"]),
            ignore_above=st.sampled_from([0, 0, 2]),
            form=st.sampled_from(["none", "nfc", "nfkc"]),
            width=st.booleans(),
            accents=st.booleans(),
            hyphens=st.sampled_from(["exact", "fold", "space"]),
            apostrophes=st.booleans(),
            plural=st.booleans(),
            possessive=st.booleans(),
            min_length=st.sampled_from([0, 1, 2]),
            stop=st.lists(part, max_size=1).map(tuple),
        )
    )
    return draw(st.lists(term, max_size=8)), rules, passages


@settings(max_examples=600, deadline=None)
@given(case())
def test_brute_force_finds_the_same(case):
    check(*case)
