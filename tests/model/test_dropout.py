from contextlib import nullcontext

import pytest
import torch
from torch.nn.functional import dropout, relu
from torch.utils._python_dispatch import TorchDispatchMode

from gleanner.model.dropout import quick_dropout
from gleanner.model.transformer import Transformer

CPU = torch.device("cpu")


def quick(share, values, **options):
    with quick_dropout(CPU):
        return dropout(values, share, **options)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_share_is_dropped_and_the_mean_stays(share, dtype):
    torch.manual_seed(0)
    values = torch.ones(3, 7, 10_001, dtype=dtype, requires_grad=True)
    out = quick(share, values)
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
    zero = (quick(0.5, torch.ones(40_000, 4)) == 0).float()
    correlation = torch.corrcoef(zero.T) - torch.eye(4)
    assert correlation.abs().max() < 0.02


def test_a_seed_says_it_all():
    def drawn(seed):
        torch.manual_seed(seed)
        return quick(0.3, torch.ones(1000))

    assert torch.equal(drawn(1), drawn(1))
    assert not torch.equal(drawn(1), drawn(2))


def test_nothing_happens_outside_of_training_and_at_0():
    values = torch.randn(10)
    assert torch.equal(quick(0.5, values, training=False), values)
    assert torch.equal(quick(0.0, values), values)


def test_everything_is_dropped_at_1():
    values = torch.randn(10, requires_grad=True)
    out = quick(1.0, values)
    assert not out.any()
    assert not torch.autograd.grad(out.sum(), values)[0].any()


class Operations(TorchDispatchMode):
    """The names of all operations of torch's core."""

    def __init__(self):
        super().__init__()
        self.names = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.names.add(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


def test_models_made_elsewhere_have_it(tiny_encoder):
    """Their modules, and their attentions, which call the function: nothing is drawn in torch's way."""
    model = Transformer.load(str(tiny_encoder), "first").model.train()
    assert model.config.attention_probs_dropout_prob > 0
    drawn = []
    for context in (nullcontext(), quick_dropout(CPU)):
        with context, Operations() as operations:
            model(input_ids=torch.arange(24).view(2, 12) % 20)
        drawn.append(operations.names & {"bernoulli_", "native_dropout", "random_"})
    assert drawn == [{"bernoulli_"}, {"random_"}]


def test_other_functions_are_theirs_still():
    values = torch.ones(100)
    with quick_dropout(CPU):
        assert torch.equal(relu(-values), torch.zeros(100))
        inside = dropout(values, 0.5, inplace=True)
    assert inside is values
