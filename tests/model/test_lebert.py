import copy

import numpy as np
import pytest
import torch
from transformers import (
    AlbertConfig,
    AlbertModel,
    AutoTokenizer,
    DistilBertConfig,
    DistilBertModel,
    GPT2Config,
    GPT2Model,
)

from gleanner.errors import InputError
from gleanner.model.lebert import Lebert
from gleanner.model.lexicon import Lexicon
from gleanner.model.lexicon_vectors import LexiconVectors
from gleanner.model.transformer import Transformer
from gleanner.model.vocabulary import Vocabulary

WORDS = ["北京", "李白", "王小明", "New York", "Göttingen"]
ROWS = [list("李白住在北京。"), ["New", "York", "\u200b", "Göttingen"], list("天")]


def read(encoder, rows=ROWS):
    vocabulary = Vocabulary()
    numbers = np.array([number for row in rows for number in vocabulary.add(row)], np.int32)
    batch = encoder.collate(encoder.table(vocabulary.words), numbers, np.array([len(row) for row in rows]))
    with torch.no_grad():
        return encoder(batch).start


def with_lexicon(transformer):
    torch.manual_seed(0)
    return Lebert(transformer, LexiconVectors(Lexicon(WORDS), 5), most=3).eval()


@pytest.fixture
def encoder(tiny_encoder):
    return with_lexicon(Transformer.load(str(tiny_encoder), "mean").eval())


def silence(encoder):
    """Makes what the adapter adds 0."""
    torch.nn.init.zeros_(encoder.adapter.outer.weight)
    torch.nn.init.zeros_(encoder.adapter.outer.bias)


def test_an_adapter_that_adds_nothing_leaves_the_encoder_as_it_is(encoder):
    bare = read(encoder.transformer)
    assert not torch.allclose(read(encoder), bare, atol=1e-3)
    silence(encoder)
    torch.testing.assert_close(read(encoder), bare, rtol=1e-4, atol=1e-4)  # the tiny layer ends with the same bare norm


def test_it_is_the_formula(encoder):
    """The layers one by one, and between them the adapter, word by word."""
    model, row = encoder.transformer.model, ROWS[1]
    batch = encoder.collate(encoder.table(row), np.arange(4, dtype=np.int32), np.array([4]))
    with torch.no_grad():
        first, second = model.encoder.layer
        states = first(model.embeddings(batch["ids"]))[0]  # pieces, size
        expected = states.clone()
        covering = {0: ["New York"], 1: ["New York"], 3: ["Göttingen"]}
        for word, (place, pieces) in enumerate(zip(batch["first"], batch["pieces"], strict=True)):
            numbers = torch.tensor([WORDS.index(entry) + 1 for entry in covering.get(word, [])], dtype=torch.long)
            for piece in range(place, place + pieces):
                if len(numbers):
                    present = torch.ones(1, len(numbers), dtype=torch.bool)
                    vectors = encoder.words.embedding(numbers)[None]
                    expected[piece] += encoder.adapter(states[piece][None], vectors, present)[0]
        found = second(encoder.norm(expected)[None])[0]
        means = [found[a : a + n].mean(0) for a, n in zip(batch["first"], batch["pieces"], strict=True)]
    torch.testing.assert_close(read(encoder, [row]), torch.stack(means), rtol=1e-4, atol=1e-5)


def test_neighbours_in_a_batch_change_nothing(encoder):
    together = read(encoder).split([len(row) for row in ROWS])
    for row, found in zip(ROWS, together, strict=True):
        torch.testing.assert_close(found, read(encoder, [row]), rtol=1e-4, atol=1e-5)


def test_nothing_stays_in_the_encoder(encoder):
    model, bare = encoder.transformer.model, read(encoder.transformer)
    read(encoder)
    assert not any(module._forward_hooks for module in model.modules())
    assert torch.equal(read(encoder.transformer), bare)
    spoilt = encoder.table(["天"])
    batch = encoder.collate(spoilt, np.zeros(1, np.int32), np.ones(1, np.int64)) | {"mask": None, "ids": "no ids"}
    with pytest.raises((AttributeError, TypeError, ValueError)):
        encoder(batch)
    assert not any(module._forward_hooks for module in model.modules())


def test_a_copy_has_an_adapter_of_its_own(encoder):
    other = copy.deepcopy(encoder)
    silence(other)
    assert not torch.allclose(read(encoder), read(other), atol=1e-3)


def test_layers_that_share_their_weights_are_adapted_once(tiny_encoder):
    tokenizer = AutoTokenizer.from_pretrained(tiny_encoder)
    torch.manual_seed(0)
    config = AlbertConfig(
        vocab_size=len(tokenizer),
        embedding_size=8,
        hidden_size=32,
        num_hidden_layers=3,
        num_attention_heads=2,
        intermediate_size=64,
    )
    encoder = with_lexicon(Transformer(AlbertModel(config, add_pooling_layer=False).eval(), tokenizer, "first"))
    calls = []
    encoder.adapter.register_forward_hook(lambda *_: calls.append(1))
    assert read(encoder).isfinite().all()
    assert calls == [1]


def test_other_families(tiny_encoder, tiny_roberta):
    assert read(with_lexicon(Transformer.load(str(tiny_roberta), "first").eval())).isfinite().all()
    tokenizer = AutoTokenizer.from_pretrained(tiny_encoder)
    shape = {"vocab_size": len(tokenizer), "dim": 32, "n_layers": 2, "n_heads": 2, "hidden_dim": 64}
    distil = DistilBertModel(DistilBertConfig(**shape)).eval()
    bare = Transformer(distil, tokenizer, "first")
    encoder = with_lexicon(bare)
    assert not torch.allclose(read(encoder), read(bare), atol=1e-3)
    gpt = GPT2Model(GPT2Config(vocab_size=len(tokenizer), n_embd=32, n_layer=2, n_head=2))
    with pytest.raises(InputError, match="does not know where 'gpt2' encoders keep their layers; use an encoder of"):
        with_lexicon(Transformer(gpt, tokenizer, "first"))


def test_every_weight_learns(encoder):
    encoder.train()
    row = list("李白住在北京。")
    batch = encoder.collate(encoder.table(row), np.arange(7, dtype=np.int32), np.array([7]))
    encoder(batch).start.sin().sum().backward()
    without = {name for name, parameter in encoder.named_parameters() if parameter.grad is None}
    assert without == set()
    changed = encoder.words.embedding.weight.grad.any(dim=1).nonzero().squeeze(1).tolist()
    assert changed == [1, 2]
