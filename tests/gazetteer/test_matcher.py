import pickle
import sys
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from unicodedata import combining, decomposition, normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.errors import InputError
from gleanner.gazetteer.fold import APOSTROPHES, HYPHENS
from gleanner.gazetteer.forms import Form, forms
from gleanner.gazetteer.lexicon import Lexicon, Skipped
from gleanner.gazetteer.matcher import Matcher, longest
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term
from gleanner.types import Sentence


def rows(matches):
    return list(zip(*(column.tolist() for column in matches), strict=True))


def brute_matches(terms, rules, passages):
    """Rows of `Matches` as tuples, in its order, by trying every pair of word boundaries: slow, by strings."""
    found = set()
    for number, passage in enumerate(passages):
        text, words = passage.text, passage.cut()
        whole = [p for p in range(len(text) + 1) if p == len(text) or not joins(text, p, rules)]
        begins = sorted({a for a, _ in words} & set(whole))
        ends = sorted({b for _, b in words} & set(whole))
        for ignore in (False, True):
            spelled = spellings(terms, rules, ignore)
            for a in begins:
                for b in (b for b in ends if b > a):
                    stretch = fold(text[a:b], rules, ignore)
                    if any(not fold(text[a:p], rules, ignore) for p in begins if a < p < b):
                        continue  # words before that are nothing
                    if any(not fold(text[p:b], rules, ignore) for p in ends if a < p < b):
                        continue
                    for index, form in (*spelled.get(stretch, ()), *nearly(spelled, stretch, rules)):
                        if form.given and passage.words is None:
                            continue
                        ending = stretch[len(stretch) - form.ending :]
                        apart = any(fold(text[p:b], rules, ignore) == ending for p in begins if a < p < b)
                        if not (form.ending and apart):
                            found.add((number, a, b, index))
    return sorted(found, key=lambda row: (row[0], row[1], -row[2], row[3]))


def brute_longest(rows):
    """Of the rows of `brute_matches` those that count."""
    kept, passage, after = [], -1, 0
    for row in rows:
        if row[0] != passage:
            passage, after = row[0], 0
        if row[1] >= after or (kept and kept[-1][:3] == row[:3]):
            kept.append(row)
            after = row[2]
    return kept


def nearly(spelled, stretch, rules):
    """The forms of which few letters are wrong in a stretch."""
    for spelling, forms_of in spelled.items() if rules.distance else ():
        letters = [[c for c in text if not c.isalpha()] for text in (stretch, spelling)]
        if len(spelling) < rules.distance_from or letters[0] != letters[1] or stretch.strip(" ") != stretch:
            continue
        if levenshtein(stretch, spelling) <= rules.distance:
            yield from ((index, form) for index, form in forms_of if not form.ending)


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]


def spellings(terms, rules, ignore):
    """For each folded form of the terms of one case rule what it is a form of."""
    found = {}
    stopped = {fold(stop, rules, ignore).strip(" ") for stop in rules.stop}
    for index, term in enumerate(terms):
        case = term.case or rules.case
        ignored = case == "ignore" or (case == "acronym" and not term.text.isupper())
        if (ignored and len(term.text) > rules.ignore_above) != ignore or len(term.text) < rules.min_length:
            continue
        base = fold(term.text, rules, ignore).strip(" ")
        if base and base not in stopped:
            for form in (Form(term.text), *forms(term.text, rules)):
                if spelling := fold(form.text, rules, ignore).strip(" "):
                    found.setdefault(spelling, []).append((index, form))
    return found


def fold(text, rules, ignore):
    """By the definition in `gleanner.gazetteer.fold`, cluster by cluster."""
    places = [p for p in range(len(text)) if not joins(text, p, rules)]
    pieces = filter(None, (piece(text[a:b], rules, ignore) for a, b in pairwise([*places, len(text)])))
    return "".join(now for before, now in pairwise(["", *pieces]) if (before, now) != (" ", " "))


@cache
def piece(cluster, rules, ignore):
    text = normal(cluster, rules)
    if cluster.isspace() or text == " ":
        return " "
    if rules.accents:
        text = normalize("NFC", "".join(c for c in normalize("NFD", text) if combining(c) < 200))
    if ignore:
        text = "".join(
            c.casefold() if rules.form == "none" and not rules.accents else normalize("NFC", c.casefold()) for c in text
        )
    return same(text, rules).strip(" ")


def joins(text, place, rules):
    """Whether a character belongs to the one before."""
    if place == 0 or (rules.form == "none" and not rules.accents and not rules.width):
        return False
    before = text[place - 1]
    first = normal(text[place], rules)[:1]
    blank = before.isspace() or piece(before, rules, False) == " "
    return not blank and first != "" and (combining(first) != 0 or first in seconds())


@cache
def seconds():
    composed = (normalize("NFD", c) for c in map(chr, range(0x20000)) if normalize("NFC", c) == c)
    return {parts[-1] for parts in composed if len(parts) > 1}


def normal(text, rules):
    text = same(text, rules)
    if rules.width and rules.form != "nfkc":
        text = "".join(normalize("NFKC", c) if decomposition(c).startswith(("<wide>", "<narrow>")) else c for c in text)
    form = "nfc" if rules.accents and rules.form == "none" else rules.form
    return text if form == "none" else normalize(form.upper(), text)


def same(text, rules):
    for invisible in "\u200b\u2060\ufeff":
        text = text.replace(invisible, "")
    if rules.hyphens != "exact":
        text = text.replace("\u00ad", "")
        text = "".join(("-" if rules.hyphens == "fold" else " ") if c in HYPHENS else c for c in text)
    return "".join("'" if c in APOSTROPHES else c for c in text) if rules.apostrophes else text


def check(terms, rules, passages):
    found = Matcher(Lexicon.compile([("terms", terms)], rules)).find(passages)
    expected = brute_matches(terms, rules, passages)
    assert rows(found) == expected
    assert rows(longest(found)) == brute_longest(expected)


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
anything = st.text(max_size=10)
DISTANCES = [0, 0, 1, 2] if find_spec("rapidfuzz") else [0]


@st.composite
def passage(draw, source):
    content = draw(source)
    if draw(st.booleans()):
        return Passage(content)
    cuts = sorted(draw(st.sets(st.integers(0, len(content)), max_size=8)))
    words = [(a, b) for a, b in pairwise(cuts) if draw(st.integers(0, 4))]
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
            distance=st.sampled_from(DISTANCES),
            distance_from=st.sampled_from([3, 4, 6]),
        )
    )
    return draw(st.lists(term, max_size=8)), rules, passages


@settings(max_examples=600, deadline=None)
@given(case())
def test_brute_force_finds_the_same(case):
    check(*case)


def found(text, *terms, rules=None):
    """The stretches of a text, or of a passage, that are terms."""
    passage = text if isinstance(text, Passage) else Passage(text)
    lexicon = Lexicon.compile([("terms", [Term(term, (), 1) for term in terms])], rules)
    matches = Matcher(lexicon).find([passage])
    return [passage.text[a:b] for a, b in zip(matches.start.tolist(), matches.end.tolist(), strict=True)]


def test_overlapping_terms_are_all_found_and_the_leftmost_longest_count():
    terms = [Term(text, (), line) for line, text in enumerate(("York University", "New York", "York", "New"), 1)]
    lexicon = Lexicon.compile([("places", terms)])
    matches = Matcher(lexicon).find([Passage("York"), Passage("In New York University, New")])
    assert rows(matches) == [(0, 0, 4, 2), (1, 3, 11, 1), (1, 3, 6, 3), (1, 7, 22, 0), (1, 7, 11, 2), (1, 24, 27, 3)]
    assert rows(longest(matches)) == [(0, 0, 4, 2), (1, 3, 11, 1), (1, 24, 27, 3)]


def test_a_spelling_of_several_terms_keeps_them_in_the_order_of_the_dictionaries():
    dictionaries = [("a", [Term("May", ("PER",), 1)]), ("b", [Term("x", (), 1), Term("may", ("O",), 2, case="ignore")])]
    matches = longest(Matcher(Lexicon.compile(dictionaries)).find([Passage("May")]))
    assert rows(matches) == [(0, 0, 3, 0), (0, 0, 3, 2)]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("They didn't.", "did"),
        ("They didn't.", "n't"),
        ("In the U.S. now", "U.S."),
        ("With J. Smith", "J."),
        ("It cost $1,000.5.", "1,000.5"),
        ("Newton's prism", "Newton"),
        ("O'Brien, she said", "O'Brien"),
        ("我在東京大学", "東京"),
        ("❤\ufe0fAda", "Ada"),
    ],
)
def test_ends_of_words_that_depend_on_what_is_around(text, term):
    assert found(text, term) == [term]


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Newtonian", "Newton"),
        ("O'Brien", "Brien"),
        ("1,000.5", "000"),
        ("the U.S. army", "U.S"),
        ("e.g. this", "e"),
        ("cafe\u0301", "cafe"),
        ("👍\ufe0f", "👍"),
        ("ab", "b"),
    ],
)
def test_no_match_inside_a_word(text, term):
    assert found(text, term) == []


def test_no_match_over_the_end_of_a_passage():
    lexicon = Lexicon.compile([("names", [Term("Ada Lovelace", (), 1)])], Rules(hyphens="space"))
    assert rows(Matcher(lexicon).find([Passage("Ada"), Passage("Lovelace"), Passage(""), Passage("Ada-Lovelace")])) == [
        (3, 0, 12, 0)
    ]


@pytest.mark.parametrize(
    ("rules", "text", "term"),
    [
        (Rules(case="ignore"), "STRASSE", "Straße"),
        (Rules(case="ignore"), "ſpice", "Spice"),
        (Rules(case="ignore"), "İzmir", "i\u0307ZMIR"),
        (Rules(case="ignore"), "ΟΔΟΣ", "οδος"),
        (Rules(form="nfc"), "cafe\u0301", "café"),
        (Rules(form="nfkc"), "ﬁnd x²", "find x2"),
        (Rules(width=True), "ＡＢＣ ｶﾞ", "ABC ガ"),
        (Rules(accents=True), "Zoe\u0308 Bronte", "Zoë Brontë"),
        (Rules(), "Gay–Lussac’s", "Gay-Lussac's"),
        (Rules(), "co\u00adop", "coop"),
        (Rules(hyphens="space"), "Gay - Lussac", "Gay-Lussac"),
        (Rules(), "Ada \n Lovelace", "Ada\tLovelace"),
        (Rules(plural=True), "two batteries", "two battery"),
        (Rules(case="acronym"), "WHO", "WHO"),
        (Rules(case="acronym"), "Who", "who"),
        (Rules(case="ignore", ignore_above=2), "ASPIRIN", "aspirin"),
    ],
)
def test_rules(rules, text, term):
    assert found(text, term, rules=rules) == [text]
    bare = Rules(form="none", hyphens="exact", apostrophes=False)
    assert found(text, term, rules=bare) == ([text] if text.split() == term.split() else [])


@pytest.mark.parametrize(
    ("rules", "text", "term"),
    [
        (Rules(), "aspirin", "Aspirin"),
        (Rules(case="acronym"), "who", "WHO"),
        (Rules(case="ignore", ignore_above=3), "May", "may"),
        (Rules(form="none"), "cafe\u0301", "café"),
        (Rules(case="ignore"), "ısı", "ISI"),
    ],
)
def test_rules_that_keep_apart(rules, text, term):
    assert found(text, term, rules=rules) == []


def test_given_words_are_found_as_they_are_and_as_a_text_would_have_them():
    cut = Passage.of(Sentence(("King", "'s", "and", "King's", "Gay", "-", "Lussac")))
    assert found(cut, "King's", "Gay-Lussac") == ["King 's", "King's", "Gay - Lussac"]
    assert found("King 's", "King's") == []
    assert found(Passage("New York", ((0, 8),)), "York") == []
    assert found(Passage("NewYork", ((0, 3), (3, 7))), "York") == ["York"]


def test_a_possessive_is_part_of_a_word_or_no_part_of_the_term():
    rules = Rules(possessive=True)
    assert found(Passage.of(Sentence(("Newton's", "James'"))), "Newton", "James", rules=rules) == ["Newton's", "James'"]
    assert found("Newton's James' day", "Newton", "James", rules=rules) == ["Newton", "James"]


def test_terms_that_are_not_looked_for():
    terms = [Term(text, (), 1) for text in ("a", "May", "may", " - ", "x y", "")]
    lexicon = Lexicon.compile([("terms", terms)], Rules(min_length=2, stop=("May",), hyphens="space"))
    no, short, stopped, empty = Skipped
    assert lexicon.skipped.tolist() == [short, stopped, no, empty, no, short]
    assert found("a May may x y", *(t.text for t in terms), rules=lexicon.rules) == ["may", "x y"]


def test_clashing_hashes_make_no_match():
    """Any polynomial modulo 2^64 takes a Thue-Morse string and its mirror for the same."""
    first, second = "a", "b"
    for _ in range(11):
        first, second = first + second, second + first
    assert found(f"{first} {second}", first) == [first]
    assert found(f"{first} {second}", second, first) == [first, second]
    spaced = [" ".join(s) for s in (first, second)]
    assert found(" . ".join(spaced), spaced[1]) == [spaced[1]]


def test_long_texts_and_terms():
    term = "ab " * 4000 + "ab"
    assert found(term + " ab", term) == [term, term]
    many = [Passage("x" * 300 + " Ada, Ada")] * 3000
    lexicon = Lexicon.compile([("names", [Term("Ada", (), 1), Term("Ada Ada", (), 2)])])
    matches = Matcher(lexicon).find(many)
    assert matches.passage.tolist() == [k // 2 for k in range(6000)]
    assert matches.start.tolist() == [301, 306] * 3000


def test_nothing_to_find_or_nowhere():
    nothing = Lexicon.compile([])
    assert len(nothing) == 0
    assert rows(Matcher(nothing).find([Passage("Ada")])) == []
    assert rows(Matcher(Lexicon.compile([("a", [Term("Ada", (), 1)])])).find([])) == []
    with pytest.raises(IndexError, match="no term 0 among 0"):
        nothing.term(0)


def test_a_matcher_goes_to_other_processes():
    matcher = Matcher(Lexicon.compile([("a", [Term("Ada", ("PER",), 3, "Q7259", 0.1, "ignore")])]))
    again = pickle.loads(pickle.dumps(matcher))
    assert rows(again.find([Passage("ADA")])) == [(0, 0, 3, 0)]
    assert again.lexicon.term(0) == (Term("Ada", ("PER",), 3, "Q7259", 0.1, "ignore"), "a")


def test_near_matches_of_long_terms():
    pytest.importorskip("rapidfuzz")
    rules = Rules(case="ignore", distance=1, distance_from=10)
    text = "Acetominophen, acetaminophe or axetaminophene. Aspirine, interleukin 3, interleukim 2."
    expected = ["Acetominophen", "acetaminophe", "interleukim 2"]
    assert found(text, "acetaminophen", "aspirin", "interleukin 2", rules=rules) == expected
    assert found("acetaminophen", "acetaminophen", rules=rules) == ["acetaminophen"]


def test_near_matches_without_rapidfuzz_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz.distance", None)
    with pytest.raises(InputError, match=r"pip install 'gleanner\[near\]'"):
        found("a", "a", rules=Rules(distance=1))
