import pytest
import torch

from gleanner.model.heads import interaction


def whole(head, words, units):
    """`V tanh(W [h_i; h_j; h_i - h_j; h_i * h_j])`: any matrix for the difference will do, if the others make up for it."""
    start, end = words.start[units.start], words.end[units.end]
    third = torch.randn_like(head.start.weight)
    matrix = torch.cat((head.start.weight - third, head.end.weight + third, third, head.product.weight), dim=1)
    joined = torch.cat((start, end, start - end, start * end), dim=1)
    return head.scorer((joined @ matrix.T + head.start.bias).tanh())


@pytest.mark.parametrize("band", [3, 8192])
def test_the_split_layer_is_the_whole_one(build_head, assert_same, monkeypatch, band):
    monkeypatch.setattr(interaction, "BAND", band)
    assert_same(*build_head("interaction"), whole)


def test_no_gradient_no_checkpoint(build_head):
    head, words, units = build_head("interaction")
    with torch.inference_mode():
        scores = head(words, units)
    torch.testing.assert_close(scores, head(words, units).detach())
