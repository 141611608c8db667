"""The report of an annotation on a terminal."""

from dataclasses import replace

import pytest
from rich.console import Console

from gleanner.cli.annotation import Counting, show
from gleanner.gazetteer.common_words import CommonWord
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.report.block import count_sentences
from gleanner.gazetteer.report.gold import Gold
from gleanner.gazetteer.report.summary import summarise
from gleanner.gazetteer.report.tally import Tally
from gleanner.gazetteer.report.terms import Terms
from gleanner.gazetteer.term import Term
from gleanner.types import Sentence, Span


@pytest.fixture
def shown():
    """The lines that a summary prints, without the spaces of tables."""

    def shown(summary):
        console = Console(width=160, highlight=False)
        with console.capture() as capture:
            show(summary, console)
        return [" ".join(line.split()) for line in capture.get().splitlines()]

    return shown


@pytest.fixture
def summary():
    names = [Term(f"Town{number}", ("LOC",), number) for number in range(3, 60)]
    lexicon = Lexicon.compile([("a.tsv", [Term("Bath", ("LOC",), 1), Term("Bath", ("PER",), 2), *names])])
    terms = Terms(lexicon)
    sentence = Sentence(("In", "Bath", "[b]"), (Span(1, 2, "LOC", "dictionary:a.tsv:1:Bath"),))
    gold = Gold([replace(sentence, complete=True), Sentence(("Elsewhere",), complete=True)])
    tally = Tally(terms, gold)
    tally.add(count_sentences([sentence, Sentence(("No", "\x1b[1m"))], gold))
    return summarise(tally, terms, gold, (CommonWord("Bath", "a.tsv", 1, 4, 2),))


def test_all_that_there_is_to_say(summary, shown):
    lines = shown(summary)
    for line in (
        "sentences 2",
        "with a mention 50.0%",
        "per 1,000 words 200.0",
        "LOC 1 ████████████████████████ 1 1.7%",
        "Against the gold sample: 1 of its 2 sentences are in the text",
        "all (micro) 100.00 100.00 100.00 100.00 - 100.00 1 1",
        "Bath 1 LOC 1 LOC, PER a.tsv:1",
        "Bath 1 LOC 1 LOC, PER a.tsv:1, a.tsv:2",
        "1 term of several types",
        "Bath 4 2 a.tsv:1",
        "In [Bath LOC] [b]",
        "dictionary:a.tsv:1:Bath",
        "58 of 59 terms gave no label",
        "and 48 more",
    ):
        assert line in lines


def test_blocks_are_counted_by_their_notes_and_reported(tmp_path):
    bath, york = (Term(name, ("LOC",), 1) for name in ("Bath", "York"))
    lexicons = [Lexicon.compile([("a.tsv", [bath])]), Lexicon.compile([("b.tsv", [york])])]
    sentence = Sentence(
        ("Bath", "York"), tuple(Span(n, n + 1, "LOC", f"dictionary:{s}") for n, s in enumerate(("a.tsv:1", "b.tsv:1")))
    )
    counting = Counting(lexicons, None)
    for _ in range(2):
        counting.note(count_sentences([sentence]).to_json())
    console = Console(width=160)
    with console.capture() as capture:
        counting.report(console, tmp_path / "report.html")
    lines = [" ".join(line.split()) for line in capture.get().splitlines()]
    assert "York 2 LOC 2 LOC b.tsv:1" in lines
    assert "LOC 4 ████████████████████████ 2 100.0%" in lines
    assert "b.tsv:1" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_nothing_of_the_data_reaches_the_terminal_as_a_command(summary, shown):
    (example,) = summary.examples["LOC"]
    harmful = {"LOC": (example._replace(text="\x1b[31mBath", start=5, end=9),)}
    lines = shown(replace(summary, examples=harmful))
    assert "<U+001B>[31m[Bath LOC]" in lines


def test_an_annotation_of_nothing(shown):
    terms = Terms(Lexicon.compile([]))
    lines = shown(summarise(Tally(terms), terms))
    assert "mentions 0" in lines
