"""Dictionaries as a user names them, compiled and kept, so that the next run has them at once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from gleanner.errors import InputError
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.files import read_all
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.store import cached, digest


def cache() -> Path:
    """Where compiled dictionaries are kept. What is deleted there is made again."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "gleanner" / "lexicons"


def compiled(dictionaries: Sequence[str], rules: Rules) -> Path:
    """The folder of a lexicon of these dictionaries, each written as `DictionaryFile.parse` reads it.

    It has a name that tells its content: bytes of the files, what is said of them, rules.
    """
    files = [DictionaryFile.parse(text) for text in dictionaries]
    folder = cache() / digest([file.path for file in files], rules, *(repr(file) for file in files))
    try:
        cached(folder, lambda: Lexicon.compile(read_all(files), rules))
    except OSError as error:
        raise InputError(
            f"compiled dictionaries cannot be kept here: {error.strerror}",
            path=folder.parent,
            remedy="set XDG_CACHE_HOME to a folder that you may write to",
        ) from error
    return folder
