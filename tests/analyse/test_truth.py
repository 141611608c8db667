import dataclasses

import pytest

from gleanner import InputError, Sentence, Span
from gleanner.analyse.truth import Truth, digest
from gleanner.data.mask import mask

GOLD = [
    Sentence(("Ada", "met", "Bob"), (Span(0, 1, "PER"), Span(2, 3, "PER")), complete=True),
    Sentence(("York",), (Span(0, 1, "LOC"),), complete=True),
]


def test_masking_is_that_of_gleanner_mask(tiny_sentences):
    made = Truth.masked(tiny_sentences, 0.5, 3)
    assert made.train == list(mask(tiny_sentences, 0.5, 3))
    assert made.gold == list(tiny_sentences)


def test_hidden_entities_are_those_without_a_label():
    train = [Sentence(("Ada", "met", "Bob"), (Span(0, 1, "LOC"),)), Sentence(("York",))]
    assert Truth.paired(train, GOLD).hidden() == [
        (0, Span(2, 3, "PER")),
        (1, Span(0, 1, "LOC")),
    ]  # Ada is labelled, if wrongly


@pytest.mark.parametrize(
    ("train", "message"),
    [
        (
            [GOLD[0], Sentence(("Yorck",))],
            r"sentence 2 is not the same text: word 1 is 'York' in the gold and 'Yorck' in the training data",
        ),
        (GOLD[:1], "sentence 2 is missing from the training data"),
        ([*GOLD, GOLD[0]], "sentence 3 is missing from the gold"),
    ],
)
def test_both_files_have_the_same_words(train, message):
    with pytest.raises(InputError, match=message):
        Truth.paired(train, GOLD)


def test_nothing_hidden_is_an_error():
    with pytest.raises(InputError, match="nothing is hidden"):
        Truth.paired(GOLD, GOLD).require_hidden()


def test_gold_of_a_stage_that_reads_other_sentences():
    first, second = GOLD
    again = dataclasses.replace(first, spans=())
    truth = Truth.paired([first, second, again], [first, second, again])
    bare = [dataclasses.replace(sentence, spans=()) for sentence in (second, first, first)]
    assert truth.gold_of(bare) == [second, first, again]  # the n-th of the same words
    with pytest.raises(InputError, match=r"sentence 1 of a stage of this method is not in the gold: 'Eve'"):
        truth.gold_of([Sentence(("Eve",))])


def test_other_labels_are_other_data():
    assert digest(GOLD) == digest(list(GOLD))
    assert digest(GOLD) != digest([GOLD[0], dataclasses.replace(GOLD[1], spans=())])
    assert digest(GOLD, []) != digest([], GOLD)
