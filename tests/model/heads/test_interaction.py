import pytest
import torch

from gleanner.model.encoder import WordVectors
from gleanner.model.heads import interaction


def whole(head, words, units):
    """`V tanh(W [h_i; h_j; h_i - h_j; h_i * h_j])`: any matrix for the difference will do, if the others make up for it."""
    first, last = (
        (v - v.mean(dim=1, keepdim=True)) / (v.var(dim=1, correction=0, keepdim=True) + 1e-5).sqrt() for v in words
    )
    start, end = first[units.start], last[units.end]
    third = torch.randn_like(head.start.weight)
    matrix = torch.cat((head.start.weight - third, head.end.weight + third, third, head.product.weight), dim=1)
    joined = torch.cat((start, end, start - end, start * end), dim=1)
    return head.scorer((joined @ matrix.T + head.start.bias).tanh())


@pytest.mark.parametrize("band", [3, 8192])
def test_the_split_layer_is_the_whole_one(build_head, assert_same, monkeypatch, band):
    monkeypatch.setattr(interaction, "BAND", band)
    assert_same(*build_head("interaction"), whole)


def test_an_encoder_s_scale_does_not_matter(build_head):
    head, words, units = build_head("interaction")
    longer = WordVectors(100 * words.start, 100 * words.end)
    torch.testing.assert_close(head(longer, units), head(words, units), rtol=1e-3, atol=1e-3)


def test_no_gradient_no_checkpoint(build_head):
    head, words, units = build_head("interaction")
    with torch.inference_mode():
        scores = head(words, units)
    torch.testing.assert_close(scores, head(words, units).detach())
