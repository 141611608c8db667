from pathlib import Path

import pytest

from gleanner.gazetteer.check import spelling, usage
from gleanner.gazetteer.check.findings import Entry, Findings, Kind
from gleanner.gazetteer.term import Term

PAGE = Path(__file__).parents[3] / "docs" / "dictionary-to-model.md"
KINDS = [thing for module in (spelling, usage) for thing in vars(module).values() if isinstance(thing, Kind)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_is_explained_on_the_page(kind):
    rows = [line.split("|")[1:3] for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    said = {name.strip(): problem.strip() for names, problem in rows for name in names.split(",")}
    assert said[kind.name] == ("yes" if kind.problem else "no")


def test_the_first_are_kept_and_all_are_counted():
    findings = Findings(KINDS[0], 2)
    for line in (3, 5, 8):
        findings.add(Entry(Term("Bath", (), line), "a.tsv"), "why")
    assert (findings.total, [one.place for one in findings.first]) == (3, ["a.tsv:3", "a.tsv:5"])
