from itertools import pairwise, product

import pytest
import torch
from torch.testing import assert_close

TAGS = ("O", "B-A", "I-A")


def score(head, emissions, tags, removed=()):
    """The score of one sequence of tags, without the emissions of removed words and the transitions into them."""
    total = head.last[tags[-1]]
    if 0 not in removed:
        total = total + head.first[tags[0]]
    total = total + sum(emissions[word, tag] for word, tag in enumerate(tags) if word not in removed)
    return total + sum(head.transition[pair] for word, pair in enumerate(pairwise(tags), 1) if word not in removed)


def all_scores(head, emissions, known=None, removed=()):
    """Every sequence that has the tags of the known words, and the scores of them."""
    sequences = [
        tags
        for tags in product(range(emissions.shape[1]), repeat=len(emissions))
        if all(tags[word] == tag for word, tag in (known or {}).items())
    ]
    return sequences, torch.stack([score(head, emissions, tags, removed) for tags in sequences])


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
    found = head.log_marginals(emissions, lengths).exp()
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
        expected = head.log_marginals(emissions[None].float(), units.owned[row : row + 1]).exp()[0]
        assert_close(found[units.row == row].exp(), expected, atol=1e-5, rtol=1e-5)
    found[:, 0].sum().backward()
    assert head.transition.grad.isfinite().all()


def brute_force(head, words, units, labels, weights, removed=None):
    """The loss as it is defined: the probability of all sequences that agree with the known words."""
    total = torch.zeros((), dtype=torch.float64)
    removed = torch.zeros_like(labels) if removed is None else removed * (weights > 0)
    flat = head(words, units), labels, weights, removed
    for emissions, label, weight, out in zip(*(one.split(units.owned.tolist()) for one in flat), strict=True):
        known = {word: int(label[word]) for word in weight.nonzero().flatten().tolist()}
        gone = out.nonzero().flatten().tolist()
        _, free = all_scores(head, emissions, removed=gone)
        _, clamped = all_scores(head, emissions, known, gone)
        total = total + free.logsumexp(0) - clamped.logsumexp(0)
    return total


@pytest.mark.parametrize(
    "weights",
    [[1, 1, 1, 1, 1, 1, 1, 1], [1, 0, 1, 0, 1, 0, 0, 1], [0, 0, 0, 0, 0, 1, 1, 1], [0.5, 2, 0, 1, 0, 1, 0, 0]],
    ids=["known", "partial", "unknown rows", "graded"],
)
@pytest.mark.parametrize("name", ["crf", "angle-crf"])
def test_loss_and_its_gradient(build_head, name, weights):
    head, words, units = build_head(name, classes=TAGS)
    labels, weights = torch.tensor([1, 2, 0, 0, 1, 0, 1, 2]), torch.tensor(weights)
    leaves = [words.start, *head.parameters()]
    found = head.negative_log_likelihood(words, units, labels, weights)
    expected = brute_force(head, words, units, labels, weights)
    assert_close(found.double(), expected, rtol=1e-5, atol=1e-6)
    for one, two in zip(torch.autograd.grad(found, leaves), torch.autograd.grad(expected, leaves), strict=True):
        assert_close(one, two, rtol=1e-4, atol=1e-6)


REMOVED = {
    "none": [0, 0, 0, 0, 0, 0, 0, 0],
    "middle": [0, 1, 0, 0, 0, 0, 1, 0],
    "first": [1, 0, 0, 0, 0, 1, 0, 0],
    "last": [0, 0, 0, 1, 0, 0, 0, 1],
    "neighbours": [0, 1, 1, 0, 0, 1, 1, 0],
    "whole rows": [1, 1, 1, 1, 1, 0, 0, 0],
    "all": [1, 1, 1, 1, 1, 1, 1, 1],
}
"""Of rows of four, one and three words."""


@pytest.mark.parametrize("name", ["crf", "angle-crf"])
@pytest.mark.parametrize("weights", [[1, 1, 1, 1, 1, 1, 1, 1], [1, 0, 1, 0, 1, 0, 0, 1]], ids=["known", "partial"])
@pytest.mark.parametrize("removed", REMOVED.values(), ids=REMOVED)
def test_removed_words(build_head, name, weights, removed):
    head, words, units = build_head(name, classes=TAGS)
    labels, weights = torch.tensor([1, 2, 0, 0, 1, 0, 1, 2]), torch.tensor(weights)
    leaves = [words.start, *head.parameters()]
    found = head.negative_log_likelihood(words, units, labels, weights, torch.tensor(removed).bool())
    expected = brute_force(head, words, units, labels, weights, torch.tensor(removed))
    assert_close(found.double(), expected, rtol=1e-5, atol=1e-6)
    for one, two in zip(
        torch.autograd.grad(found, leaves),
        torch.autograd.grad(expected, leaves, allow_unused=True, materialize_grads=True),
        strict=True,
    ):
        assert_close(one, two, rtol=1e-4, atol=1e-6)


def test_a_removed_word_by_hand(build_head):
    head, _, _ = build_head("crf", classes=("O", "I"))
    with torch.no_grad():
        for parameter in head.parameters():
            parameter.zero_()
        head.transition[0, 1] = 1.0
    # Of three words the second is removed: what is left of a sequence's score is the transition from the second to the third,
    # 1 where they are O I. With two tags of the first word Z = 2 (e + 3), and O O I scores 1.
    emissions = torch.zeros(3, 2, dtype=torch.float64)
    emissions[1] = torch.tensor([5.0, -7.0])  # which do not count
    labels, known, removed = torch.tensor([0, 0, 1]), torch.ones(3, dtype=torch.bool), torch.tensor([0, 1, 0]).bool()
    found = head.sequence_loss(emissions, torch.tensor([3]), labels, known, removed)
    assert found.item() == pytest.approx(torch.tensor(2 * (3 + torch.e)).log().item() - 1)
    # Unknown instead of removed, it has its emissions and both transitions: O ? I is O O I or O I I.
    scores = {(a, b, c): emissions[1, b] + (a < b) + (b < c) for a, b, c in product(range(2), repeat=3)}
    by_hand = torch.stack([*scores.values()]).logsumexp(0) - torch.stack([scores[0, 0, 1], scores[0, 1, 1]]).logsumexp(
        0
    )
    found = head.sequence_loss(emissions, torch.tensor([3]), labels, ~removed)
    assert found.item() == pytest.approx(by_hand.item())


def test_gradients_of_the_loss_by_differences(rows):
    head, emissions, lengths = rows
    flat = torch.cat([row[:length] for row, length in zip(emissions, lengths.tolist(), strict=True)]).requires_grad_()
    labels, known = torch.tensor([1, 2, 0, 0, 1, 0, 1, 2]), torch.tensor([1, 1, 1, 0, 1, 0, 1, 1]).bool()
    removed = torch.tensor([1, 0, 1, 0, 0, 0, 0, 1]).bool()

    def loss(emissions, *parameters):
        return head.sequence_loss(emissions, lengths, labels, known, removed)

    assert torch.autograd.gradcheck(loss, (flat, head.transition, head.first, head.last))


def test_rows_of_which_nothing_is_known_say_nothing_at_all(build_head):
    head, words, units = build_head("crf", classes=TAGS)
    weights = torch.tensor([0.0, 0, 0, 0, 1, 0, 0, 0])
    loss = head.negative_log_likelihood(words, units, torch.tensor([1, 2, 0, 0, 1, 0, 1, 2]), weights)
    gradient = torch.autograd.grad(loss, words.start)[0]
    assert gradient[4].any()
    gradient[4] = 0
    assert not gradient.any()  # not a bit


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
    marginals = head.log_marginals(emissions, lengths).exp()[0]
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
