"""The same matches by trying every pair of word boundaries: slow, by strings, without the matcher's means."""

from functools import cache
from itertools import pairwise
from unicodedata import combining, decomposition, normalize

from gleanner.gazetteer.fold import APOSTROPHES, HYPHENS
from gleanner.gazetteer.forms import Form, forms


def matches(terms, rules, passages):
    """Rows of `Matches` as tuples, in its order."""
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
                    for index, form in spelled.get(stretch, ()):
                        if form.given and passage.words is None:
                            continue
                        ending = stretch[len(stretch) - form.ending :]
                        apart = any(fold(text[p:b], rules, ignore) == ending for p in begins if a < p < b)
                        if not (form.ending and apart):
                            found.add((number, a, b, index))
    return sorted(found, key=lambda row: (row[0], row[1], -row[2], row[3]))


def longest(rows):
    """Of the rows of `matches` those that count."""
    kept, passage, after = [], -1, 0
    for row in rows:
        if row[0] != passage:
            passage, after = row[0], 0
        if row[1] >= after or (kept and kept[-1][:3] == row[:3]):
            kept.append(row)
            after = row[2]
    return kept


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
