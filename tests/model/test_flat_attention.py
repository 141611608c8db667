import pytest
import torch

from gleanner.model.flat_attention import Lattice, LatticeAttention, Relations, codes, sinusoids

HEADS, HEAD_SIZE = 2, 3
SIZE = HEADS * HEAD_SIZE
HEAD = [[0, 1, 2, 3, 4, 0, 1, 2], [0, 1, 2, 0, 0, 1, 0, 0]]
TAIL = [[0, 1, 2, 3, 4, 1, 1, 4], [0, 1, 2, 0, 0, 2, 1, 0]]
MASK = [[True] * 8, [True] * 3 + [False] * 2 + [True] * 2 + [False]]
WIDTHS = [0, 1, 2]


@pytest.fixture
def lattice():
    head, tail = torch.tensor(HEAD), torch.tensor(TAIL)
    kind = (tail - head).masked_fill(~torch.tensor(MASK), 0)
    return Lattice(head, kind, torch.tensor(MASK), torch.tensor(WIDTHS), 5)


@pytest.fixture
def parts():
    torch.manual_seed(0)
    attention, relations = LatticeAttention(HEADS, HEAD_SIZE).double(), Relations(SIZE).double()
    return attention, relations, torch.randn(2, 8, SIZE).double()


def encoding(distance):
    return sinusoids(torch.tensor([distance]), SIZE)[0].double()


def naive(attention, relations, states, row, i):
    """The new vector of element i, from the equations, one pair, one distance, one head at a time."""
    elements = [j for j in range(8) if MASK[row][j]]
    result = []
    for h in range(HEADS):
        part = slice(h * HEAD_SIZE, (h + 1) * HEAD_SIZE)
        scores = []
        for j in elements:
            four = [a[row][i] - b[row][j] for a in (HEAD, TAIL) for b in (HEAD, TAIL)]
            joined = torch.cat([encoding(distance) for distance in four])
            fused = torch.relu(relations.fusion.weight @ joined + relations.fusion.bias)
            query = attention.query(states[row, i])[part]
            key = attention.key(states[row, j])[part]
            related = (attention.relation.weight @ fused)[part]
            scores.append(query @ key + query @ related + attention.u[h] @ key + attention.v[h] @ related)
        weights = torch.stack(scores).softmax(0)
        values = torch.stack([attention.value(states[row, j])[part] for j in elements])
        result.append(weights @ values)
    return torch.cat(result)


@pytest.mark.parametrize(("queries", "kinds"), [(8, 3), (5, 1)])
def test_every_pair_by_the_formula(parts, lattice, queries, kinds):
    attention, relations, states = parts
    with torch.no_grad():
        found = attention(states, relations(lattice, kinds), codes(lattice, queries), lattice)
        assert found.shape == (2, queries, SIZE)
        for row in range(2):
            for i in range(queries):
                if MASK[row][i]:
                    expected = naive(attention, relations, states, row, i)
                    torch.testing.assert_close(found[row, i], expected, rtol=1e-6, atol=1e-6)


def test_its_gradient(parts, lattice):
    attention, relations, states = parts

    def read(given):
        return attention(given, relations(lattice, 3), codes(lattice, 8), lattice)

    assert torch.autograd.gradcheck(read, (states.clone().requires_grad_(),))
    read(states).sin().sum().backward()
    for parameter in (*relations.parameters(), *attention.parameters()):
        assert_slope(parameter, lambda: read(states).sin().sum())


def assert_slope(parameter, value):
    """The gradient in a random direction against the difference quotient."""
    direction = torch.randn_like(parameter)
    expected = (parameter.grad * direction).sum()
    with torch.no_grad():
        parameter += 1e-6 * direction
        above = value()
        parameter -= 2e-6 * direction
        below = value()
        parameter += 1e-6 * direction
    torch.testing.assert_close((above - below) / 2e-6, expected, rtol=1e-5, atol=1e-7)


def test_sinusoids():
    found = sinusoids(torch.tensor([-2, 0, 3]), 4)
    third = [torch.tensor(3.0).sin(), torch.tensor(3e-4).sin(), torch.tensor(3.0).cos(), torch.tensor(3e-4).cos()]
    torch.testing.assert_close(found[2], torch.stack(third))
    assert found[1].tolist() == [0, 0, 1, 1]
    assert sinusoids(torch.tensor([1]), 5).shape == (1, 5)
    assert sinusoids(torch.tensor([1]), 1).isfinite().all()
