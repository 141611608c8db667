import numpy as np
import pytest
import torch

from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import HeadShape, head_class
from gleanner.model.units import Rows, SpanUnits, TokenUnits

LENGTHS = (4, 1, 3)


@pytest.fixture
def build_head():
    """build_head("concat") is a head in double precision, word vectors of three rows, and their units."""

    def build(name, lengths=LENGTHS, classes=("O", "A", "B")):
        torch.manual_seed(0)
        shape = HeadShape(6, classes, 3, 0.0)
        kind = head_class(name)
        head = kind(shape).double()
        for parameter in head.parameters():
            torch.nn.init.normal_(parameter, std=0.3)
        length, none = np.array(lengths), np.empty(0, np.int64)
        rows = Rows(length, 0 * length, length, length > 0, none, none, none, none, np.cumsum(length) - length)
        units, _ = (SpanUnits(3) if kind.unit == "spans" else TokenUnits("IO")).enumerate(rows)
        start, end = torch.randn(2, sum(lengths), 6, dtype=torch.float64, requires_grad=True).unbind()
        return head, WordVectors(start, end), units

    return build


@pytest.fixture
def assert_same():
    """assert_same(head, words, units, naive) compares scores, gradients and chosen rows with those of a formula."""

    def compare(head, words, units, naive):
        leaves = [*words, *head.parameters()]
        scores, expected = head(words, units), naive(head, words, units)
        torch.testing.assert_close(scores, expected)
        probe = torch.randn_like(expected)
        gradients, expected_gradients = (
            torch.autograd.grad((probe * out).sum(), leaves, allow_unused=True) for out in (scores, expected)
        )
        for found, wanted in zip(gradients, expected_gradients, strict=True):
            assert (found is None) == (wanted is None)
            if found is not None:
                torch.testing.assert_close(found, wanted)
        for index in (torch.tensor([5, 0, 5, 2]), torch.empty(0, dtype=torch.long)):
            torch.testing.assert_close(head(words, units, index), expected[index])

    return compare
