import re

import pytest

from gleanner.errors import InputError
from gleanner.evaluation.sides import lay_side_by_side
from gleanner.types import NOT_ENTITY, UNKNOWN

REMEDY = "; score predictions that were made on all gold sentences, in the same order"


def message(gold, predicted):
    with pytest.raises(InputError) as caught:
        lay_side_by_side(gold, {"the predictions": predicted})
    return str(caught.value)


def test_the_first_different_word_is_named(build):
    gold = [build("a b"), build("c d e"), build("f")]
    assert message(gold, [build("a b"), build("c x y"), build("g")]) == (
        "sentence 2 is not the same text: word 2 is 'd' in the gold and 'x' in the predictions" + REMEDY
    )


def test_a_shorter_and_a_longer_sentence(build):
    short, long = [build("a")], [build("a b")]
    assert "sentence 1 " in message(long, short)
    assert "word 2 is 'b' in the gold and no word in the predictions" in message(long, short)
    assert "word 2 is no word in the gold and 'b' in the predictions" in message(short, long)


def test_a_missing_sentence_is_named(build):
    one, two = [build("a")], [build("a"), build("b")]
    assert message(two, one) == (
        "sentence 2 is missing from the predictions: the gold has 2 sentences, the predictions have 1" + REMEDY
    )
    assert message(one, two).startswith("sentence 2 is missing from the gold: ")


def test_a_different_sentence_before_the_end_comes_first(build):
    assert message([build("a"), build("b")], [build("x")]).startswith("sentence 1 is not the same text")


def test_no_sentence():
    assert message([], []) == "there is no gold sentence to score; give at least one"


def test_only_entities_count(build):
    gold = [build("a b c", (0, 1, NOT_ENTITY), (1, 2, "X"))]
    predicted = [build("a b c", (0, 1, UNKNOWN), (1, 2, NOT_ENTITY), (2, 3, "X"))]
    sides = lay_side_by_side(gold, {"p": predicted})
    assert sides.spans.start.tolist() == [1, 2]
    assert sides.present.tolist() == [[True, False], [False, True]]
    assert {sides.labels[label] for label in sides.spans.label.tolist()} == {"X"}


def test_predictions_on_exactly_unknown_words_are_ignored(build):
    gold = [build("a b c", (0, 2, UNKNOWN)), build("a b", (0, 1, "X"))]
    predicted = [build("a b c", (0, 2, "X"), (0, 1, "Y")), build("a b", (0, 1, "X"))]
    sides = lay_side_by_side(gold, {"p": predicted})
    assert sides.ignored == 1
    assert list(zip(sides.spans.sentence.tolist(), sides.spans.end.tolist(), strict=True)) == [(0, 1), (1, 1)]
    assert sides.present.tolist() == [[False, True], [True, True]]


def test_each_prediction_is_checked_under_its_name(build):
    with pytest.raises(InputError, match=re.escape("'z' in the second")):
        lay_side_by_side([build("a")], {"the first": [build("a")], "the second": [build("z")]})


def test_iterators_are_enough(build):
    sides = lay_side_by_side(iter([build("a")]), {"p": iter([build("a", (0, 1, "X"))])})
    assert sides.present.tolist() == [[False], [True]]
