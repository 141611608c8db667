"""Tag schemes <-> spans. One tag a word, such as "B-PER": a letter for the word's place in its entity, and the type.

    IO       I           the border between neighbours of one type is lost
    BIO      B I         every entity begins with B (IOB2)
    IOB1     I B         B only where an entity follows one of its own type
    BIOES    B I E S     also the end, and entities of one word (IOBES; BILOU with L and U for E and S)
    BMES     B M E S     the same with M for I

Words outside of entities have "O".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from gleanner.types import Span

Scheme = Literal["IO", "BIO", "IOB1", "BIOES", "BMES"]

_READ: dict[Scheme, str] = {"IO": "I", "BIO": "BI", "IOB1": "BI", "BIOES": "BIESLU", "BMES": "BMES"}
"""The letters that a scheme may have."""

_WRITE: dict[Scheme, str] = {"IO": "IIII", "BIO": "BIIB", "IOB1": "IIII", "BIOES": "BIES", "BMES": "BMES"}
"""The letters of an entity's first, inner, last and only word."""

_PLACES = {"B": "B", "I": "I", "M": "I", "E": "E", "L": "E", "S": "S", "U": "S"}


class TagError(ValueError):
    """A tag that its scheme does not have, or not there."""

    def __init__(self, what: str, index: int) -> None:
        super().__init__(what)
        self.index = index
        """Which word has the tag."""


def is_tag(tag: str) -> bool:
    """Whether some scheme has this tag.

    >>> is_tag("O"), is_tag("B-PER"), is_tag("X-PER"), is_tag("B")
    (True, True, False, False)
    """
    return tag == "O" or _split(tag) is not None


def detect(sentences: Iterable[Iterable[str]]) -> Scheme:
    """The scheme that speaks from the tags of many sentences. Tags that no scheme has do not count.

    >>> detect([["I-PER", "O"], ["I-PER", "B-PER"]]), detect([["B-PER", "O"], ["B-PER", "I-PER"]])
    ('IOB1', 'BIO')
    """
    letters: Counter[str] = Counter()
    fresh: Counter[str] = Counter()  # of letters that do not follow a word of the same type
    for tags in sentences:
        before = ""
        for tag in tags:
            letter, label = _split(tag) or ("O", "")
            letters[letter] += 1
            fresh[letter] += label != before
            before = label
    single = letters["S"] + letters["U"]
    ends = letters["E"] + letters["L"] + single
    # Where ends are marked, there is one for each beginning; fewer than half as many are mistakes.
    if ends and 2 * ends >= letters["B"] + single:
        return "BMES" if letters["M"] > letters["I"] else "BIOES"
    if letters["I"] and not letters["B"]:
        return "IO"
    return "IOB1" if fresh["I"] > fresh["B"] else "BIO"


def spans(tags: Sequence[str], scheme: Scheme, *, strict: bool = True) -> list[Span]:
    """The entities that the tags of one sentence mark.

    A tag that no scheme has is a `TagError`. One that cannot stand where it is (the inside of an entity that did not
    begin) is a `TagError` too when `strict`; otherwise an entity begins and ends there, as CoNLL's scorer reads it.

    >>> spans(["B-PER", "I-PER", "O"], "BIO")
    [Span(start=0, end=2, label='PER', source='', score=None)]
    >>> spans(["O", "I-PER"], "BIO")
    Traceback (most recent call last):
    ...
    gleanner.data.tags.TagError: tag 'I-PER' after 'O': in BIO an entity begins with 'B-PER'
    >>> spans(["O", "I-PER"], "BIO", strict=False)
    [Span(start=1, end=2, label='PER', source='', score=None)]
    """
    found: list[Span] = []
    start, label = 0, ""  # of the open entity; there is none where the label is empty
    for index, tag in enumerate(tags):
        if tag == "O":
            letter, kind = "", ""
        else:
            parts = _split(tag)
            if parts is None or (strict and parts[0] not in _READ[scheme]):
                raise TagError(f"tag {tag!r} is unknown in {scheme}", index)
            letter, kind = _PLACES[parts[0]], parts[1]
        goes_on = letter in ("I", "E") and kind == label
        if strict and (problem := _problem(tags, index, scheme, letter, goes_on, label)):
            raise TagError(problem, index)
        if label and not goes_on:
            found.append(Span(start, index, label))
            label = ""
        if letter and not goes_on:
            start, label = index, kind
        if letter in ("E", "S"):
            found.append(Span(start, index + 1, label))
            label = ""
    if label:
        if strict and scheme in ("BIOES", "BMES"):
            raise TagError(
                f"tag {tags[-1]!r} at the end of a sentence: in {scheme} an entity ends with E or S", len(tags) - 1
            )
        found.append(Span(start, len(tags), label))
    return found


def tags(spans: Iterable[Span], n: int, scheme: Scheme) -> list[str]:
    """The tags of a sentence of `n` words. The spans must not overlap.

    >>> tags([Span(0, 2, "PER"), Span(3, 4, "LOC")], 4, "BIOES")
    ['B-PER', 'E-PER', 'O', 'S-LOC']
    """
    first, inner, last, only = tuple(_WRITE[scheme])
    made = ["O"] * n
    for span in sorted(spans, key=lambda span: span.start):
        start, end, label = span.start, span.end, span.label
        if made[start:end] != ["O"] * (end - start):
            raise ValueError(f"span [{start}, {end}) {label} overlaps another or is out of range")
        made[start:end] = [f"{inner}-{label}"] * (end - start)
        made[start] = f"{first}-{label}"
        made[end - 1] = f"{only if end - start == 1 else last}-{label}"
        if scheme == "IOB1" and start and made[start - 1].partition("-")[2] == label:
            made[start] = f"B-{label}"
    return made


def _problem(tags: Sequence[str], index: int, scheme: Scheme, letter: str, goes_on: bool, label: str) -> str:
    """Why a tag cannot stand where it is; empty if it can. `label` is the type of the entity that is still open."""
    tag = tags[index]
    after = f"tag {tag!r} after {tags[index - 1]!r}" if index else f"tag {tag!r} at the beginning of a sentence"
    if scheme in ("BIOES", "BMES"):
        if label and not goes_on:
            return f"{after}: in {scheme} the entity before must end with E or S"
        if letter in ("I", "E") and not goes_on:
            return f"{after}: in {scheme} an entity begins with B or S"
    if scheme == "BIO" and letter == "I" and not goes_on:
        return f"{after}: in BIO an entity begins with 'B-{tag[2:]}'"
    if scheme == "IOB1" and letter == "B" and tag[2:] != label:
        return f"{after}: in IOB1 'B-' stands only after an entity of the same type"
    return ""


@lru_cache(maxsize=4096)
def _split(tag: str) -> tuple[str, str] | None:
    letter, dash, label = tag.partition("-")
    return (letter, label) if letter in _PLACES and dash and label else None
