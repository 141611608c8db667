"""How fast dictionaries are read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks.speed.alternate import seconds
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from gleanner.gazetteer.files import read_terms


def rows(material: Material) -> Iterator[Row]:
    """A million lines in two seconds; the other formats for information."""
    count = 10_000 if material.quick else 1_000_000
    beginnings = {"tsv": "", "csv": "term,type,id,aliases\n", "jsonl": ""}
    lines = {
        "tsv": "PER\tName number {}\n",
        "csv": "Name number {},PER,Q{},\n",
        "jsonl": '{{"term": "Name {}", "type": "PER"}}\n',
    }
    with tempfile.TemporaryDirectory() as folder:
        for ending, line in lines.items():
            path = Path(folder) / f"names.{ending}"
            with path.open("w", encoding="utf-8") as handle:
                handle.write(beginnings[ending])
                handle.writelines(line.format(number, number) for number in range(count))
            took = median(seconds(lambda path=path: sum(1 for _ in read_terms(path))) for _ in range(3))
            bound = 2 * count / 1_000_000 if ending == "tsv" else None
            yield Row(f"reading {count:,} terms of a {ending} file", took, "s", at_most=bound)
