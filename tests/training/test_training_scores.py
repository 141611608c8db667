"""A batch's scores, asked for twice in one step."""

import math

import pytest
import torch

from gleanner.model.encoder import WordVectors
from gleanner.model.heads.concat import Concat
from gleanner.model.heads.crf import CRF
from gleanner.model.heads.head import HeadShape
from gleanner.model.heads.linear import Linear
from gleanner.model.units import Units
from gleanner.training.scores import Scores

SHAPE = HeadShape(size=4, classes=("O", "I-PER"), max_width=1, dropout=0.0)


def scores_of(head, vectors):
    place = torch.arange(len(vectors))
    count = torch.tensor([len(vectors)])
    units = Units(torch.zeros_like(place), place, place, count, count, place)
    return Scores(head, WordVectors(vectors, vectors), units)


def test_probabilities_have_no_gradient():
    head = Linear(SHAPE)
    with torch.no_grad():
        head.scorer.weight.zero_()
        head.scorer.bias.copy_(torch.tensor([0.0, math.log(3)]))
    probability = scores_of(head, torch.ones(2, 4, requires_grad=True)).probabilities()
    assert probability[1].tolist() == pytest.approx([0.25, 0.75])
    assert not probability.requires_grad


def test_probabilities_of_a_crf_are_those_of_its_sequences():
    head = CRF(SHAPE)
    with torch.no_grad():
        for parameter in head.parameters():
            parameter.zero_()
        head.transition[0, 1] = 1.0
    # Sequences OO, OI, IO, II of two words score 0, 1, 0, 0.
    probability = scores_of(head, torch.ones(2, 4)).probabilities()
    whole = 3 + math.e
    assert probability[:, 1].tolist() == pytest.approx([2 / whole, (1 + math.e) / whole])


@pytest.mark.parametrize("which", ["hidden", "span"])
def test_features_have_no_gradient(which):
    (part,) = scores_of(Linear(SHAPE), torch.ones(2, 4, requires_grad=True)).features(which)
    assert part.table.tolist() == [[1.0] * 4] * 2
    assert part.row.tolist() == [0, 1]
    assert not part.table.requires_grad


def test_a_look_at_the_probabilities_does_not_keep_the_head_from_learning_in_bf16():
    head, vectors = Linear(SHAPE), torch.ones(3, 4, requires_grad=True)
    scores = scores_of(head, vectors)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not scores.probabilities().requires_grad
        scores.negative_log_likelihood(torch.tensor([1, 0, 1]), torch.ones(3)).backward()
    assert head.scorer.weight.grad.abs().sum() > 0
    assert vectors.grad.abs().sum() > 0


def test_nor_does_a_look_at_the_features():
    head, vectors = Concat(SHAPE), torch.ones(3, 4, requires_grad=True)
    scores = scores_of(head, vectors)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not scores.features("hidden")[0].table.requires_grad
        scores.negative_log_likelihood(torch.tensor([1, 0, 1]), torch.ones(3)).backward()
    assert all(parameter.grad.abs().sum() > 0 for parameter in head.scorer.parameters())
    assert vectors.grad.abs().sum() > 0
