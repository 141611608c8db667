"""Uniform negative sampling costs what it draws, and no more."""

import pytest
import torch

from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import HeadShape, head_class
from gleanner.model.units import Targets, Units
from gleanner.training.samplers.uniform import Uniform
from gleanner.training.scores import Scores
from gleanner.training.stage import Progress, cross_entropy

PROGRESS = Progress(step=0, steps_per_epoch=2, epochs=4)


def test_scores_are_not_looked_at(units_of):
    scores, targets = units_of([10], [55])
    Uniform(0.35)(scores, targets, PROGRESS)
    assert scores.head.asked == []


@pytest.mark.parametrize("name", ["concat", "interaction", "biaffine"])
def test_only_the_drawn_units_are_scored(monkeypatch, name):
    words, width = 10, 3
    start = torch.arange(words).repeat_interleave(width)
    end = start + torch.arange(width).repeat(words)
    inside = end < words
    start, end = start[inside], end[inside]
    units = Units(
        torch.zeros_like(start), start, end, torch.tensor([words]), torch.tensor([words]), torch.arange(len(start))
    )
    known = torch.zeros(len(start), dtype=torch.bool)
    known[4] = True
    targets = Targets(known.long(), known, torch.ones(len(start)))
    head = head_class(name)(HeadShape(8, ("O", "PER"), width, None))
    asked = []
    forward = head.forward
    monkeypatch.setattr(head, "forward", lambda w, u, index=None: asked.append(index) or forward(w, u, index))

    vectors = torch.randn(words, 8)
    scores = Scores(head, WordVectors(vectors, vectors), units)
    weights = Uniform(0.35)(scores, targets, PROGRESS)
    cross_entropy(scores, targets, weights, PROGRESS).backward()
    (index,) = asked
    assert index.tolist() == weights.nonzero().squeeze(1).tolist()
    assert len(index) == 1 + 4  # the known one and ceil(0.35 * 10)
