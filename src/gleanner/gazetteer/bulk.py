"""Columns of a lexicon's terms, many at once: what is asked of millions of terms is not asked one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gleanner.gazetteer.lexicon import Lexicon

_AT_ONCE = 1 << 14


def texts(lexicon: Lexicon, at_once: int | None = None) -> Iterator[tuple[int, list[str]]]:
    """The texts of all terms in batches, each with the number of its first.

    >>> from gleanner.gazetteer.term import Term
    >>> terms = [Term(text, ("LOC",), 1) for text in ("Bath", "Zürich", "York")]
    >>> list(texts(Lexicon.compile([("places.tsv", terms)]), 2))
    [(0, ['Bath', 'Zürich']), (2, ['York'])]
    """
    for first, some in strings(lexicon, "text", at_once):
        yield first, [one.decode("utf-8", "surrogatepass") for one in some]


def strings(lexicon: Lexicon, column: str, at_once: int | None = None) -> Iterator[tuple[int, list[bytes]]]:
    """The same of any column of strings, as they are stored."""
    at_once = at_once or _AT_ONCE
    letters, offsets = lexicon.columns.arrays[column], lexicon.columns.arrays[f"{column}_offsets"]
    for first in range(0, len(lexicon), at_once):
        edges = offsets[first : first + at_once + 1]
        blob = letters[edges[0] : edges[-1]].tobytes()
        cuts = (edges - edges[0]).tolist()
        yield first, [blob[a:b] for a, b in pairwise(cuts)]


def types(lexicon: Lexicon) -> tuple[NDArray[np.int32], tuple[tuple[str, ...], ...]]:
    """For each term the place of its types in the second."""
    return lexicon.columns.arrays["types"], tuple(lexicon.columns.types)


def lines(lexicon: Lexicon) -> NDArray[np.int64]:
    """The line of each term."""
    found: NDArray[np.int64] = lexicon.columns.arrays["line"]
    return found
