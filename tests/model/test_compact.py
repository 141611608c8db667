import numpy as np
import pytest
import torch
from torch import nn
from transformers import AutoModel

from gleanner.model.compact import CompactEmbedding, compact

PIECES = [[7, 40, 41], [100, 7], [9, 150, 42, 8]]
SPECIAL = [0, 1, 2, 3]
"""Padding first."""
NAME = "embeddings.word_embeddings"
NEEDED = [{NAME: np.array([*SPECIAL, *pieces])} for pieces in PIECES]
"""As of several corpora."""


def load(folder):
    return AutoModel.from_pretrained(folder, add_pooling_layer=False)


def train(model, steps=4):
    """A few steps with dropout and padding; embeddings have no weight decay."""
    embeddings = [p for name, p in model.named_parameters() if "embeddings" in name]
    others = [p for name, p in model.named_parameters() if "embeddings" not in name]
    groups = [{"params": embeddings, "weight_decay": 0.0}, {"params": others, "weight_decay": 0.01}]
    optimizer = torch.optim.AdamW(groups, lr=1e-2, fused=True)
    rows = [[2, *pieces, 3] for pieces in PIECES]
    ids = torch.tensor([row + [0] * (6 - len(row)) for row in rows])
    model.train()
    for step in range(steps):
        torch.manual_seed(step)
        states = model(input_ids=ids, attention_mask=(ids != 0).long()).last_hidden_state
        states.sin().sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def test_training_comes_out_the_same_bit_for_bit(tiny_encoder):
    before, whole, small = load(tiny_encoder).state_dict(), load(tiny_encoder), load(tiny_encoder)
    train(whole)
    with compact(small, NEEDED):
        assert isinstance(small.get_input_embeddings(), CompactEmbedding)
        assert len(small.get_input_embeddings().weight) == len(SPECIAL) + len({7, 40, 41, 100, 9, 150, 42, 8})
        train(small)
    expected = whole.state_dict()
    assert small.state_dict().keys() == expected.keys()
    assert all(torch.equal(tensor, expected[name]) for name, tensor in small.state_dict().items())
    name = f"{NAME}.weight"
    used = sorted({*SPECIAL, *(piece for pieces in PIECES for piece in pieces)})
    unused = [row for row in range(len(expected[name])) if row not in used]
    assert torch.equal(expected[name][unused], before[name][unused])
    assert not torch.equal(expected[name][used], before[name][used])
    assert torch.equal(expected[name][0], before[name][0])  # padding


def test_rows_come_back_when_training_fails(tiny_encoder):
    model = load(tiny_encoder)
    whole = model.get_input_embeddings()
    kept = whole.weight.detach().clone()
    with pytest.raises(RuntimeError, match="stop"), compact(model, NEEDED):
        with torch.no_grad():
            model.get_input_embeddings().weight += 1
        raise RuntimeError("stop")
    assert model.get_input_embeddings() is whole
    assert torch.equal(whole.weight[7], kept[7] + 1)
    assert torch.equal(whole.weight[5], kept[5])


def test_a_piece_that_is_not_among_the_rows_is_an_error():
    small = CompactEmbedding(nn.Embedding(10, 2), torch.tensor([3, 7]))
    assert torch.equal(small(torch.tensor([7, 3, 7])), small.weight[[1, 0, 1]])
    with pytest.raises(IndexError):
        small(torch.tensor([4]))
    assert small.padding_idx is None


def test_padding_keeps_its_place():
    whole = nn.Embedding(10, 2, padding_idx=7)
    assert CompactEmbedding(whole, torch.tensor([3, 7])).padding_idx == 1
    assert CompactEmbedding(whole, torch.tensor([3])).padding_idx is None


def test_nothing_is_needed_of_an_encoder_without_large_embeddings(tiny_encoder):
    model = load(tiny_encoder)
    whole = model.get_input_embeddings()
    with compact(model, [{}]):
        assert model.get_input_embeddings() is whole
