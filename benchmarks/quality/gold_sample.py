"""`--gold` gives what a direct comparison of two files gives: `python -m benchmarks.quality.gold_sample`, in seconds.

The distant labels of three data sets stand for an annotation, their gold labels for the sample.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

from benchmarks.places import data
from gleanner.cli.render import out, percent, row, table
from gleanner.data.files import ReadOptions, read
from gleanner.evaluation.report import evaluate
from gleanner.evaluation.scores import Score
from gleanner.gazetteer.report.block import count_sentences
from gleanner.gazetteer.report.gold import Answers, Comparison, Gold

PUBLISHED = {
    "conll03": ("82.38", "62.33", "70.97"),
    "bc5cdr": ("97.64", "67.13", "79.56"),
    "wikigold": ("47.90", "47.63", "47.76"),
}
"""Precision, recall and F1 of the distant labels, as the README of the data sets has them."""

_AT_ONCE = 1000


def main() -> int:
    """The exit code: 1 where the numbers differ."""
    folder = data()
    if folder is None:
        print("set GLEANNER_DATA to the folder of the data sets", file=sys.stderr)
        return 2
    made = table("distant labels against gold", "sentences", "P", "R", "F1", "published", "by type", text=("by type",))
    right = True
    for name, published in PUBLISHED.items():
        gold, annotated = (folder / name / f"train.{kind}.jsonl" for kind in ("gold", "distant"))
        found, direct = by_sample(gold, annotated), directly(gold, annotated)
        scores = None if found.report is None else {"": found.report.micro, **found.report.types}
        shares = () if found.report is None else ratios(found.report.micro)
        right &= scores == direct and shares == published and found.found == found.gold
        same = "as directly" if scores == direct else "NOT as directly"
        row(made, name, f"{found.found:,} of {found.gold:,}", *shares, " ".join(published), same)
    out().print(made)
    return int(not right)


def by_sample(gold: Path, annotated: Path) -> Comparison:
    """What the report says with `--gold`, sentence by sentence in blocks."""
    sample = Gold.read(gold)
    answers: Answers = {}
    sentences = read(annotated)
    while block := list(islice(sentences, _AT_ONCE)):
        sample.join(answers, count_sentences(block, sample).answers)
    return sample.compare(answers, bootstrap=0)


def directly(gold: Path, annotated: Path) -> dict[str, Score]:
    """What `gleanner evaluate` says of the two files: all together under the empty name, and by type."""
    report = evaluate(read(gold, options=ReadOptions(complete=True)), read(annotated), bootstrap=0)
    return {"": report.micro, **report.types}


def ratios(score: Score) -> tuple[str, str, str]:
    """As they are published."""
    return percent(score.precision), percent(score.recall), percent(score.f1)


if __name__ == "__main__":
    sys.exit(main())
