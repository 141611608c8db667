"""How good labels of our own are: `python -m benchmarks.quality.own_labels`, in seconds.

It annotates the sentences of the gold files with the dictionaries of the sets, and writes benchmarks/results/own_labels.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from benchmarks.places import data
from benchmarks.quality.gold_sample import ratios
from gleanner import DictionaryAnnotator, annotate
from gleanner.data.files import ReadOptions, read
from gleanner.evaluation.report import evaluate
from gleanner.gazetteer.dictionary_file import DictionaryFile
from gleanner.gazetteer.rules import Rules

OUTPUT = Path(__file__).parent.parent / "results" / "own_labels.md"

SETS = (
    ("BC5CDR", "bc5cdr/train.gold.jsonl", ("bc5cdr/dictionary.tsv", "bc5cdr/dictionary.phrases.txt:?"), Rules()),
    (
        "BC5CDR, any case",
        "bc5cdr/train.gold.jsonl",
        ("bc5cdr/dictionary.tsv", "bc5cdr/dictionary.phrases.txt:?"),
        Rules(case="ignore"),
    ),
    ("CoNLL03", "conll03/train.gold.jsonl", ("conll03/dictionary.tsv",), Rules()),
    ("NEWS, its distant part", "news/train.distant.gold.jsonl", ("news/dictionary.tsv",), Rules()),
)
SHIPPED = {
    "bc5cdr/train.gold.jsonl": "bc5cdr/train.distant.jsonl",
    "conll03/train.gold.jsonl": "conll03/train.distant.jsonl",
    "news/train.distant.gold.jsonl": "news/train.distant.jsonl",
}
"""The labels that come with the data, of the same sentences."""


def lines(folder: Path) -> Iterator[tuple[str, ...]]:
    """The table: for each set and type the precision, recall and F1 of our labels and of those that come with the data."""
    yield ("training text", "type", "own P", "own R", "own F1", "shipped P", "shipped R", "shipped F1")
    yield ("---",) * 8
    for name, file, dictionaries, rules in SETS:
        gold = list(read(folder / file, options=ReadOptions(complete=True)))
        files = [DictionaryFile.parse(str(folder / dictionary)) for dictionary in dictionaries]
        names = DictionaryAnnotator.read(*files, rules=rules)
        own = evaluate(gold, annotate((replace(one, spans=()) for one in gold), names), bootstrap=0)
        shipped = evaluate(gold, read(folder / SHIPPED[file]), bootstrap=0)
        yield (name, "all", *ratios(own.micro), *ratios(shipped.micro))
        for kind in own.types if len(own.types) > 1 else ():
            yield ("", kind, *ratios(own.types[kind]), *ratios(shipped.types[kind]))


def main() -> int:
    """The exit code: 2 without data."""
    folder = data()
    if folder is None:
        print("set GLEANNER_DATA to the folder of the data sets", file=sys.stderr)
        return 2
    made = "".join(f"| {' | '.join(line)} |\n" for line in lines(folder))
    OUTPUT.write_text(made, encoding="utf-8")
    print(made + f"written: {OUTPUT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
