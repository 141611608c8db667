from dataclasses import replace
from xml.etree import ElementTree

import pytest

from gleanner.gazetteer.common_words import CommonWord
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.report.gold import Gold
from gleanner.gazetteer.report.page import page, write
from gleanner.gazetteer.report.pictures import Bar, bars, columns, ranks
from gleanner.gazetteer.report.summary import Listed, OfType, summarise
from gleanner.gazetteer.report.tally import Tally
from gleanner.gazetteer.report.terms import Terms
from gleanner.types import Sentence, Span


@pytest.fixture
def summary(tallied, terms):
    gold = Gold([Sentence(("Abe", "saw", "London", "."), (Span(0, 1, "PER"),), complete=True)])
    return summarise(tallied(gold), terms, gold, (CommonWord("Bath", "places.tsv", 3, 9, 1),))


def tree(text):
    return ElementTree.fromstring(text.partition("\n")[2])


def test_the_page_is_whole_and_needs_nothing_from_outside(summary):
    text = page(summary)
    made = tree(text)  # well-formed
    assert [heading.text for heading in made.findall(".//h2")] == [
        "Against the gold sample",
        "Types",
        "Most frequent terms",
        "Ambiguous terms",
        "Common words",
        "Examples",
        "Terms never seen",
    ]
    assert not made.findall(".//script")
    assert "http" not in text
    assert "prefers-color-scheme: dark" in text
    assert len(made.findall(".//svg")) == 4


def test_whatever_stands_in_the_data_is_only_shown(summary):
    evil = '<script>alert("1")</script>&amp;\x00\x1b[1m\u202e'
    listed = Listed(evil, (evil, evil), (evil,), {evil: 2})
    worst = replace(
        summary,
        types={evil: OfType(1, 1, 1)},
        makers={evil: 1},
        top=(listed,),
        ambiguous=(listed,),
        unseen=(listed,),
        common=(CommonWord(evil, evil, 1, 1, 1),),
        examples={evil: tuple(example._replace(text=evil, source=evil) for example in summary.examples["LOC"])},
    )
    text = page(worst)
    made = tree(text)
    assert not made.findall(".//script")
    assert "\x00" not in text
    assert "\x1b" not in text
    cells = ["".join(cell.itertext()) for cell in made.findall(".//td")]
    assert sum('<script>alert("1")</script>&amp;\ufffd\ufffd[1m' in cell for cell in cells) > 10


def test_examples_mark_their_mention(summary):
    marks = [mark.text for mark in tree(page(summary)).findall(".//mark")]
    assert marks.count("London") == 2
    assert "difference engine" in marks
    assert "He took " in page(summary)


def test_a_long_list_says_how_much_is_not_there(summary):
    many = tuple(Listed(f"term {number}", (f"a.tsv:{number}",), ("LOC",), {"LOC": 1}) for number in range(50))
    text = page(replace(summary, ambiguous=many, ambiguous_terms=1234))
    assert "35 more" in text
    assert "and 1,184 more" in text


def test_a_page_of_nothing():
    terms = Terms(Lexicon.compile([]))
    assert not tree(page(summarise(Tally(terms), terms))).findall(".//svg")


def test_it_is_written(summary, tmp_path):
    write(summary, tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == page(summary)


def test_bars_are_as_long_as_their_numbers():
    made = ElementTree.fromstring(bars("a & b", [Bar("<x>", 10, 10, "10"), Bar("y" * 50, 5, 1, "1 of 5")]))
    lengths = [float(rect.get("width")) for rect in made.findall(".//rect")]
    assert lengths == pytest.approx([lengths[0], lengths[0], lengths[0] / 2, lengths[0] / 10], abs=0.1)
    assert [text.text for text in made.findall(".//text")] == ["<x>", "10", "y" * 17 + "…", "1 of 5"]
    assert bars("nothing", []) == ""


def test_columns_show_their_shares():
    made = ElementTree.fromstring(columns("sizes", {"0": 3, "1": 1}, "mentions"))
    assert [text.text for text in made.findall(".//g/text")] == ["75%", "0", "25%", "1"]
    assert columns("nothing", {"0": 0}, "mentions") == ""


def test_ranks_keep_within_their_frame():
    made = ElementTree.fromstring(ranks("ranks", [(1, 950), (2, 500), (10, 30), (12_345, 1)]))
    across, up = map(float, made.get("viewBox").split()[2:])
    points = [tuple(map(float, point.split(","))) for point in made.find("polyline").get("points").split()]
    assert all(0 <= x <= across and 0 <= y <= up for x, y in points)
    assert points == sorted(points)
    assert ranks("one", [(1, 3)]) == ""
