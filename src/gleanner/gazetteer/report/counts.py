"""Counts under whole numbers, in two arrays: sixteen bytes for each number that occurs, however many terms there are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gleanner.evaluation.spans import Ints

_HELD = 1 << 16
"""Numbers that wait at least before they are sorted in."""


class Counts:
    """How often each number was added.

    >>> counts = Counts()
    >>> counts.add([7, 3, 7], [1, 1, 2])
    >>> counts.keys.tolist(), counts.values.tolist()
    ([3, 7], [1, 3])
    """

    def __init__(self) -> None:
        self._keys = self._values = np.empty(0, np.int64)
        self._waiting: list[tuple[Ints, Ints]] = []
        self._held = 0

    def add(self, keys: Sequence[int] | Ints, values: Sequence[int] | Ints) -> None:
        """Adds to the numbers `keys` as much as `values` says; 0 says only that the number occurs."""
        self._waiting.append((np.asarray(keys, np.int64), np.asarray(values, np.int64)))
        self._held += len(keys)
        if self._held > max(_HELD, len(self._keys)):  # so that each number is sorted a few times only
            self._settle()

    @property
    def keys(self) -> Ints:
        """The numbers that occur, ascending."""
        self._settle()
        return self._keys

    @property
    def values(self) -> Ints:
        """For each of them its count."""
        self._settle()
        return self._values

    def _settle(self) -> None:
        if self._waiting:
            keys = np.concatenate([self._keys, *(keys for keys, _ in self._waiting)])
            values = np.concatenate([self._values, *(values for _, values in self._waiting)])
            self._keys, places = np.unique(keys, return_inverse=True)
            self._values = np.zeros(len(self._keys), np.int64)
            np.add.at(self._values, places, values)
            self._waiting, self._held = [], 0
