import pytest
import torch

from gleanner.training.soft import divergence, parts


def test_parts_by_hand():
    found = parts(torch.tensor([[0.5, 0.125, 0.375]]).log())
    torch.testing.assert_close(found.binary.exp(), torch.tensor([[0.5, 0.5]]))
    torch.testing.assert_close(found.types.exp(), torch.tensor([[0.25, 0.75]]))


def test_a_sure_o_has_types_all_the_same():
    log_p = torch.tensor([[300.0, 1.0, 0.0]]).log_softmax(dim=1)
    found = parts(log_p)
    torch.testing.assert_close(found.types.exp(), torch.tensor([[1.0, 0.0]]).softmax(dim=1), rtol=1e-4, atol=1e-4)
    assert found.binary.isfinite().all()


def test_a_divergence_is_that_of_torch():
    torch.manual_seed(0)
    target, p = torch.rand(6, 4).softmax(dim=1), torch.rand(6, 4).softmax(dim=1)
    expected = torch.nn.functional.kl_div(p.log(), target, reduction="none").sum(dim=1)
    torch.testing.assert_close(divergence(target, p.log()), expected)


def test_a_divergence_at_the_corners():
    target = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.5, 0.5]])
    log_p = torch.tensor([[0.0, -300.0], [-300.0, 0.0], [-1.0, -1.0], [0.5, 0.5]])
    log_p[3] = log_p[3].log()
    assert divergence(target, log_p).tolist() == pytest.approx([0, 0, 0, 0])


def test_gradients():
    logits = torch.randn(5, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).requires_grad_()
    target = torch.rand(5, 4, dtype=torch.float64).softmax(dim=1)

    def loss(logits):
        found, wanted = parts(logits.log_softmax(dim=1)), parts(target.log())
        return divergence(wanted.binary.exp(), found.binary) + divergence(wanted.types.exp(), found.types)

    assert torch.autograd.gradcheck(loss, (logits,))


def test_the_divergences_of_the_parts_make_up_that_of_the_whole():
    """KL(whole) = KL(binary) + p(entity) KL(types)."""
    torch.manual_seed(1)
    target, p = torch.rand(6, 4).double().softmax(dim=1), torch.rand(6, 4).double().softmax(dim=1)
    a, b = parts(target.log()), parts(p.log())
    entity = 1 - target[:, 0]
    together = divergence(a.binary.exp(), b.binary) + entity * divergence(a.types.exp(), b.types)
    torch.testing.assert_close(together, divergence(target, p.log()))
