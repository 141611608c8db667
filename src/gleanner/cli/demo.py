"""`gleanner demo`: the main job, shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from gleanner.cli.models import hush
from gleanner.cli.render import Mark, counted, marked, out, percent, row, say, table
from gleanner.data.characters import located
from gleanner.data.files import corpus
from gleanner.types import Corpus, Sentence

if TYPE_CHECKING:
    from gleanner.demo import Mention
    from gleanner.evaluation.report import Report

EXAMPLES = "Examples:\n\n  gleanner demo\n\n  gleanner demo --output another-folder --seed 1"

_SENTENCES = 5
_LABELS = ("LOC", "ORG", "PER")


def command(
    output: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to put the files; a demonstration that is there goes on.")
    ] = Path("gleanner-demo"),
    seed: Annotated[int, typer.Option(min=0, help="Of both trainings.")] = 0,
) -> None:
    """Make a recogniser from a dictionary and raw text that come along, in a few minutes on two cores."""
    from gleanner import demo
    from gleanner.evaluation.report import evaluate
    from gleanner.training.reporter import default_reporter

    silver = demo.prepare(output)
    names = [len(sentence.entities) for sentence in silver]
    say(f"{counted(len(names), 'sentence')} of raw text; a dictionary finds {counted(sum(names), 'name')} in them")
    test = corpus([output / demo.TEST])
    found = {"dictionary only": Corpus(demo.by_dictionary(test))}
    hush()
    for method in demo.METHODS:
        say(f"training on that: {method}")
        found[method] = Corpus(demo.train(method, output, seed, default_reporter()).annotate(test))

    console = out()
    console.print(_scores({name: evaluate(test, predicted) for name, predicted in found.items()}))
    console.print("Some test sentences (* the dictionary did not find it, ! the gold annotation does not have it):\n")
    dictionary, model = found["dictionary only"], found[demo.METHODS[-1]]
    for sentence, mentions in demo.discoveries(test, dictionary, model, _SENTENCES):
        console.print(_shown(sentence, mentions), "\n", soft_wrap=True)
    console.print(Text(_next(output, demo.METHODS[-1])), soft_wrap=True)


def _scores(reports: Mapping[str, Report]) -> Table:
    made = table("on test sentences", "P", "R", "F1", "95 %")
    for name, report in reports.items():
        micro = report.micro
        between = "" if report.interval is None else " - ".join(map(percent, report.interval.f1))
        row(made, name, percent(micro.precision), percent(micro.recall), percent(micro.f1), between)
    return made


def _shown(sentence: Sentence, mentions: Iterable[Mention]) -> Text:
    text, offsets = located(sentence)
    marks = [
        Mark(
            offsets[mention.span.start][0],
            offsets[mention.span.end - 1][1],
            mention.span.label,
            "*" * mention.new + "!" * (not mention.right),
        )
        for mention in mentions
    ]
    return marked(text, marks, _LABELS)


def _next(output: Path, method: str) -> str:
    return f"""What to try next:

  gleanner evaluate {output / method} {output / "test.jsonl"}
  gleanner predict {output / method} --text "Caroline Herschel left Hanover for Bath in 1772."
  gleanner inspect {output / "silver.jsonl"}
  gleanner methods
  gleanner train --method weighted-sampling --train {output / "silver.jsonl"} --dev {output / "dev.jsonl"} --output model"""
