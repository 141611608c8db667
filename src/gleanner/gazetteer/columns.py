"""The terms of dictionaries as they were read, in columns: millions of them take little room and are there at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gleanner.gazetteer.term import CASES, Term

Arrays = dict[str, NDArray[Any]]


class Texts:
    """Strings in one array of UTF-8."""

    def __init__(self, letters: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        self._letters, self._offsets = letters, offsets

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __getitem__(self, number: int) -> str:
        letters = self._letters[self._offsets[number] : self._offsets[number + 1]]
        return letters.tobytes().decode("utf-8", "surrogatepass")


@dataclass
class ColumnsBuilder:
    """Takes terms by the thousand."""

    parts: list[Arrays] = field(default_factory=list)
    types: dict[tuple[str, ...], int] = field(default_factory=dict)

    def add(self, terms: Sequence[Term]) -> None:
        """The next terms."""
        known = self.types
        texts, sizes = _encoded([term.text for term in terms])
        ids, id_sizes = _encoded([term.id for term in terms])
        self.parts.append(
            {
                "text": texts,
                "text_sizes": sizes,
                "id": ids,
                "id_sizes": id_sizes,
                "types": np.array([known.setdefault(term.types, len(known)) for term in terms], np.int32),
                "line": np.array([term.line for term in terms], np.int64),
                "weight": np.array([term.weight for term in terms], np.float64),
                "case": np.array([-1 if term.case is None else CASES.index(term.case) for term in terms], np.int8),
            }
        )

    def arrays(self) -> Arrays:
        """All columns."""
        if not self.parts:
            self.add([])
        columns = {name: np.concatenate([part[name] for part in self.parts]) for name in self.parts[0]}
        for name in ("text", "id"):
            columns[f"{name}_offsets"] = offsets(columns.pop(f"{name}_sizes"))
        return columns


class Columns:
    """Terms by number."""

    def __init__(self, arrays: Arrays, types: Sequence[tuple[str, ...]]) -> None:
        self.arrays, self.types = arrays, types
        self._texts = Texts(arrays["text"], arrays["text_offsets"])
        self._ids = Texts(arrays["id"], arrays["id_offsets"])

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, number: int) -> Term:
        case = int(self.arrays["case"][number])
        return Term(
            text=self._texts[number],
            types=self.types[self.arrays["types"][number]],
            line=int(self.arrays["line"][number]),
            id=self._ids[number],
            weight=float(self.arrays["weight"][number]),
            case=None if case < 0 else CASES[case],
        )


def offsets(sizes: NDArray[Any]) -> NDArray[np.int64]:
    """Where each starts and the last ends, if they stand one after the other."""
    found = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=found[1:])
    return found


def _encoded(texts: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    return np.frombuffer(b"".join(encoded), np.uint8), np.fromiter(map(len, encoded), np.int64, len(encoded))
