"""What is wrong with the letters of a term: characters that a file got by mistake, and how to show them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category, name, normalize

_DAMAGED = re.compile("\ufffd|锟斤拷|ï¿½")
_UNSEEN = re.compile("[\u00ad\u115f\u1160\u180e\u200b\u2060-\u2064\u3164\ufeff\uffa0]")
_JOINER = re.compile("(?<=[A-Za-z0-9])[\u200c\u200d]|[\u200c\u200d](?=[A-Za-z0-9])")
_DIRECTION = re.compile("[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
_FOREIGN = re.compile("[^\x00-\x7f]+")
_LETTERS = re.compile(r"[^\W\d_]+")

# Greek letters that look like Latin ones. Others are at home beside Latin, as in "TNFα".
_TWINS = frozenset("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο")


def faults(text: str) -> Iterator[str]:
    """What is wrong, a phrase for each kind of fault; nothing of a text that is as it should be.

    >>> list(faults("SjÃ¶gren syndrome")), list(faults("naïve TNFα"))
    (["'Ã¶' is probably 'ö', decoded wrongly"], [])
    """
    if text.isascii() and text.isprintable():
        return
    if found := _DAMAGED.search(text):
        yield f"a character was lost: {found[0]!r}"
    for run in _FOREIGN.findall(text):
        if (repaired := _repaired(run)) is not None:
            yield f"{run!r} is probably {repaired!r}, decoded wrongly"
            break
    if control := next((char for char in text if category(char) == "Cc"), ""):
        yield f"a control character: {_code(control)}"
    if unseen := _UNSEEN.search(text) or _JOINER.search(text):
        yield f"an invisible character: {_code(unseen[0])}"
    if direction := _DIRECTION.search(text):
        yield f"a character that changes the direction of writing: {_code(direction[0])}"
    if unknown := next((char for char in text if category(char) in ("Co", "Cn", "Cs")), ""):
        yield f"a character without a meaning: {_code(unknown)}"
    for word in _LETTERS.findall(text):
        if mixed := _mixture(word):
            yield mixed
            break


def form(text: str) -> str | None:
    """The normal form that the text shows itself to be in, "NFC" or "NFD"; None where both are the same.

    >>> form("é"), form("e" + chr(0x301)), form("e")
    ('NFC', 'NFD', None)
    """
    if text.isascii():
        return None
    composed, parts = normalize("NFC", text), normalize("NFD", text)
    return None if composed == parts else "NFC" if text == composed else "NFD"


def visible(text: str) -> str:
    """The text with every character shown that a terminal would obey, hide or break at.

    >>> print(visible("a" + chr(0x200B) + "b" + chr(27) + "[1m"))
    a<U+200B>b<U+001B>[1m
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == " " else f"<{_code(char)}>" for char in text)


def _repaired(run: str) -> str | None:
    """What a run of characters is if its bytes were UTF-8 and were read as Windows-1252 or Latin-1."""
    try:
        text = b"".join(_byte(char) for char in run).decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return None
    return text if text.isprintable() or text.isspace() else None


def _byte(char: str) -> bytes:
    try:
        return char.encode("cp1252")
    except UnicodeEncodeError:
        return char.encode("latin-1")


def _mixture(word: str) -> str | None:
    """What is strange about a word of several scripts."""
    if word.isascii():
        return None
    scripts: dict[str, str] = {}
    for char in word:
        script = name(char, "").partition(" ")[0]
        if script in ("LATIN", "CYRILLIC") or (script == "GREEK" and char in _TWINS):
            scripts.setdefault(script, char)
    if len(scripts) < 2:
        return None
    kinds = " and ".join(f"{script.capitalize()} ({char})" for script, char in scripts.items())
    return f"{word!r} mixes letters that look alike: {kinds}"


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"
