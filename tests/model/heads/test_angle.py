from itertools import combinations

import pytest
import torch
from torch.testing import assert_close

from gleanner.model.heads.angle import Simplex, vertices


@pytest.mark.parametrize("classes", range(2, 12))
def test_the_vertices_are_a_regular_simplex_around_the_origin(classes):
    corners = vertices(classes)
    assert corners.shape == (classes, classes - 1)
    for corner in corners:
        assert corner.norm().item() == pytest.approx(1, abs=1e-12)
    for one, other in combinations(corners, 2):
        assert (one @ other).item() == pytest.approx(-1 / (classes - 1), abs=1e-12)
    assert_close(corners.sum(dim=0), torch.zeros(classes - 1, dtype=torch.float64))


def test_vertices_by_hand():
    assert vertices(2).flatten().tolist() == pytest.approx([1, -1])  # -(1 + sqrt 2) + sqrt 2
    # 2^-1/2 = 0.7071; -(1 + sqrt 3) / 2^3/2 = -0.9659; that + sqrt(3 / 2) = 0.2588
    by_hand = torch.tensor([[0.7071, 0.7071], [0.2588, -0.9659], [-0.9659, 0.2588]], dtype=torch.float64)
    assert_close(vertices(3), by_hand, atol=1e-4, rtol=0)


def whole(head, words, units):
    """`(A h + b) . W_j`."""
    output = words.start @ head.scorer.output.weight.T + head.scorer.output.bias
    return torch.stack([output @ corner for corner in head.scorer.corners], dim=1)


def test_scores_are_inner_products_with_the_vertices(build_head, assert_same):
    assert_same(*build_head("angle"), whole)


@pytest.mark.parametrize("head", ["angle", "angle-crf"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_scores_sum_to_zero_in_half_precision_too(build_head, head, dtype):
    head, words, units = build_head(head, classes=("O", *"ABCDEFGH"))
    head, words = head.float(), type(words)(*(vectors.float() for vectors in words))
    with torch.autocast("cpu", dtype, enabled=dtype != torch.float32):
        scores = head(words, units)
    assert scores.dtype == torch.float32
    assert scores.abs().max() > 0.1
    assert_close(scores.sum(dim=1), torch.zeros(len(scores)), atol=1e-5, rtol=0)


def test_gradients_by_differences():
    torch.manual_seed(0)
    layer = Simplex(4, 3).double()
    vectors = torch.randn(5, 4, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda *given: layer(given[0]), (vectors, *layer.parameters()))


def test_the_corners_are_not_saved(build_head):
    head, _, _ = build_head("angle")
    assert sorted(head.state_dict()) == ["scorer.output.bias", "scorer.output.weight"]


@pytest.mark.parametrize("size", [0.0, 1e4, 1e30])
def test_extreme_vectors_leave_the_loss_finite(build_head, size):
    head, words, units = build_head("angle")
    words = type(words)(*(size * vectors.float() for vectors in words))
    labels = torch.arange(len(units.start)) % 3
    loss = head.float().negative_log_likelihood(words, units, labels, torch.ones(len(labels)))
    assert loss.isfinite()
    assert all(gradient.isfinite().all() for gradient in torch.autograd.grad(loss, [*head.parameters()]))
