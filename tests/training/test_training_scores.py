"""A batch's scores, asked for twice in one step."""

import torch

from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import HeadShape
from gleanner.model.heads.linear import Linear
from gleanner.model.units import Units
from gleanner.training.scores import Scores


def test_a_look_at_the_probabilities_does_not_keep_the_head_from_learning_in_bf16():
    head = Linear(HeadShape(size=4, classes=("O", "I-PER"), max_width=1, dropout=0.0))
    vectors = torch.ones(3, 4, requires_grad=True)
    place = torch.arange(3)
    units = Units(torch.zeros(3, dtype=torch.long), place, place, torch.tensor([3]), torch.tensor([3]), place)
    scores = Scores(head, WordVectors(vectors, vectors), units)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not scores.probabilities().requires_grad
        scores.negative_log_likelihood(torch.tensor([1, 0, 1]), torch.ones(3)).backward()
    assert head.scorer.weight.grad.abs().sum() > 0
    assert vectors.grad.abs().sum() > 0
