"""What heads give to compare units by."""

import pytest
import torch

from gleanner.model.heads.head import HEADS, chosen, head_class

NAMES = HEADS.names()


def joined(parts):
    """The units' vectors in one piece: (units, size)."""
    return torch.cat([chosen(part.table, part.row) for part in parts], dim=1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("which", ["hidden", "span"])
def test_a_vector_a_unit(build_head, name, which):
    head, words, units = build_head(name)
    assert len(joined(head.features(words, units, which))) == len(units.start)


@pytest.mark.parametrize("name", [name for name in NAMES if head_class(name).unit == "tokens"])
@pytest.mark.parametrize("which", ["hidden", "span"])
def test_of_a_word_it_is_the_word_s_own(build_head, name, which):
    head, words, units = build_head(name)
    assert joined(head.features(words, units, which)).equal(words.start[units.start])


@pytest.mark.parametrize("name", ["biaffine", "concat", "interaction"])
def test_of_a_span_it_is_that_of_its_ends(build_head, name):
    head, words, units = build_head(name)
    ends = [words.start[units.start], words.end[units.end]]
    if name == "concat":
        ends.append(head.width(units.end - units.start))
    assert joined(head.features(words, units, "span")).equal(torch.cat(ends, dim=1))


@pytest.mark.parametrize("name", ["concat", "interaction"])
def test_the_last_layer_reads_the_hidden_one(build_head, name):
    head, words, units = build_head(name)
    last = head.scorer[-1] if name == "concat" else head.scorer
    hidden = joined(head.features(words, units, "hidden")).double()
    torch.testing.assert_close(last(hidden), head(words, units), rtol=1e-5, atol=1e-6)


def test_the_bilinear_form_reads_the_hidden_one(build_head):
    head, words, units = build_head("biaffine")
    first, last = joined(head.features(words, units, "hidden")).chunk(2, dim=1)
    scores = torch.einsum("us,cst,ut->uc", first, head.bilinear, last) + head.by_start(first) + head.by_end(last)
    torch.testing.assert_close(scores, head(words, units))


def test_dropout_is_on_in_training(build_head):
    head, words, units = build_head("concat")
    for module in head.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.5
    draws = [joined(head.features(words, units, "hidden")) for _ in range(2)]
    assert not draws[0].equal(draws[1])
