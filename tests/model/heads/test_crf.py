from itertools import pairwise, product

import pytest
import torch
from torch.testing import assert_close

TAGS = ("O", "B-A", "I-A")


def score(head, emissions, tags):
    """The score of one sequence of tags."""
    total = head.first[tags[0]] + head.last[tags[-1]]
    total = total + sum(emissions[word, tag] for word, tag in enumerate(tags))
    return total + sum(head.transition[pair] for pair in pairwise(tags))


def all_scores(head, emissions, known=None):
    """Every sequence that has the tags of the known words, and the scores of them."""
    sequences = [
        tags
        for tags in product(range(emissions.shape[1]), repeat=len(emissions))
        if all(tags[word] == tag for word, tag in (known or {}).items())
    ]
    return sequences, torch.stack([score(head, emissions, tags) for tags in sequences])


@pytest.fixture
def rows(build_head):
    """A CRF, emissions of three rows (rows, words, tags), and the rows' lengths."""
    head, _, units = build_head("crf", classes=TAGS)
    emissions = torch.randn(3, 4, 3, dtype=torch.float64)  # what stands behind the ends must not matter
    return head.float().double(), emissions, units.owned  # rounded: a CRF adds up in single precision


def test_log_partition(rows):
    head, emissions, lengths = rows
    found = head.log_partition(emissions, lengths)
    for k, length in enumerate(lengths.tolist()):
        assert_close(found[k], all_scores(head, emissions[k, :length])[1].logsumexp(0))


def test_log_partition_by_hand(build_head):
    head, _, _ = build_head("crf", classes=("O", "I"))
    with torch.no_grad():
        for parameter in head.parameters():
            parameter.zero_()
        head.transition[0, 1] = 1.0
    # Sequences OO, OI, IO, II of two words score 0, 1, 0, 0.
    found = head.log_partition(torch.zeros(1, 2, 2, dtype=torch.float64), torch.tensor([2]))
    assert found.item() == pytest.approx(torch.tensor(3 + torch.e).log().item())


def test_viterbi(rows):
    head, emissions, lengths = rows
    found = head.viterbi(emissions, lengths)
    for k, length in enumerate(lengths.tolist()):
        sequences, scores = all_scores(head, emissions[k, :length])
        assert tuple(found[k, :length].tolist()) == sequences[int(scores.argmax())]


def test_marginals(rows):
    head, emissions, lengths = rows
    found = head.marginals(emissions, lengths)
    for k, length in enumerate(lengths.tolist()):
        sequences, scores = all_scores(head, emissions[k, :length])
        probability = scores.softmax(0)
        for word, tag in product(range(length), range(3)):
            expected = sum(p for tags, p in zip(sequences, probability, strict=True) if tags[word] == tag)
            assert_close(found[k, word, tag], torch.as_tensor(expected))


def test_log_probabilities_are_those_of_the_marginals(build_head):
    head, words, units = build_head("crf", classes=TAGS)
    logits = head(words, units)
    found = head.log_probabilities(logits, units)
    for row, emissions in enumerate(logits.split(units.owned.tolist())):
        expected = head.marginals(emissions[None].float(), units.owned[row : row + 1])[0]
        assert_close(found[units.row == row].exp(), expected, atol=1e-5, rtol=1e-5)
    found[:, 0].sum().backward()
    assert head.transition.grad.isfinite().all()


def brute_force(head, words, units, labels, weights):
    """The loss as it is defined: the probability of all sequences that agree with the known words."""
    total = torch.zeros((), dtype=torch.float64)
    rows = zip(*(flat.split(units.owned.tolist()) for flat in (head(words, units), labels, weights)), strict=True)
    for emissions, label, weight in rows:
        known = {word: int(label[word]) for word in weight.nonzero().flatten().tolist()}
        _, free = all_scores(head, emissions)
        _, clamped = all_scores(head, emissions, known)
        total = total + free.logsumexp(0) - clamped.logsumexp(0)
    return total


@pytest.mark.parametrize(
    "weights",
    [[1, 1, 1, 1, 1, 1, 1, 1], [1, 0, 1, 0, 1, 0, 0, 1], [0, 0, 0, 0, 0, 1, 1, 1], [0.5, 2, 0, 1, 0, 1, 0, 0]],
    ids=["known", "partial", "unknown rows", "graded"],
)
def test_loss_and_its_gradient(build_head, weights):
    head, words, units = build_head("crf", classes=TAGS)
    labels, weights = torch.tensor([1, 2, 0, 0, 1, 0, 1, 2]), torch.tensor(weights)
    leaves = [words.start, *head.parameters()]
    found = head.negative_log_likelihood(words, units, labels, weights)
    expected = brute_force(head, words, units, labels, weights)
    assert_close(found.double(), expected, rtol=1e-5, atol=1e-6)
    for one, two in zip(torch.autograd.grad(found, leaves), torch.autograd.grad(expected, leaves), strict=True):
        assert_close(one, two, rtol=1e-4, atol=1e-6)


def test_gradients_by_differences(rows):
    head, emissions, lengths = rows
    assert torch.autograd.gradcheck(lambda e: head.log_partition(e, lengths), emissions.requires_grad_())


def test_best_gives_viterbi_tags_with_their_marginals(build_head):
    head, words, units = build_head("crf", classes=TAGS)
    logits = head(words, units)
    tags, probability = head.best(logits, units)
    for row, emissions in enumerate(logits.split(units.owned.tolist())):
        sequences, scores = all_scores(head, emissions)
        here = units.row == row
        best = sequences[int(scores.argmax())]
        assert tuple(tags[here].tolist()) == best
        for word, tag in enumerate(best):
            chosen = torch.tensor([sequence[word] == tag for sequence in sequences])
            assert probability[here][word].item() == pytest.approx(scores.softmax(0)[chosen].sum().item(), abs=1e-5)


@pytest.mark.parametrize("size", [1e3, 1e6, 1e20])
def test_extreme_emissions_stay_finite(rows, size):
    head, emissions, lengths = rows
    emissions = (size * emissions.float()).requires_grad_()
    total = head.float().log_partition(emissions, lengths).sum()
    (gradient,) = torch.autograd.grad(total, emissions)
    assert total.isfinite()
    assert gradient.isfinite().all()
    marginals = head.marginals(emissions, lengths)[0]
    assert_close(marginals.sum(dim=1), torch.ones(4))


@pytest.mark.parametrize("size", [1e2, 1e4, 1e6])
def test_a_loss_of_extreme_scores_is_finite_and_not_negative(build_head, size):
    head, words, units = build_head("crf", classes=TAGS)
    words = type(words)(*(size * vectors for vectors in words))
    labels, weights = torch.tensor([1, 2, 0, 0, 1, 0, 1, 2]), torch.tensor([1.0, 0, 1, 0, 1, 0, 0, 1])
    loss = head.negative_log_likelihood(words, units, labels, weights)
    assert loss.isfinite()
    assert loss >= 0
    assert_close(loss.double(), brute_force(head, words, units, labels, weights), rtol=1e-3, atol=1e-6)
    assert all(gradient.isfinite().all() for gradient in torch.autograd.grad(loss, [*head.parameters()]))
