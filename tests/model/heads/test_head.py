import pytest
import torch

from gleanner.errors import InputError
from gleanner.model.heads.head import HEADS, head_class

NAMES = HEADS.names()


@pytest.mark.parametrize("name", NAMES)
def test_every_head_is_found_by_its_name(name):
    found = head_class(name)
    assert found.__module__ == f"gleanner.model.heads.{name.replace('-', '_')}"
    assert found.unit in ("spans", "tokens")
    assert found.pooling in ("first", "edges")


@pytest.mark.parametrize("name", ["head", "", "os", "concat.Concat"])
def test_an_unknown_head(name):
    with pytest.raises(InputError) as caught:
        head_class(name)
    assert str(caught.value) == f"no head is called {name!r}; choose one of: {', '.join(NAMES)}"


BY_UNIT = ["angle", "biaffine", "concat", "interaction", "linear", "twofold"]


@pytest.mark.parametrize("name", BY_UNIT)
def test_loss_is_the_weighted_sum_of_those_with_a_weight(build_head, name):
    head, words, units = build_head(name)
    count = len(units.start)
    labels, weights = torch.arange(count) % 3, (torch.arange(count) % 4).double() / 2
    probability = head(words, units).softmax(dim=1)[torch.arange(count), labels]
    expected = -(weights * probability.log()).sum()
    loss = head.negative_log_likelihood(words, units, labels, weights)
    torch.testing.assert_close(loss.double(), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_without_weights_there_is_no_loss_and_no_gradient(build_head, name):
    head, words, units = build_head(name)
    count = len(units.start)
    loss = head.negative_log_likelihood(words, units, torch.zeros(count, dtype=torch.long), torch.zeros(count))
    gradients = torch.autograd.grad(loss, words, allow_unused=True)
    assert loss.item() == pytest.approx(0, abs=1e-6)
    assert all(gradient is None or gradient.abs().max() < 1e-6 for gradient in gradients)


@pytest.mark.parametrize("name", BY_UNIT)
def test_what_is_removed_is_not_scored(build_head, name):
    head, words, units = build_head(name)
    count = len(units.start)
    labels, weights = torch.arange(count) % 3, (torch.arange(count) % 4).double() / 2
    removed = torch.arange(count) % 2 == 0
    found = head.negative_log_likelihood(words, units, labels, weights, removed)
    assert found.item() == head.negative_log_likelihood(words, units, labels, weights * ~removed).item() != 0


@pytest.mark.parametrize("name", BY_UNIT)
def test_best(build_head, name):
    head, _, units = build_head(name)
    label, probability = head.best(torch.tensor([[0.0, 2.0, 1.0], [3.0, 0.0, 0.0]], dtype=torch.bfloat16), units)
    assert label.tolist() == [1, 0]
    assert probability.dtype == torch.float32
    assert probability[0].item() == pytest.approx(0.66524, abs=1e-4)  # e^2 / (1 + e^2 + e)


@pytest.mark.parametrize("name", NAMES)
def test_half_precision(build_head, name):
    head, words, units = build_head(name)
    head, words = head.float(), type(words)(*(vectors.detach().float() for vectors in words))
    labels, weights = torch.arange(len(units.start)) % 3, torch.ones(len(units.start))
    exact = head.negative_log_likelihood(words, units, labels, weights)
    with torch.autocast("cpu", torch.bfloat16):
        loss = head.negative_log_likelihood(words, units, labels, weights)
        label, probability = head.best(head(words, units), units)
    loss.backward()
    assert loss.dtype == probability.dtype == torch.float32
    assert loss.item() == pytest.approx(exact.item(), rel=0.05)
    assert len(label) == len(units.start)
    assert all(p.grad is not None and p.grad.isfinite().all() for p in head.parameters())
