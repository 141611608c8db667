def whole(head, words, units):
    """`W h + b`."""
    return words.start @ head.scorer.weight.T + head.scorer.bias


def test_scores_are_one_product(build_head, assert_same):
    assert_same(*build_head("linear"), whole)
