"""Raw text -> words and sentences, and the format "text".

Words are found by one regular expression: Python's own is faster than a `tokenizers` pre-tokeniser,
which copies and normalises every piece. Nothing is changed: `text[start:end] == word`, and only white space is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from unicodedata import category

from gleanner.data.atomic import atomic
from gleanner.data.files import ReadOptions
from gleanner.data.windows import pieces
from gleanner.types import Sentence

ENDINGS: tuple[str, ...] = (".txt",)

CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
"""Han, Hiragana and Katakana, whose characters are words one by one."""

_BREAKS = "\n\r\v\f\x85\u2028\u2029"
_CLOSERS = "\"'”’»)\\]}」』）】》〉］"
_OPENERS = "\"'“‘«(\\[{「『（【《〈［¿¡"

_FIRST_WORDS = frozenset(
    "A After All Although An And As At Because Both But By During For From He Her His How However I If In It Its "  # noqa: SIM905
    "Later Many Most Nevertheless No Not On One Only Our She Since So Some Soon Such That The Their Then There These "
    "They This Those Though Thus To Today Under Until We Were What When Where Whether Which While Who Why With Yet "
    "You".split()
)
"""Words that begin sentences and hardly ever names: after an abbreviation they show that a sentence ended."""

_ABBREVIATIONS = frozenset(
    "Adm Bros Capt Co Col Corp Cpl Dept Dr Drs Ed Eds Esq Gen Gov Hon Inc Jr Lt Ltd Maj Messrs Mlle Mme Mr Mrs Ms Msgr "  # noqa: SIM905
    "Mt Pres Prof Rep Rev Sen Sgt Sr St Ste Univ al approx ca cf dr ed eds eg est etc ie prof resp viz vs "
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec".split()
)
_BEFORE_NUMBERS = frozenset("no nos nr fig figs vol vols p pp eq ch sec art par".split())  # noqa: SIM905

_WRAPPED = range(40, 161)
"""Lengths that a line broken by a text editor may have. Shorter ones are titles and lists, longer ones paragraphs."""

_LINE = re.compile(rf"(\S+)[^{_BREAKS}]*")
_FOLLOWING = re.compile(rf"\s*[{_OPENERS}]*(\w+)")
_PRECEDING = re.compile(r"[\w.]*\Z")
_POINTED = re.compile(r"[^\W\d]{1,2}(?:\.[^\W\d]{1,2})+")
_BROKEN = re.compile(f"[{_BREAKS}]+")


def words(text: str) -> list[tuple[str, int, int]]:
    """The words of a text with their first character and the one after their last.

    Letters, digits and marks run together; Han and kana stand alone, as does every other visible character. Numbers keep
    inner points and commas, abbreviations their points. The endings 's, 're, n't ... are words of their own.

    >>> [word for word, _, _ in words("J. O'Brien didn't pay $1,000.5 for Newton's prism.")]
    ['J.', "O'Brien", 'did', "n't", 'pay', '$', '1,000.5', 'for', 'Newton', "'s", 'prism', '.']
    """
    return [(match[0], *match.span()) for match in _word().finditer(text)]


def sentences(text: str) -> list[tuple[int, Sentence]]:
    """The sentences of a text, each with the place where it starts in the text, its own text and offsets.

    >>> [(start, s.text) for start, s in sentences("Dr. Hooke saw cells. He drew them.")]
    [(0, 'Dr. Hooke saw cells.'), (21, 'He drew them.')]
    """
    return list(_sentences(text))


def texts(text: str) -> list[str]:
    """The sentences of a text without their places and words, which takes far less time than `sentences`.

    >>> texts("Dr. Hooke saw cells. He drew them.")
    ['Dr. Hooke saw cells.', 'He drew them.']
    """
    ends = [0, *_ends(text), len(text)]
    return [bare for start, end in pairwise(ends) if (bare := text[start:end].strip())]


def read(path: Path, options: ReadOptions) -> Iterator[Sentence]:
    """The sentences of a text file. It says nothing about entities, so silence means "unknown" unless told otherwise."""
    for piece in pieces(path):
        for _, sentence in _sentences(piece.text):
            yield replace(sentence, complete=True) if options.complete else sentence


def write(sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None:
    """Writes one sentence a line. Labels and metadata do not fit in and are counted in `dropped`."""
    with atomic(path) as handle:
        for sentence in sentences:
            text = " ".join(sentence.words) if sentence.text is None else sentence.text
            handle.write(_BROKEN.sub(" ", text) + "\n")
            if sentence.spans:
                dropped["labels"] += len(sentence.spans)
            if sentence.meta:
                dropped["metadata of sentences"] += 1


def _sentences(text: str) -> Iterator[tuple[int, Sentence]]:
    finditer = _word().finditer
    start = 0
    for end in chain(_ends(text), (len(text),)):
        piece = text[start:end]
        bare = piece.strip()
        if bare:
            offsets = tuple([match.span() for match in finditer(bare)])
            tokens = tuple([bare[a:b] for a, b in offsets])
            indent = len(piece) - len(piece.lstrip())
            yield start + indent, Sentence(tokens, text=bare, offsets=offsets)
        start = end


def _ends(text: str) -> Iterator[int]:
    """Where sentences end."""
    start = line = previous = 0  # starts of the sentence and of the line, length of the line before
    for match in _stop().finditer(text):
        at, end = match.span()
        first = text[at]
        # This only saves time: most sentences end so, and what is below would say the same.
        if first == "." and at > 15 and text[end + 1 : end + 2].isupper():
            word = text[at - 16 : at].rpartition(" ")[2]
            certain = word.isalpha() and word.isascii() and len(word) > 1 and word not in _ABBREVIATIONS
        else:
            certain = False
        if certain:
            yield end
            start = end
        elif first in _BREAKS:
            length = at - line
            blank = sum(map(match[0].count, _BREAKS)) - match[0].count("\r\n") > 1
            if blank or _is_last_line(text, end, length, previous):
                yield end
                start = end
            line, previous = end, 0 if blank else length
        elif first in "。！？｡" or _is_end(text, start, match):
            yield end
            start = end


def _is_last_line(text: str, after: int, length: int, previous: int) -> bool:
    """Whether a line ended because its author wanted so: the next line's first word would have fitted in it."""
    following = _LINE.match(text, after)
    if following is None or length not in _WRAPPED:
        return True
    return length + 1 + len(following[1]) <= max(previous, len(following[0]))


def _is_end(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether a point or mark before white space ends the sentence that began at `start`."""
    following = _FOLLOWING.match(text, match.end())
    upcoming = following[1] if following else ""
    if upcoming[:1].islower():
        return False
    if not match[0].startswith(".") or match[0].startswith(".."):
        return True
    tail = text[max(start, match.start() - 16) : match.start()]
    before = _PRECEDING.findall(tail)[0]
    if before.isdigit() and text[start : match.start()].strip() == before:
        return False  # the number of a heading or of an item
    if before.lower() in _BEFORE_NUMBERS and upcoming[:1].isdigit():
        return False
    if before in _ABBREVIATIONS or _POINTED.fullmatch(before) or _initial().search(tail):
        return upcoming in _FIRST_WORDS
    return True


@cache
def _classes() -> tuple[str, str, str, str]:
    """The insides of character classes: marks; capitals; small letters; letters, digits and marks that run together."""
    planes = "".join(map(chr, [*range(0x20000), *range(0xE0100, 0xE01F0)]))  # the others have no letters, or only Han
    kinds = [category(character) for character in planes]
    cjk = set("".join(re.findall(f"[{CJK}]+", planes)))
    return (
        _ranges(char for char, kind in zip(planes, kinds, strict=True) if kind[0] == "M" and char not in cjk),
        _ranges(char for char, kind in zip(planes, kinds, strict=True) if kind in ("Lu", "Lt")),
        _ranges(char for char, kind in zip(planes, kinds, strict=True) if kind == "Ll"),
        _ranges(char for char, kind in zip(planes, kinds, strict=True) if kind[0] in "LNM" and char not in cjk),
    )


@cache
def _word() -> re.Pattern[str]:
    """The pattern of a word."""
    mark, upper, lower, run = _classes()
    part = f"(?: [{upper}][{lower}]? | [{lower}] )"
    ending = f"(?i:s|re|ve|ll|d|m) (?![{run}])"
    plain = rf"[^\W_{CJK}]"
    return re.compile(
        rf"""
        (?= \S ) (?:
          {plain}++ (?= [\s()\-:;!?/"] )                          # the first three only save time: they are found below
        | {plain}{{2,}}+ (?= [.,] \s )
        | [!-&(-/:-@] (?= [\x00-\x7f] )
        | {part} (?: \. {part} )+ (?![{run}]) \.?                  # U.S., Ph.D.
        | [{upper}] [{mark}]* \.                                   # J., but not where a sentence ends
          (?= [,;:)\]-] | [^\S{_BREAKS}]* [{upper}{lower}] )
          (?! [^\S{_BREAKS}]+ (?: {"|".join(sorted(_FIRST_WORDS))} ) (?!\w) )
        | \d++ (?: [.,] \d++ )+ [{run}]*+                         # 1,000.5
        | [nN] ['’] [tT] (?![{run}])                              # n't
        | [{run}]++ (?! ['’] [{run}] )                            # most words
        | [{run}]+ (?= [nN] ['’] [tT] (?![{run}]) )               # the did of didn't
        | [{run}]++ (?: ['’] (?! {ending} ) [{run}]++ )*+         # O'Brien, and the Newton of Newton's
        | (?<! [^\s{run}] ) ['’] {ending} (?! ['’] (?![{run}]) )  # 's
        | \S [{mark}]* )
        """,
        re.VERBOSE,
    )


@cache
def _stop() -> re.Pattern[str]:
    """The pattern of what may end a sentence: points and marks, with what they close, and line breaks."""
    mark = _classes()[0]
    full, plain = "。！？｡", ".!?…؟۔।॥"
    # All begin with one class, so that the search passes quickly over what is not in it.
    return re.compile(
        rf"""
        [{full}{plain}{_BREAKS}] (?:
          (?<= [{full}] ) [{full}]* [{_CLOSERS}{mark}]*
        | (?<= [{plain}] ) (?<! [{plain}]{{2}} ) [{plain}]*+ [{_CLOSERS}]*+ (?= \s )
        | (?<= [{_BREAKS}] ) \s* )
        """,
        re.VERBOSE,
    )


@cache
def _initial() -> re.Pattern[str]:
    """The pattern of a single capital before a point."""
    mark, upper, _, run = _classes()
    return re.compile(rf"(?<![{run}])[{upper}][{mark}]*\Z")


def _ranges(characters: Iterable[str]) -> str:
    """The inside of a character class for characters in order."""
    codes = [ord(character) for character in characters]
    starts = [code for before, code in zip([-1, *codes], codes, strict=False) if code != before + 1]
    ends = [code for code, after in zip(codes, [*codes[1:], -1], strict=True) if code + 1 != after]
    return "".join(f"{chr(a)}-{chr(b)}" for a, b in zip(starts, ends, strict=True))
