"""Files of word vectors, `word v1 v2 ...` a line, and plain lists of words."""

from __future__ import annotations

from array import array
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from gleanner.data.lines import lines
from gleanner.errors import InputError


def read_vectors(path: Path) -> tuple[list[str], Tensor]:
    """Words and their vectors; a first line `count width`, as word2vec writes it, is passed over."""
    names: list[str] = []
    values = array("f")  # all vectors one after the other: an array a word would take as much again
    width = 0
    for number, line in lines(path):
        fields = line.rstrip().split(" ")
        if number == 1 and _is_header(fields):
            continue
        row = _numbers(fields[1:])
        if not np.isfinite(row).all():
            raise InputError(
                f"{line.strip()[:60]!r} has values that are no finite numbers",
                path=path,
                line=number,
                remedy="mend them",
            )
        if not len(row) or (names and len(row) != width):
            expected = f"{width} numbers" if names else "numbers"
            raise InputError(
                f"a word and {expected} were expected, found {line.strip()[:60]!r}",
                path=path,
                line=number,
                remedy="every line is 'word v1 v2 ...' with the same number of values",
            )
        names.append(fields[0])
        values.frombytes(row.tobytes())
        width = len(row)
    if not names:
        raise InputError("no word vectors in it", path=path, remedy="every line is 'word v1 v2 ...'")
    return names, torch.from_numpy(np.frombuffer(values, np.float32).reshape(len(names), width))


def read_words(path: Path) -> tuple[list[str], Tensor | None]:
    """The words of a list, a line each, which may hold spaces; of a file of vectors its words and vectors.

    A file is one of vectors if its first word has two numbers or more behind it.
    """
    first = [line.rstrip().split(" ") for _, line in islice(lines(path), 2)]
    if first and _is_header(first[0]):
        first = first[1:]
    if first and len(first[0]) > 2 and len(_numbers(first[0][1:])):
        return read_vectors(path)
    words = [word for _, line in lines(path) if (word := line.strip())]
    if not words:
        raise InputError("no words in it", path=path, remedy="write a word a line, or 'word v1 v2 ...'")
    return words, None


def _is_header(fields: list[str]) -> bool:
    return len(fields) == 2 and all(field.isdigit() for field in fields)


def _numbers(fields: list[str]) -> np.ndarray:
    """As numbers; none if one of them is not a number."""
    try:
        with np.errstate(over="ignore"):  # what is too large becomes infinite
            return np.array(fields, dtype=np.float32)
    except ValueError:
        return np.empty(0, np.float32)
