import torch

from gleanner.model.lexicon_attention import LexiconAttention


def attention():
    torch.manual_seed(0)
    return LexiconAttention(4, 3, 0.5).double().eval()


@torch.no_grad()
def test_it_is_the_formula():
    one = attention()
    states, vectors = torch.randn(5, 4).double(), torch.randn(5, 2, 3).double()
    present = torch.tensor([[True, True], [True, False], [False, False], [True, True], [False, True]])
    found = one(states, vectors, present)
    for k in range(5):
        values = [one.outer(torch.tanh(one.inner(vectors[k, j]))) for j in range(2) if present[k, j]]
        scores = torch.tensor([states[k] @ one.bilinear.weight.T @ value for value in values])
        weights = scores.softmax(0)
        expected = sum((weight * value for weight, value in zip(weights, values, strict=True)), torch.zeros(4).double())
        torch.testing.assert_close(found[k], expected)


def test_its_gradient():
    one = attention()
    present = torch.tensor([[True, True], [True, False], [False, False]])
    inputs = [torch.randn(3, 4).double().requires_grad_(), torch.randn(3, 2, 3).double().requires_grad_()]
    assert torch.autograd.gradcheck(lambda h, x: one(h, x, present), inputs)


def test_half_precision():
    one = attention().float()
    with torch.autocast("cpu", torch.bfloat16):
        found = one(100 * torch.randn(2, 4), 100 * torch.randn(2, 2, 3), torch.tensor([[True, True], [False, False]]))
    assert found.isfinite().all()
    assert not found[1].any()
