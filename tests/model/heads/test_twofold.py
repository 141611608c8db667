import torch

from gleanner.model.encoder import WordVectors


def whole(head, words, units):
    """The joint probabilities, multiplied out."""
    raw = words.start @ head.scorer.weight.T + head.scorer.bias
    p = raw[:, :1].sigmoid()
    return torch.cat((1 - p, p * raw[:, 1:].softmax(dim=1)), dim=1).log()


def test_scores_are_joint_log_probabilities(build_head, assert_same):
    head, words, units = build_head("twofold")
    assert_same(head, words, units, whole)
    scores = head(words, units)
    torch.testing.assert_close(scores.exp().sum(dim=1), torch.ones(len(scores)).double())
    torch.testing.assert_close(head.log_probabilities(scores, units).double(), scores, rtol=1e-5, atol=1e-6)


def test_gradient(build_head):
    head, words, units = build_head("twofold")
    assert torch.autograd.gradcheck(lambda start: head(WordVectors(start, start), units), (words.start,))


def test_certainty_is_safe(build_head):
    """p(entity) of 0 and 1 within what a number can tell: finite scores, finite gradients, and types that still differ."""
    head, words, units = build_head("twofold")
    head = head.float()
    for logit in (-200.0, 200.0):
        with torch.no_grad():
            head.scorer.weight.zero_()
            head.scorer.bias.copy_(torch.tensor([logit, 1.0, 0.0]))
        scores = head(WordVectors(*(vectors.float() for vectors in words)), units)
        assert scores.isfinite().all()
        torch.testing.assert_close(scores[:, 1] - scores[:, 2], torch.ones(len(scores)), rtol=0, atol=1e-4)
        assert head.log_probabilities(scores, units).isfinite().all()
        head.zero_grad()
        scores.sum().backward()
        assert head.scorer.bias.grad.isfinite().all()


def test_one_type(build_head):
    head, words, units = build_head("twofold", classes=("O", "A"))
    scores = head(words, units)
    torch.testing.assert_close(scores.exp().sum(dim=1), torch.ones(len(scores)).double())
