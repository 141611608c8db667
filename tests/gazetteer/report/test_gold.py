import pytest

from gleanner.data.characters import to_characters
from gleanner.errors import InputError
from gleanner.evaluation.report import evaluate
from gleanner.gazetteer.report.gold import Gold
from gleanner.types import UNKNOWN, Sentence, Span


def sentence(text, *spans):
    return Sentence(tuple(text.split()), tuple(Span(*span) for span in spans), complete=True)


def noted(gold, sentences):
    answers = {}
    for annotated in sentences:
        text, labels = to_characters(annotated)
        gold.note(text, labels, answers)
    return answers


TRUTH = (
    sentence("Ada met Babbage", (0, 1, "PER"), (2, 3, "PER")),
    sentence("in London", (1, 2, "LOC")),
    sentence("Yes"),
    sentence("in London"),
)
FOUND = (
    sentence("Ada met Babbage", (0, 1, "PER"), (1, 2, "LOC")),
    sentence("in London", (1, 2, "LOC")),
    sentence("Yes"),
    sentence("in London", (1, 2, "PER")),
)


def test_the_scores_are_those_of_a_direct_comparison():
    gold = Gold(TRUTH)
    compared = gold.compare(noted(gold, FOUND))
    assert (compared.gold, compared.found) == (4, 4)
    assert compared.report == evaluate(TRUTH, FOUND)


def test_sentences_are_found_wherever_they_stand_in_a_larger_text():
    gold = Gold(TRUTH)
    others = [sentence(f"number {number}", (0, 1, "PER")) for number in range(5)]
    compared = gold.compare(noted(gold, [*others, FOUND[1], *others, FOUND[0]]))
    assert (compared.gold, compared.found) == (4, 2)
    assert compared.report.micro == evaluate(TRUTH[:2], FOUND[:2]).micro


def test_parts_are_joined_in_their_order_and_never_hold_more_than_the_gold():
    gold = Gold(TRUTH)
    whole = noted(gold, FOUND + FOUND)
    parts = noted(gold, FOUND[:2])
    gold.join(parts, noted(gold, FOUND[2:] + FOUND))
    assert parts == whole
    assert sum(map(len, whole.values())) == 4


def test_a_text_that_was_cut_into_other_words_is_compared_letter_by_letter():
    gold = Gold([Sentence(("Ada", "'s", "aspirin-free", "day"), (Span(0, 1, "PER"), Span(2, 3, "X")), complete=True)])
    answers = {}
    gold.note("Ada's aspirin-free day", [(0, 3, "PER"), (6, 13, "X")], answers)
    report = gold.compare(answers).report
    assert (report.micro.true_positives, report.micro.predicted, report.micro.gold) == (1, 2, 2)
    assert report.type_only.true_positives == 2
    assert {example.gold for confusion in report.confusions for example in confusion.examples} == {"aspirin-free"}


def test_unknown_labels_are_no_predictions():
    gold = Gold([sentence("Ada met", (0, 1, "PER"))])
    report = gold.compare(noted(gold, [sentence("Ada met", (0, 1, "PER"), (1, 2, UNKNOWN))])).report
    assert report.micro.precision == 1.0


def test_nothing_found_is_no_score():
    gold = Gold(TRUTH)
    compared = gold.compare(noted(gold, [sentence("something else")]))
    assert (compared.found, compared.report) == (0, None)
    assert compared.to_dict() == {"sentences": 4, "found": 0, "scores": None}


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\t"])
def test_white_space_of_any_kind_does_not_matter(space):
    gold = Gold([sentence("Ada met", (0, 1, "PER"))])
    answers = {}
    gold.note(f"Ada{space}met", [(0, 3, "PER")], answers)
    assert gold.compare(answers).report.micro.f1 == 1.0


def test_the_fingerprint_is_that_of_the_sentences_that_are_looked_for():
    assert Gold(TRUTH).fingerprint == Gold(FOUND[::-1]).fingerprint != Gold(TRUTH[:2]).fingerprint


def test_a_text_without_labels_is_no_gold(tmp_path):
    (tmp_path / "raw.txt").write_text("Ada met Babbage.")
    with pytest.raises(InputError, match="no label in it"):
        Gold.read(tmp_path / "raw.txt")
