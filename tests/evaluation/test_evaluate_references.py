"""The same numbers as seqeval and as conlleval, the script of the CoNLL shared tasks."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from seqeval.metrics import classification_report
from seqeval.scheme import IOB2

from gleanner.data.tags import spans
from gleanner.evaluation.report import evaluate
from gleanner.evaluation.scores import Score
from gleanner.types import Sentence

# --- conlleval: its rules for where chunks start and end, and its one pass over the words -----------------------------


def ends_chunk(before, tag, type_before, type_):
    return (
        (before == "B" and tag in "BO") or (before == "I" and tag in "BO") or (before != "O" and type_before != type_)
    )


def starts_chunk(before, tag, type_before, type_):
    return (
        (before == "B" and tag == "B")
        or (before == "I" and tag == "B")
        or (before == "O" and tag in "BI")
        or (tag != "O" and type_before != type_)
    )


def split(tag):
    return (tag[0], tag[2:]) if tag != "O" else ("O", "")


def conlleval(gold, predicted):
    """The chunks that are right, guessed and in the gold, as the Perl script counts them."""
    correct = found_guessed = found_correct = 0
    inside = False  # a chunk that both sides opened together is not closed yet
    last_c = last_g = ("O", "")
    for gold_tags, predicted_tags in zip(gold, predicted, strict=True):
        # The blank line after a sentence counts as a word outside on both sides.
        for c, g in zip([*map(split, gold_tags), ("O", "")], [*map(split, predicted_tags), ("O", "")], strict=True):
            end_c, end_g = (ends_chunk(b[0], t[0], b[1], t[1]) for b, t in ((last_c, c), (last_g, g)))
            start_c, start_g = (starts_chunk(b[0], t[0], b[1], t[1]) for b, t in ((last_c, c), (last_g, g)))
            if inside:
                if end_c and end_g and last_g[1] == last_c[1]:
                    inside = False
                    correct += 1
                elif end_c != end_g or g[1] != c[1]:
                    inside = False
            if start_c and start_g and g[1] == c[1]:
                inside = True
            found_correct += start_c
            found_guessed += start_g
            last_c, last_g = c, g
    return Score(correct, found_guessed, found_correct)


@pytest.mark.parametrize(
    "gold, predicted, score",
    [
        ("B-A I-A O", "B-A I-A O", Score(1, 1, 1)),
        ("B-A I-A O", "B-A O O", Score(0, 1, 1)),
        ("B-A I-A", "I-A I-A", Score(1, 1, 1)),
        ("B-A B-A", "B-A I-A", Score(0, 1, 2)),
        ("B-A I-B", "B-A B-B", Score(2, 2, 2)),
        ("B-A I-A I-A", "B-A I-A B-A", Score(0, 2, 1)),
        ("O O", "I-B I-A", Score(0, 2, 0)),
        ("B-A O B-B", "B-B O B-B", Score(1, 2, 2)),
    ],
)
def test_the_reference_itself(gold, predicted, score):
    assert conlleval([gold.split()], [predicted.split()]) == score


def test_the_reference_ends_chunks_with_sentences():
    assert conlleval([["B-A"], ["I-A"]], [["B-A"], ["B-A"]]) == Score(2, 2, 2)


# --- valid tags ------------------------------------------------------------------------------------------------------


def valid(steps):
    """BIO tags from "O", "B-<type>" and "I", which goes on with what is before it."""
    tags = []
    for step in steps:
        before = tags[-1] if tags else "O"
        tags.append(step if step != "I" else "O" if before == "O" else "I-" + before[2:])
    return tags


def to_sentence(tags, *, strict=True):
    return Sentence(tuple(map(str, range(len(tags)))), tuple(spans(tags, "BIO", strict=strict)), complete=True)


step = st.sampled_from(["O", "I", "I", "B-A", "B-B", "B-Cc"])


def pairs_of(one):
    """Documents: lists of (gold tags, predicted tags) with as many words; half of the predictions are near the gold."""

    def near(tags):
        changes = st.lists(st.tuples(st.integers(0, len(tags) - 1), one), max_size=2)
        return changes.map(lambda made: [dict(made).get(i, tag) for i, tag in enumerate(tags)])

    sentence = st.lists(one, min_size=1, max_size=12).flatmap(
        lambda tags: st.tuples(
            st.just(tags), st.one_of(near(tags), st.lists(one, min_size=len(tags), max_size=len(tags)))
        )
    )
    return st.lists(sentence, min_size=1, max_size=8)


ADVERSARIAL = [
    [(["B-A", "B-A", "I"], ["B-A", "I", "I"])],
    [(["B-A", "I", "B-B", "I"], ["B-A", "I", "I", "I"])],
    [(["B-A"], ["B-A"]), (["B-A"], ["O"])],
    [(["O"], ["B-A"])],
    [(["O"], ["O"])],
    [(["B-A", "I"], ["O", "B-A"]), (["B-B"], ["B-B"])],
]


def with_adversarial(test):
    for case in ADVERSARIAL:
        test = example(case)(test)
    return test


@with_adversarial
@settings(max_examples=80, deadline=None)
@given(pairs_of(step))
def test_valid_tags_score_as_seqeval_and_conlleval_do(steps):
    gold, predicted = [valid(ours) for ours, _ in steps], [valid(theirs) for _, theirs in steps]
    report = evaluate([*map(to_sentence, gold)], [*map(to_sentence, predicted)], bootstrap=0)
    assert report.micro == conlleval(gold, predicted)
    check_seqeval(report, gold, predicted)
    check_seqeval(report, gold, predicted, mode="strict", scheme=IOB2)


def check_seqeval(report, gold, predicted, **how):
    if not report.types:
        return  # seqeval fails without any entity
    theirs = classification_report(gold, predicted, output_dict=True, zero_division=0, **how)
    assert numbers(theirs.pop("micro avg")) == numbers_of(report.micro)
    assert numbers(theirs.pop("macro avg")) == numbers_of(report.macro)
    del theirs["weighted avg"]
    assert {name: numbers(row) for name, row in theirs.items()} == {
        name: numbers_of(score) for name, score in report.types.items()
    }
    assert {name: row["support"] for name, row in theirs.items()} == {
        name: score.gold for name, score in report.types.items()
    }


def numbers(row):
    return tuple(float(np.float64(row[key])) for key in ("precision", "recall", "f1-score"))


def numbers_of(score):
    return score.precision, score.recall, score.f1


# --- tags as models write them: an inside without a beginning, a change of type in the middle -------------------------

any_tag = st.sampled_from(["O", "B-A", "I-A", "B-B", "I-B", "B-Cc", "I-Cc"])


@example([(["I-A", "I-A"], ["B-A", "I-A"])])
@example([(["B-A", "I-B"], ["B-A", "B-B"])])
@example([(["I-A"], ["I-A"]), (["I-A"], ["B-A"])])
@settings(max_examples=80, deadline=None)
@given(pairs_of(any_tag))
def test_tags_read_leniently_score_as_seqeval_and_conlleval_do(tags):
    gold, predicted = [ours for ours, _ in tags], [theirs for _, theirs in tags]
    report = evaluate(
        [to_sentence(ours, strict=False) for ours in gold],
        [to_sentence(theirs, strict=False) for theirs in predicted],
        bootstrap=0,
    )
    assert report.micro == conlleval(gold, predicted)
    check_seqeval(report, gold, predicted)
