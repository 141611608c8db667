import numpy as np
import pytest

from gleanner.gazetteer.check.check import check
from gleanner.gazetteer.check.usage import Usage, inside, outliers
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term


def lexicon(*terms, rules=None):
    numbered = [Term(text, tuple(types), line) for line, (text, *types) in enumerate(terms, start=1)]
    return Lexicon.compile([("a.tsv", numbered)], rules or Rules())


def found(terms, sentences, limit=10):
    usage = Usage(terms)
    for text in sentences:
        usage.add([Passage(text)])
    kinds = usage.findings(limit)
    return {kind.kind.name: [(one.text, one.line, one.note) for one in kind.first] for kind in kinds if kind.total}


def test_terms_that_never_match_and_those_that_only_match_inside_others():
    terms = lexicon(("New York", "LOC"), ("York", "LOC"), ("Bath", "LOC"))
    assert found(terms, ["He left New York.", "In New York."]) == {
        "never found": [("Bath", 3, "")],
        "found only inside others": [("York", 2, "2 times")],
    }


def test_a_term_far_above_the_others_of_its_type():
    names = [(f"Name{letter}", "PER") for letter in "abcdefgh"]
    terms = lexicon(*names, ("Will", "PER"), ("London", "LOC"))
    text = [f"So {name} said." for name, _ in names] + ["So Will said."] * 60 + ["So London said."] * 60
    assert found(terms, text) == {
        "suspiciously frequent": [("Will", 9, "60 matches; half of PER have 1 or fewer")],
    }


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([5], []), ([1, 1, 19], []), ([1] * 9 + [20], [9]), ([100, 120, 90, 400, 150], []), ([40] * 5 + [900], [5])],
)
def test_outliers_are_far_from_the_median_in_the_spread_of_the_others(counts, expected):
    assert np.flatnonzero(outliers(np.array(counts))).tolist() == expected


def test_common_words_are_found_but_no_acronyms_that_are_told_apart_by_their_capitals():
    terms = lexicon(("May", "MONTH"), ("WHO", "ORG"))
    text = ["It may be so, and may not be.", "In May it was.", "Those who know."]
    common = found(terms, text)["common words"]
    assert common == [("May", 1, "2 times in lower case, once not")]
    ignoring = lexicon(("WHO", "ORG"), rules=Rules(case="ignore"))
    assert found(ignoring, text)["common words"] == [("WHO", 1, "once in lower case, 0 times not")]


def test_a_term_that_is_also_listed_in_lower_case_is_no_common_word():
    terms = lexicon(("Aspirin", "Drug"), ("aspirin", "Drug"))
    assert "common words" not in found(terms, ["He took aspirin, and aspirin again."])


def test_terms_that_the_rules_leave_out_are_not_missed():
    terms = lexicon(("Ayr", "LOC"), ("Bath", "LOC"), ("York", "LOC"), rules=Rules(min_length=4, stop=("Bath",)))
    assert found(terms, ["Ayr and Bath."]) == {"never found": [("York", 3, "")]}


def test_terms_inside_longer_ones(monkeypatch):
    monkeypatch.setattr("gleanner.gazetteer.bulk._AT_ONCE", 2)
    terms = lexicon(("York", "LOC"), ("New York", "LOC"), ("Yorkshire", "LOC"), ("University of York", "ORG"), ("cat",))
    findings = inside(terms, 10)
    assert [(one.text, one.note) for one in findings.first] == [
        ("York", "LOC, in 'New York', LOC (a.tsv:2) and 1 more")
    ]


def test_the_whole_check_counts_its_problems():
    terms = lexicon(("Bath", "LOC"), ("Bath", "LOC"), ("York", "LOC"))
    report = check(terms, [[Passage("He saw Bath.")], [Passage("Nothing.")]], 1)
    assert (report.terms, report.sentences, report.words, report.problems) == (3, 2, 6, 1)
    plain = report.to_dict()
    assert plain["kinds"]["duplicates"]["findings"] == [
        {"term": "Bath", "file": "a.tsv", "line": 2, "note": "LOC already in a.tsv:1"}
    ]
    assert (plain["kinds"]["never found"]["problem"], plain["kinds"]["never found"]["total"]) == (False, 1)
