import torch


def whole(head, words, units):
    """`MLP([h_i; h_j; w])` with the first layer in one piece."""
    joined = torch.cat((words.start[units.start], words.end[units.end], head.width(units.end - units.start)), dim=1)
    matrix = torch.cat((head.start.weight, head.end.weight, head.from_width.weight), dim=1)
    return head.scorer(joined @ matrix.T + head.start.bias)


def test_the_split_layer_is_the_whole_one(build_head, assert_same):
    assert_same(*build_head("concat"), whole)
