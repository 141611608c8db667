import torch


def whole(head, words, units):
    """`s_i^T U_c e_j + w_c^T [s_i; e_j] + b_c`."""
    start, end = head.start(words.start)[units.start], head.end(words.end)[units.end]
    linear = torch.cat((start, end), dim=1) @ torch.cat((head.by_start.weight, head.by_end.weight), dim=1).T
    return torch.einsum("nh,chk,nk->nc", start, head.bilinear, end) + linear + head.by_start.bias


def test_one_class_at_a_time_is_all_at_once(build_head, assert_same):
    assert_same(*build_head("biaffine"), whole)
