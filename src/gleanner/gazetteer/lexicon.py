"""Dictionaries, compiled: every term as it was read, and the index by which text is searched for all of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term


class Lexicon:
    """Terms by number, in the order of the dictionaries."""

    rules: Rules

    @classmethod
    def compile(cls, dictionaries: Iterable[tuple[str, Iterable[Term]]], rules: Rules = Rules()) -> Lexicon:  # noqa: B008
        """Of named dictionaries. Their terms are read once, as a stream."""
        raise NotImplementedError

    def __len__(self) -> int:
        """How many terms there are, those included that are not looked for."""
        raise NotImplementedError

    def term(self, number: int) -> tuple[Term, str]:
        """A term and the name of its dictionary."""
        raise NotImplementedError

    def save(self, folder: Path) -> None:
        """Writes a folder, whole or not at all."""
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Lexicon:
        """Maps into memory what `save` wrote; damage is an `InputError`."""
        raise NotImplementedError
