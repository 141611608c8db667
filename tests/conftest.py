"""Encoders of a few kilobytes and sentences that they can learn."""

import os
import re

os.environ["HF_HUB_OFFLINE"] = "1"  # before transformers is imported: no test may ask the network

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from torch import nn
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertModel,
    BertTokenizer,
    RobertaConfig,
    RobertaModel,
    RobertaTokenizer,
    XLMRobertaConfig,
    XLMRobertaModel,
    XLMRobertaTokenizer,
)

from gleanner.model.encoder import WordVectors
from gleanner.model.units import Targets, Units
from gleanner.training.scores import Scores
from gleanner.types import Sentence, Span

torch.set_num_threads(1)  # models this small gain nothing from more, and lose much on a busy machine

PEOPLE = ("Ada Lovelace", "Robert Hooke", "Emmy Noether", "Euler", "Marie Curie", "Newton", "Sofia", "Alan M. Turing")
PLACES = ("London", "Isle of Wight", "Göttingen", "Basel", "New York")
PATTERNS = (
    "PER lived in LOC .",
    "In LOC PER wrote letters .",
    "PER never saw LOC , friends say",
    "Did PER leave LOC ?",
    "PER",
)
CHINESE = ("PER住在LOC。", "在LOC，PER写信。", "PER没有去过LOC。", "PER")

SHAPE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}


def _fill(pattern, names, cut):
    """The pattern with names in the place of labels, and their spans."""
    words, spans = [], []
    for part in re.split("(PER|LOC)", pattern):
        new = cut(names.get(part, part))
        if part in names:
            spans.append(Span(len(words), len(words) + len(new), part))
        words += new
    return Sentence(tuple(words), tuple(spans), complete=True)


def _sentences(patterns, people, places, cut):
    names = [{"PER": person, "LOC": places[k % len(places)]} for k, person in enumerate(people)]
    return tuple(_fill(pattern, chosen, cut) for pattern in patterns for chosen in names)


@pytest.fixture(scope="session")
def tiny_sentences():
    """Forty English sentences with PER and LOC, complete: 8 people in 5 places in 5 patterns."""
    return _sentences(PATTERNS, PEOPLE, PLACES, str.split)


@pytest.fixture(scope="session")
def tiny_chinese():
    """Sixteen Chinese sentences with PER and LOC, complete; a word is a character."""
    return _sentences(CHINESE, ("李白", "王小明", "欧拉", "张衡"), ("北京", "巴塞尔", "上海"), list)


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory, tiny_sentences, tiny_chinese):
    """The folder of a BERT with random weights, 64 positions, and a WordPiece tokenizer of its own."""
    # Not trained: what a WordPiece trainer makes of ties differs from run to run, and so would what a model learns.
    words = {word for sentence in tiny_sentences + tiny_chinese for word in sentence.words}
    pieces = {char for word in words for char in word} | {"##" + char for word in words for char in word}
    pieces |= {word[:3] for word in words} | {"##" + word[3:] for word in words if len(word) > 3}
    pieces |= {"London", "Basel"}  # names that are a piece by themselves
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = {piece: number for number, piece in enumerate([*special, *sorted(pieces)])}
    config = BertConfig(vocab_size=len(vocabulary), max_position_embeddings=64, **SHAPE)
    tokenizer = BertTokenizer(vocab=vocabulary, do_lower_case=False)
    return _saved(tmp_path_factory.mktemp("bert"), BertModel, config, tokenizer)


@pytest.fixture(scope="session")
def tiny_mlm(tmp_path_factory, tiny_encoder):
    """The folder of a BERT like `tiny_encoder`, but with a masked-language-model head."""
    folder = tmp_path_factory.mktemp("mlm")
    with torch.random.fork_rng():
        torch.manual_seed(1)
        BertForMaskedLM(BertConfig.from_pretrained(tiny_encoder)).save_pretrained(folder)
    BertTokenizer.from_pretrained(tiny_encoder).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_roberta(tmp_path_factory, tiny_sentences):
    """The folder of a RoBERTa with random weights, 64 positions that it can use, and a byte-level BPE tokenizer."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    trainer = trainers.BpeTrainer(
        vocab_size=360,
        special_tokens=["<s>", "<pad>", "</s>", "<unk>", "<mask>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    folder = tmp_path_factory.mktemp("roberta")
    _trained(tokenizer, trainer, tiny_sentences).model.save(str(folder))
    tokenizer = RobertaTokenizer(vocab=str(folder / "vocab.json"), merges=str(folder / "merges.txt"))
    config = RobertaConfig(vocab_size=len(tokenizer), max_position_embeddings=66, pad_token_id=1, **SHAPE)
    return _saved(folder, RobertaModel, config, tokenizer)


@pytest.fixture(scope="session")
def tiny_sentencepiece(tmp_path_factory, tiny_sentences):
    """The folder of an XLM-RoBERTa with random weights, 64 positions that it can use, and a unigram tokenizer."""
    words = {word for sentence in tiny_sentences for word in sentence.words}
    pieces = {"▁"} | {char for word in words for char in word}
    pieces |= {"▁" + word[:3] for word in words} | {word[3:] for word in words if len(word) > 4}
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    scored = [(piece, 0.0) for piece in special] + [
        (p, -2.0 - k / 40) for k, p in enumerate(sorted(pieces, key=lambda p: (-len(p), p)))
    ]
    tokenizer = XLMRobertaTokenizer(vocab=scored)
    config = XLMRobertaConfig(vocab_size=len(tokenizer), max_position_embeddings=66, pad_token_id=1, **SHAPE)
    return _saved(tmp_path_factory.mktemp("xlmr"), XLMRobertaModel, config, tokenizer)


def _trained(tokenizer, trainer, sentences):
    tokenizer.train_from_iterator((" ".join(sentence.words) for sentence in sentences), trainer)
    return tokenizer


def _saved(folder, model, config, tokenizer):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model(config, add_pooling_layer=False).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


# Units without a model, for samplers and losses that are looked at alone


class Table(nn.Module):
    """A head whose probabilities are given, and which remembers whom it was asked for."""

    def __init__(self, probabilities):
        super().__init__()
        self.register_buffer("logits", probabilities.log())
        self.asked = []
        self.modes = []

    def forward(self, words, units, index=None):
        self.asked.append(list(range(len(self.logits))) if index is None else index.tolist())
        self.modes.append(self.training)
        return self.logits if index is None else self.logits[index]

    def probabilities(self, logits, units):
        return logits.softmax(dim=1)


@pytest.fixture
def units_of():
    """Scores and targets of sentences of `owned` words with `per_row` units each; everything is silence."""

    def units_of(owned, per_row, probabilities=None, head=None):
        row = torch.repeat_interleave(torch.arange(len(owned)), torch.tensor(per_row))
        count = len(row)
        if probabilities is None:
            probabilities = torch.full((count, 2), 0.5)
        place = torch.zeros(count, dtype=torch.long)
        words = WordVectors(torch.zeros(1, 1), torch.zeros(1, 1))
        scores = Scores(
            head or Table(probabilities),
            words,
            Units(row, place, place, torch.tensor(owned), torch.tensor(owned), torch.arange(count)),
        )
        return scores, Targets(place, torch.zeros(count, dtype=torch.bool), torch.ones(count))

    return units_of
