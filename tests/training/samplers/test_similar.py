"""Similarity to all entities: against numbers worked out by hand, and against the matrix that is never made."""

import math

import pytest
import torch
from torch.nn.functional import normalize

from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import HeadShape, Part, head_class
from gleanner.model.units import Targets, Units
from gleanner.training.samplers.similar import Similar, mean_similarity
from gleanner.training.scores import Scores
from gleanner.training.stage import Progress

PROGRESS = Progress(0, 1, 1)

ENTITIES = [[2.0, 0.0], [0.0, 3.0]]
# Their directions are (1, 0) and (0, 1), so a vector (a, b) has the mean similarity (a + b) / (2 |(a, b)|).
OTHERS = [[1.0, 1.0], [4.0, 0.0], [-1.0, 1.0], [-3.0, -4.0]]
SIMILARITY = [1 / math.sqrt(2), 1 / 2, 0.0, -7 / 10]


def batch(vectors, entities=(0, 1)):
    """Words and what is known of them: `linear` compares the words' vectors."""
    place = torch.arange(len(vectors))
    count = torch.tensor([len(vectors)])
    vectors = torch.as_tensor(vectors)
    head = head_class("linear")(HeadShape(vectors.shape[1], ("O", "I-PER", "I-LOC"), 1, None))
    units = Units(torch.zeros_like(place), place, place, count, count, place)
    label = torch.zeros_like(place)
    label[list(entities)] = 1 + place[: len(entities)] % 2
    return Scores(head, WordVectors(vectors, vectors), units), Targets(label, label > 0, torch.ones(len(place)))


def test_mean_similarity_by_hand():
    vectors = torch.tensor(ENTITIES + OTHERS)
    found = mean_similarity([Part(vectors, None)], torch.tensor([0, 1]))
    assert found.tolist() == pytest.approx([0.5, 0.5, *SIMILARITY], abs=1e-6)


@pytest.mark.parametrize(
    ("settings", "chosen"),
    [
        ({"ratio": 0.05}, [0]),
        ({"ratio": 0.25}, [0]),
        ({"ratio": 0.26}, [0, 1]),
        ({"ratio": 0.75}, [0, 1, 2]),
        ({"ratio": 1.0}, [0, 1, 2, 3]),
        ({"ratio": 0.05, "select": "bottom"}, [3]),
        ({"ratio": 0.5, "select": "bottom"}, [2, 3]),
        ({"ratio": 1.0, "select": "bottom"}, [0, 1, 2, 3]),
    ],
)
@pytest.mark.parametrize("features", ["hidden", "span"])
def test_the_most_and_the_least_similar(settings, chosen, features):
    scores, targets = batch(ENTITIES + OTHERS)
    weights = Similar(**settings, features=features)(scores, targets, PROGRESS)
    assert weights[:2].tolist() == [1.0, 1.0]
    assert weights[2:].nonzero().squeeze(1).tolist() == chosen


def test_all_sentences_of_a_batch_are_ranked_together():
    scores, targets = batch(ENTITIES + OTHERS)
    scores.units.row[4:] = 1  # a sentence without entities, and with the two least similar
    assert Similar(0.5)(scores, targets, PROGRESS).tolist() == [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]


def test_what_is_annotated_or_forbidden_is_not_ranked():
    scores, targets = batch(ENTITIES + OTHERS)
    targets.weight[2] = 0.0  # the most similar, unknown to all methods
    targets.known[5] = True  # the least similar, said to be no entity
    assert Similar(0.05)(scores, targets, PROGRESS).tolist() == [1.0, 1.0, 0.0, 1.0, 0.0, 1.0]


def test_one_type_and_one_entity():
    scores, targets = batch(ENTITIES + OTHERS, entities=[1])
    found = Similar(0.2)(scores, targets, PROGRESS)  # of five others, the one that points most to (0, 1)
    assert found.tolist() == [0.0, 1.0, 1.0, 0.0, 0.0, 0.0]  # (1, 1) and (-1, 1) are equal: the first


def test_without_entities_a_uniform_draw():
    scores, targets = batch(ENTITIES + OTHERS, entities=[])
    torch.manual_seed(2)
    draws = 4000
    counts = sum(Similar(0.34)(scores, targets, PROGRESS) for _ in range(draws))
    assert counts.sum() == 3 * draws  # ceil(0.34 * 6)
    assert counts / draws == pytest.approx([0.5] * 6, abs=4.5 * math.sqrt(0.25 / draws))


def test_a_batch_in_which_everything_is_annotated():
    scores, targets = batch(ENTITIES + OTHERS)
    targets.known[:] = True
    assert Similar()(scores, targets, PROGRESS).tolist() == [1.0] * 6


def test_a_vector_of_zeros_is_similar_to_none():
    """A layer of ReLUs gives such."""
    vectors = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [-1.0, 0.0]])
    found = mean_similarity([Part(vectors, None)], torch.tensor([0, 1]))
    assert found.tolist() == pytest.approx([0.0, 0.5, 0.0, 0.5 / math.sqrt(2), -0.5], abs=1e-6)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_parts_are_those_of_the_whole(dtype):
    """Units that share rows of two tables, beside vectors of their own, against all pairs of joined vectors."""
    torch.manual_seed(0)
    rows = [torch.randint(7, (30,)), torch.randint(3, (30,)), None]
    tables = [torch.randn(count, size).to(dtype) for count, size in ((7, 16), (3, 5), (30, 8))]
    parts = [Part(table, row) for table, row in zip(tables, rows, strict=True)]
    joined = torch.cat([t.float() if r is None else t.float()[r] for t, r in zip(tables, rows, strict=True)], dim=1)
    entities = torch.tensor([3, 8, 20, 21])
    pairs = normalize(joined, dim=1) @ normalize(joined[entities], dim=1).T
    with torch.autocast("cpu", torch.bfloat16):
        found = mean_similarity(parts, entities)
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, pairs.mean(dim=1), rtol=1e-5, atol=1e-6)


def test_a_look_at_the_head_leaves_no_trace_in_it():
    scores, targets = batch(ENTITIES + OTHERS)
    Similar()(scores, targets, PROGRESS)
    assert scores.head.training
    assert all(parameter.grad is None for parameter in scores.head.parameters())
