import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.errors import InputError
from gleanner.evaluation.confusions import Confusion, Example
from gleanner.evaluation.report import evaluate
from gleanner.evaluation.scores import Macro, Score
from gleanner.types import UNKNOWN, Sentence, Span


@pytest.fixture
def gold(build):
    return [
        build("Ada Lovelace met Charles Babbage in London", (0, 2, "PER"), (3, 5, "PER"), (6, 7, "LOC")),
        build("The Royal Society thanked Paris", (1, 3, "ORG"), (4, 5, "PER")),
        build("Nothing here"),
    ]


@pytest.fixture
def predicted(build):
    return [
        # right; cut; right
        build("Ada Lovelace met Charles Babbage in London", (0, 2, "PER"), (3, 4, "PER"), (6, 7, "LOC")),
        # missed ORG; wrong type
        build("The Royal Society thanked Paris", (4, 5, "LOC")),
        # invented
        build("Nothing here", (0, 1, "LOC")),
    ]


def test_scores_worked_out_by_hand(gold, predicted):
    report = evaluate(gold, predicted)
    assert report.micro == Score(true_positives=2, predicted=5, gold=5)
    assert report.types == {"LOC": Score(1, 3, 1), "ORG": Score(0, 0, 1), "PER": Score(1, 2, 3)}
    assert list(report.types) == ["LOC", "ORG", "PER"]
    assert report.macro.precision == pytest.approx((1 / 3 + 0 + 1 / 2) / 3)
    assert report.macro.recall == pytest.approx((1 + 0 + 1 / 3) / 3)
    assert report.macro.f1 == pytest.approx((1 / 2 + 0 + 2 / 5) / 3)
    assert report.boundaries == Score(3, 5, 5)
    assert report.type_only == Score(3, 5, 5)
    assert report.unseen == ("ORG",)
    assert report.warnings == ()
    assert (report.sentences, report.words) == (3, 14)


def test_confusions_worked_out_by_hand(gold, predicted):
    assert evaluate(gold, predicted).confusions == (
        Confusion(None, "LOC", 1, (Example(3, None, "Nothing"),)),
        Confusion("ORG", None, 1, (Example(2, "Royal Society", None),)),
        Confusion("PER", "LOC", 1, (Example(2, "Paris", "Paris"),)),
        Confusion("PER", "PER", 1, (Example(1, "Charles Babbage", "Charles"),)),
    )


def test_confusions_are_sorted_by_count_with_three_examples(build):
    gold = [build("a b", (0, 1, "X"))] + [build(f"w{i} b", (0, 1, "Y")) for i in range(5)]
    predicted = [build("a b")] + [build(f"w{i} b", (0, 1, "Z")) for i in range(5)]
    first, second = evaluate(gold, predicted).confusions
    assert (first.gold, first.predicted, first.count) == ("Y", "Z", 5)
    assert first.examples == tuple(Example(i + 2, f"w{i}", f"w{i}") for i in range(3))
    assert (second.gold, second.predicted, second.count) == ("X", None, 1)


def test_at_most_twenty_confusions(build):
    words = " ".join("w" * 30)
    gold = [build(words, *((i, i + 1, f"T{i:02}") for i in range(30)))]
    assert len(evaluate(gold, [build(words)]).confusions) == 20


def test_perfect(gold):
    report = evaluate(gold, gold)
    perfect = Score(5, 5, 5)
    assert report.micro == report.boundaries == report.type_only == perfect
    assert report.macro == Macro(1.0, 1.0, 1.0)
    assert report.confusions == report.unseen == report.warnings == ()


def test_no_predictions(gold):
    report = evaluate(gold, [Sentence(s.words) for s in gold])
    assert report.micro == report.boundaries == report.type_only == Score(0, 0, 5)
    assert report.unseen == ("LOC", "ORG", "PER")
    assert {c.predicted for c in report.confusions} == {None}


def test_no_gold(predicted):
    report = evaluate([Sentence(s.words, complete=True) for s in predicted], predicted)
    assert report.micro == report.boundaries == report.type_only == Score(0, 5, 0)
    assert report.unseen == ()
    assert report.warnings == ("the gold has no entity, so recall and F1 are 0 whatever is predicted",)


def test_nothing_on_either_side(build):
    report = evaluate([build("a")], [build("a")])
    assert report.micro == Score(0, 0, 0)
    assert (report.types, report.confusions) == ({}, ())


def test_duplicates_count_once(build):
    twice = [build("a", (0, 1, "X"), (0, 1, "X"))]
    assert evaluate(twice, twice).micro == Score(1, 1, 1)


def test_nested_spans(build):
    gold = [build("University of Paris", (0, 3, "ORG"), (2, 3, "LOC"))]
    report = evaluate(gold, [build("University of Paris", (0, 3, "LOC"), (2, 3, "LOC"))])
    assert report.micro == Score(1, 2, 2)
    assert report.boundaries == Score(2, 2, 2)
    assert [(c.gold, c.predicted) for c in report.confusions] == [("ORG", "LOC")]


def test_partial_pairs_are_one_to_one(build):
    gold = [build("a b c d", (0, 4, "X"))]
    report = evaluate(gold, [build("a b c d", (0, 1, "X"), (2, 4, "X"))])
    assert report.type_only == Score(1, 2, 1)
    assert [(c.gold, c.predicted) for c in report.confusions] == [(None, "X"), ("X", "X")]


def test_known_types_warn_and_count_as_missed(gold, predicted):
    report = evaluate(gold, predicted, known_types=["LOC", "PER"])
    assert report.warnings == ("the model never saw type 'ORG'; gold spans of it that count as missed: 1",)
    assert report.micro == evaluate(gold, predicted).micro


def test_incomplete_gold_warns(build):
    gold = [build("a", (0, 1, "X")), build("a", complete=False)]
    assert evaluate(gold, gold).warnings == (
        "a prediction that an incomplete annotation left out counts as wrong; "
        "gold sentences not marked complete: 1 of 2",
    )


def test_ignored_predictions_are_reported(build):
    gold = [build("a b", (0, 1, UNKNOWN), (1, 2, "X"))]
    report = evaluate(gold, [build("a b", (0, 1, "X"), (1, 2, "X"))])
    assert report.micro == Score(1, 1, 1)
    assert report.confusions == ()
    assert report.warnings == ("predictions left out because the gold marks their words as unknown: 1",)


def test_phrases_come_from_the_text_where_it_is_known():
    gold = [Sentence(("北", "京"), (Span(0, 2, "LOC"),), True, "北京", ((0, 1), (1, 2)))]
    assert evaluate(gold, [Sentence(("北", "京"))]).confusions[0].examples == (Example(1, "北京", None),)


def test_bootstrap_can_be_left_out_and_not_be_negative(gold, predicted):
    assert evaluate(gold, predicted, bootstrap=0).interval is None
    with pytest.raises(InputError, match="bootstrap is -1; give"):
        evaluate(gold, predicted, bootstrap=-1)


def test_json(gold, predicted):
    found = json.loads(json.dumps(evaluate(gold, predicted).to_dict()))
    assert found["micro"]["f1"] == pytest.approx(0.4)
    assert len(found["micro"]["interval"]["f1"]) == len(found["types"]["LOC"]["interval"]["f1"]) == 2
    assert found["confusions"][0] == {
        "gold": None,
        "predicted": "LOC",
        "count": 1,
        "examples": [{"sentence": 3, "gold": None, "predicted": "Nothing"}],
    }
    plain = json.loads(json.dumps(evaluate(gold, predicted, bootstrap=0).to_dict()))
    assert "interval" not in plain["micro"]
    assert set(plain) == {
        "micro", "macro", "types", "boundaries", "type_only", "confusions", "unseen", "warnings", "sentences", "words",
    }  # fmt: skip


spans = st.lists(
    st.tuples(st.integers(0, 4), st.integers(1, 3), st.sampled_from("XYZ")).map(
        lambda s: Span(s[0], min(s[0] + s[1], 5), s[2])
    ),
    max_size=5,
)


@settings(max_examples=60)
@given(st.lists(st.tuples(spans, spans), min_size=1, max_size=5))
def test_the_parts_of_a_report_agree(sides):
    words = tuple("abcde")
    gold = [Sentence(words, tuple(ours), complete=True) for ours, _ in sides]
    predicted = [Sentence(words, tuple(theirs)) for _, theirs in sides]
    report = evaluate(gold, predicted, bootstrap=20)
    micro = report.micro
    assert micro == Score(
        sum(score.true_positives for score in report.types.values()),
        sum(score.predicted for score in report.types.values()),
        sum(score.gold for score in report.types.values()),
    )
    assert sum(c.count for c in report.confusions if c.gold) == micro.gold - micro.true_positives
    assert sum(c.count for c in report.confusions if c.predicted) == micro.predicted - micro.true_positives
    boundary_errors = sum(c.count for c in report.confusions if c.gold == c.predicted)
    assert report.type_only.true_positives == micro.true_positives + boundary_errors
    assert report.interval is not None
    assert list(report.interval.types) == list(report.types)
