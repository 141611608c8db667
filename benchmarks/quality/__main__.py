"""Runs the tables that are named, or all, and writes `benchmarks/results/quality.md`."""

from __future__ import annotations

import argparse
import sys

from benchmarks.places import ROOT, data
from benchmarks.quality.page import page
from benchmarks.quality.table import Table, run

HERE = ROOT / "benchmarks" / "quality"
RESULTS = ROOT / "benchmarks" / "results"


def main() -> None:
    names = sorted(path.stem for path in HERE.glob("*.yaml"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", help=f"any of: {', '.join(names)}", metavar="TABLE")
    parser.add_argument("--page", action="store_true", help="only write the page from the runs that are there")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time, each with its share of the cores (2)")
    chosen = parser.parse_args()
    if unknown := set(chosen.tables) - set(names):
        parser.error(f"no table is called {unknown.pop()!r}; there are: {', '.join(names)}")
    tables = {name: (Table.read(HERE / f"{name}.yaml"), RESULTS / "runs" / name) for name in names}
    if not chosen.page:
        if data() is None:
            sys.exit("error: no data; set GLEANNER_DATA to the folder that holds conll03/, wikigold/, ...")
        run([tables[name] for name in chosen.tables or names], chosen.jobs)
    RESULTS.mkdir(exist_ok=True)
    RESULTS.joinpath("quality.md").write_text(page(list(tables.values())), encoding="utf-8")


main()
