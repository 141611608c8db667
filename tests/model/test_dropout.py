import pytest
import torch
from torch import nn

from gleanner.model.dropout import Dropout, quicken


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_share_is_dropped_and_the_mean_stays(share, dtype):
    torch.manual_seed(0)
    values = torch.ones(3, 7, 10_001, dtype=dtype, requires_grad=True)
    out = Dropout(share)(values)
    assert out.dtype == dtype
    zero = (out == 0).double().mean().item()
    deviation = (share * (1 - share) / values.numel()) ** 0.5
    assert zero == pytest.approx(share, abs=4 * deviation + 1 / (1 << 17))
    kept = out[out != 0]
    assert (kept == kept[0]).all()
    assert kept[0].item() == pytest.approx(1 / (1 - share), rel=1e-2 if dtype == torch.bfloat16 else 1e-3)
    (gradient,) = torch.autograd.grad(out.sum(), values)
    assert torch.equal(gradient, out)  # of ones the gradient is the mask itself


def test_neighbours_are_independent():
    """Four elements come from one random number: no two of its parts may go together."""
    torch.manual_seed(1)
    zero = (Dropout(0.5)(torch.ones(40_000, 4)) == 0).float()
    correlation = torch.corrcoef(zero.T) - torch.eye(4)
    assert correlation.abs().max() < 0.02


def test_a_seed_says_it_all():
    def drawn(seed):
        torch.manual_seed(seed)
        return Dropout(0.3)(torch.ones(1000))

    assert torch.equal(drawn(1), drawn(1))
    assert not torch.equal(drawn(1), drawn(2))


def test_nothing_happens_outside_of_training_and_at_0():
    values = torch.randn(10)
    assert torch.equal(Dropout(0.5).eval()(values), values)
    assert torch.equal(Dropout(0.0)(values), values)


def test_everything_is_dropped_at_1():
    values = torch.randn(10, requires_grad=True)
    out = Dropout(1.0)(values)
    assert not out.any()
    assert not torch.autograd.grad(out.sum(), values)[0].any()


def test_a_model_made_elsewhere():
    class Own(nn.Dropout):
        pass

    model = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.2), nn.Sequential(nn.Dropout(0.4), Own(0.1)))
    model[1].eval()
    names = list(model.state_dict())
    quicken(model)
    assert [m.training for m in model.modules() if isinstance(m, nn.Dropout)] == [False, True, True]
    assert [type(m) for m in model.modules() if isinstance(m, nn.Dropout)] == [Dropout, Dropout, Own]
    assert [m.p for m in model.modules() if isinstance(m, nn.Dropout)] == [0.2, 0.4, 0.1]
    assert list(model.state_dict()) == names
