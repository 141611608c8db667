"""The report of an annotation: its options, what is counted meanwhile, and how it looks on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from gleanner.cli.render import COLOURS, Mark, counted, heading, marked, row, table
from gleanner.cli.scores import scores
from gleanner.gazetteer.encodings import visible
from gleanner.gazetteer.report.names import labels

if TYPE_CHECKING:
    from gleanner.gazetteer.common_words import CommonWord
    from gleanner.gazetteer.lexicon import Lexicon
    from gleanner.gazetteer.report.gold import Gold
    from gleanner.gazetteer.report.sample import Example
    from gleanner.gazetteer.report.summary import Listed, Summary

GoldSample = Annotated[
    Path | None,
    typer.Option("--gold", metavar="FILE", help="Some of the sentences as they should be, to score the labels."),
]
Page = Annotated[Path | None, typer.Option("--report", metavar="FILE.html", help="Write the report as a page, too.")]

_SHOWN = 10
"""Rows of a list; the page has more of them."""

_EXAMPLES = 2
"""Of each type."""

_BAR = 24


class Counting:
    """Adds up the notes of an annotation's blocks, and reports at the end."""

    def __init__(self, lexicons: Sequence[Lexicon], gold: Gold | None) -> None:
        from gleanner.gazetteer.report.tally import Tally
        from gleanner.gazetteer.report.terms import Terms

        self._terms, self._gold = Terms(*lexicons), gold
        self._tally = Tally(self._terms, gold)

    def note(self, line: str) -> None:
        """Takes the note of a block: what `Block.to_json` wrote. In the order of the text."""
        from gleanner.gazetteer.report.block import Block

        self._tally.add(Block.from_json(line))

    def report(self, console: Console, page: Path | None, common: Sequence[CommonWord] = ()) -> None:
        """Prints the report, and writes it as a page where one is wanted."""
        from gleanner.gazetteer.report import page as pages
        from gleanner.gazetteer.report.summary import summarise

        summary = summarise(self._tally, self._terms, self._gold, common)
        show(summary, console)
        if page is not None:
            pages.write(summary, page)


def show(summary: Summary, console: Console) -> None:
    """Prints the report."""
    _counts(summary, console)
    _types(summary, console)
    if summary.gold is not None:
        where = f"{summary.gold.found:,} of its {counted(summary.gold.gold, 'sentence')} are in the text"
        console.print(heading(f"Against the gold sample: {where}"))
        if summary.gold.report is not None:
            console.print(scores(summary.gold.report))
    _terms("Most frequent terms", summary.top, 0, console)
    _terms(
        f"{counted(summary.ambiguous_terms, 'term')} of several types",
        summary.ambiguous,
        summary.ambiguous_terms,
        console,
    )
    if summary.common:
        console.print(heading(f"{counted(len(summary.common), 'term')} that are common words too, left unknown"))
        made = table("term", "in lower case", "with a capital", "where it stands", text=("where it stands",))
        for word in summary.common[:_SHOWN]:
            row(made, visible(word.term), f"{word.lower:,}", f"{word.capital:,}", f"{word.dictionary}:{word.line}")
        console.print(made)
        _more(len(summary.common) - _SHOWN, console)
    _examples(summary, console)
    if summary.unseen:
        console.print(heading(f"{summary.unseen_terms:,} of {counted(summary.terms, 'term')} gave no label"))
        made = table("term", "type", "where it stands", text=("type", "where it stands"))
        for term in summary.unseen[:_SHOWN]:
            row(made, visible(term.text), visible(", ".join(term.types)), visible(term.places[0]))
        console.print(made)
        _more(summary.unseen_terms - min(_SHOWN, len(summary.unseen)), console)


def _counts(summary: Summary, console: Console) -> None:
    share = summary.labelled_sentences / summary.sentences if summary.sentences else 0.0
    made = table("annotation", "")
    row(made, "sentences", f"{summary.sentences:,}")
    row(made, "with a mention", f"{share:.1%}")
    row(made, "words", f"{summary.words:,}")
    row(made, "mentions", f"{summary.mentions:,}")
    row(made, "per 1,000 words", f"{summary.per_thousand:.1f}")
    row(made, "unknown spans", f"{summary.unknown:,}")
    if summary.denied:
        row(made, "spans said to be no entity", f"{summary.denied:,}")
    for maker, number in islice(summary.makers.items(), _SHOWN):
        row(made, f"from {visible(maker)}", f"{number:,}")
    console.print(made)


def _types(summary: Summary, console: Console) -> None:
    if not summary.types:
        return
    most = max(of.mentions for of in summary.types.values())
    made = table("type", "mentions", "", "distinct terms", "of the dictionaries'", text=("",))
    for number, (name, of) in enumerate(summary.types.items()):
        bar = Text("█" * max(1, round(_BAR * of.mentions / most)), COLOURS[number % len(COLOURS)])
        share = f"{of.terms / of.in_dictionaries:.1%}" if of.in_dictionaries else ""
        row(made, visible(name), f"{of.mentions:,}", bar, f"{of.terms:,}", share)
    console.print(made)


def _terms(title: str, terms: Sequence[Listed], total: int, console: Console) -> None:
    if not terms:
        return
    console.print(heading(title))
    made = table(
        "term", "mentions", "labelled", "may be", "where it stands", text=("labelled", "may be", "where it stands")
    )
    for term in terms[:_SHOWN]:
        may = visible(", ".join(term.types) or "a phrase")
        row(
            made,
            visible(term.text),
            f"{term.mentions:,}",
            visible(labels(term.labels)),
            may,
            visible(", ".join(term.places)),
        )
    console.print(made)
    _more(total - _SHOWN, console)


def _examples(summary: Summary, console: Console) -> None:
    if not summary.examples:
        return
    console.print(heading("Examples"), "\n")
    types = list(summary.types)
    for name, examples in summary.examples.items():
        colours = types if name in types else [*types, name]
        for example in examples[:_EXAMPLES]:
            console.print(
                _shown(example, name, colours), Text(f"   {visible(example.source)}\n", "dim"), soft_wrap=True, sep="\n"
            )


def _shown(example: Example, name: str, types: Sequence[str]) -> Text:
    parts = example.text[: example.start], example.text[example.start : example.end], example.text[example.end :]
    before, mention, after = map(visible, parts)
    return marked(f"{before}{mention}{after}", [Mark(len(before), len(before) + len(mention), name)], types)


def _more(number: int, console: Console) -> None:
    if number > 0:
        console.print(f"and {number:,} more\n")
