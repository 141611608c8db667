import pytest
import torch

from gleanner.analyse.keep import Keep
from gleanner.analyse.uncertainty import SELECTIONS, Study, select, uncertainty
from gleanner.training.reporter import Silent

ENTROPY = torch.tensor([0.9, 0.1, 0.5, 0.4, 0.2, 0.8, 0.7, 0.3])
SENTENCE = torch.tensor([0, 0, 0, 0, 0, 1, 1, 1])
CANDIDATE = torch.tensor([False, True, True, True, True, True, True, True])


@pytest.mark.parametrize(
    ("which", "chosen"), [("top-k", [2, 3, 5]), ("middle-k", [3, 4, 6]), ("bottom-k", [1, 4, 7])], ids=SELECTIONS
)
def test_selection_by_hand(which, chosen):
    """Sorted, the first sentence has 0.5 0.4 0.2 0.1 (0.9 is no candidate), the second 0.8 0.7 0.3."""
    taken = select(which, ENTROPY, SENTENCE, CANDIDATE, torch.tensor([2, 1]))
    assert taken.nonzero().squeeze(1).tolist() == chosen


@pytest.mark.parametrize("which", SELECTIONS)
def test_a_sentence_with_too_few_gives_all_it_has(which):
    assert torch.equal(select(which, ENTROPY, SENTENCE, CANDIDATE, torch.tensor([9, 9])), CANDIDATE)


def test_the_halves_share_no_sentence_and_hidden_entities_are_never_chosen(plan_of, half_hidden, tiny_sentences):
    (run,) = plan_of("negative-sampling", training__epochs=1, method__rate=50.0)
    study = Study(run, half_hidden, None, list(tiny_sentences), Silent())
    first, second = study.halves
    assert len(first.train) == len(second.train) == 20
    assert {s.words for s in first.train}.isdisjoint({s.words for s in second.train})
    given = study.candidates
    taken = select("top-k", given.entropy, given.sentence, given.negative, given.wanted)  # all there are
    lengths = [len(sentence.words) for sentence in second.train]
    spans = sum(n - w + 1 for n in lengths for w in range(1, 5) if w <= n)
    assert taken.sum() == spans - sum(len(sentence.entities) for sentence in second.gold)
    assert (given.entropy >= 0).all()


def test_scores_by_selection(plan_of, half_hidden, tiny_sentences, tmp_path):
    runs = plan_of("negative-sampling", seeds=(1, 2), training__epochs=2)
    findings = uncertainty(half_hidden, runs, Keep(tmp_path), Silent(), test=tiny_sentences)
    rows = findings.sheets["uncertainty"].rows
    assert [(row[0], row[1]) for row in rows] == [(which, 2) for which in SELECTIONS]
    entropies = [row[6] for row in rows]
    assert entropies == sorted(entropies, reverse=True)
    assert len({row[7] for row in rows}) == 1  # as many negatives for each
    assert len(list((tmp_path / "runs").iterdir())) == 6
    assert uncertainty(half_hidden, runs, Keep(tmp_path), None, test=tiny_sentences).sheets == findings.sheets
    assert len(findings.save(tmp_path)) == 5
