import re
from xml.etree import ElementTree

import pytest

from gleanner.benchmark.curves import Curve, drawn, highest
from gleanner.benchmark.markdown import markdown
from gleanner.benchmark.page import page
from gleanner.benchmark.summary import summarise

ROWS = (
    {"name": "plain", "method.name": "plain"},
    {"name": "a|b & <c>", "method.name": "plain", "mask": 0.5},
    {"name": "names", "dictionary": "names.tsv"},
    {"name": "not yet", "method.name": "plain", "every": 2},
    {"name": "elsewhere", "predictions": "half.jsonl", "gold": "dev.jsonl"},
)


@pytest.fixture
def summary(benchmark, stored):
    made = benchmark(*ROWS, seeds=[1, 2], about="Why & <how> in `code`.")
    gold = "1" * 20
    right = {"plain": "1" * 10 + "0" * 10, "a|b & <c>": "1" * 20, "names": "1" * 10 + "0" * 10}
    for job in made.jobs():
        if job.row.name in right:
            curve = [0.2, 0.4 + 0.1 * job.seed] if job.row.trains else []
            stored(job, curve, right[job.row.name], gold, gold)
    return summarise(made)


def rows(summary):
    return {cells[0]: dict(zip(summary.columns, cells, strict=True)) for cells in summary.cells}


def test_the_cells(summary):
    found = rows(summary)
    assert summary.columns == (
        *("row", "seeds", "test P", "test R", "test F1", "dev F1", "Δ F1", "from", "95 %", "p"),
        *("best epoch", "minutes", "MB"),
    )
    assert found["plain"]["test F1"] == "50.0 ± 0.0"
    assert found["plain"]["Δ F1"] == found["plain"]["p"] == ""
    better = found["a|b & <c>"]
    assert (better["seeds"], better["Δ F1"], better["from"], better["p"]) == ("2", "+50.0", "plain", "< 0.001")
    assert (better["best epoch"], better["minutes"], better["MB"]) == ("2, 2", "1.5", "700")
    low, _, high = better["95 %"].partition(" to ")
    assert 20 < float(low) < 50 < float(high) < 80
    assert (found["names"]["seeds"], found["names"]["Δ F1"], found["names"]["minutes"]) == ("–", "+0.0", "")
    assert (found["not yet"]["seeds"], found["not yet"]["test F1"]) == ("0", "")


def test_the_facts(summary):
    facts = "\n".join(summary.facts)
    assert "`training.epochs=2`" in facts
    assert "seeds 1, 2." in facts
    assert "`mask=0.5`" in facts
    assert "† Scored on other sentences: elsewhere on `dev.jsonl`." in facts
    assert "Machine: abacus, 1 thread." in facts


def test_older_results_without_counts_have_no_difference(benchmark, stored):
    made = benchmark(*ROWS[:2])
    for job in made.jobs():
        stored(job, [0.5], "11", "11", "11", counts=None)
    assert "Δ F1" not in summarise(made).columns


def test_counts_of_another_test_set_are_not_compared(benchmark, stored):
    made = benchmark(*ROWS[:2])
    for job, gold in zip(made.jobs(), ("11", "111"), strict=True):
        stored(job, [0.5], gold, gold, gold)
    assert "Δ F1" not in summarise(made).columns


def test_markdown(summary):
    text = markdown([summary])
    assert text.startswith("# Benchmark\n")
    assert "\n## Tiny\n" in text
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert len(lines) == 2 + len(ROWS)
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1
    assert "| a\\|b & <c> | 2 |" in text


def test_the_page_is_whole_and_needs_nothing_from_outside(summary):
    text = page([summary, summary])
    tree = ElementTree.fromstring(text.partition("\n")[2])  # well-formed
    assert tree.find(".//tbody/tr[2]/td").text == "a|b & <c>"
    assert len(tree.findall(".//table")) == len(tree.findall(".//svg")) == 2
    assert [item[0].tail for item in tree.findall(".//figcaption/ul/li")] == ["plain", "a|b & <c>"] * 2
    assert not tree.findall(".//script")
    assert "http" not in text
    assert "prefers-color-scheme: dark" in text
    names = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(names) == len(set(names)) == 2


def test_a_page_of_nothing(benchmark):
    ElementTree.fromstring(page([summarise(benchmark(*ROWS))]).partition("\n")[2])


def curve(*histories):
    return Curve.of("a", [[{"stage": s, "epoch": e, "f1": f1} for s, e, f1 in history] for history in histories])


def test_a_curve_is_the_mean_of_its_seeds():
    assert curve([("s", 1.0, 0.2), ("s", 2.0, 0.4)], [("s", 1.0, 0.4), ("s", 2.0, 0.8)]).mean == (
        ((1.0, pytest.approx(0.3)), (2.0, pytest.approx(0.6))),
    )


def test_stages_follow_each_other_and_unscored_ones_leave_a_gap():
    history = [("one", 1.0, 0.2), ("one", 2.0, 0.3), ("two", 1.0, None), ("three", 1.0, 0.5)]
    assert curve(history).seeds == (((((1.0, 0.2), (2.0, 0.3))), (), ((4.0, 0.5),)),)


def test_a_drawing_keeps_within_its_frame():
    tree = ElementTree.fromstring(drawn([curve([("s", n / 2, n / 40) for n in range(1, 41)])], "a & b", 1.0))
    across, up = map(float, tree.get("viewBox").split()[2:])
    points = [tuple(map(float, p.split(","))) for line in tree.findall("polyline") for p in line.get("points").split()]
    assert len(points) == 40
    assert all(0 <= x <= across and 0 <= y <= up for x, y in points)
    assert points == sorted(points, key=lambda point: (point[0], -point[1]))


def test_the_axis_ends_above_the_best_score():
    assert highest([curve([("s", 1.0, 0.61)]), curve([("s", 1.0, 0.2)])]) == 0.7
    assert highest([curve([("s", 1.0, None)])]) == 0.1


def test_nothing_is_drawn_of_nothing():
    assert drawn([curve([("s", 1.0, None)])], "a", 1.0) == ""
