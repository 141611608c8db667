"""Which parameters learn how fast, and when."""

import math

import pytest

from gleanner.model.bilstm import BiLSTM
from gleanner.model.choices import BiLSTMOptions
from gleanner.model.compact import CompactEmbedding, compact
from gleanner.model.config import TaggerConfig
from gleanner.model.tagger import Tagger
from gleanner.model.transformer import Transformer
from gleanner.training.rates import parameter_groups, rate_factor
from gleanner.training.settings import Training

# Rates


@pytest.mark.parametrize("decay", ["linear", "cosine", "none"])
@pytest.mark.parametrize("warmup", [0.0, 0.1, 0.95])
@pytest.mark.parametrize("steps", [1, 2, 37])
def test_rates_rise_then_fall_and_are_never_nothing(steps, warmup, decay):
    training = Training(warmup=warmup, decay=decay)
    factors = [rate_factor(step, steps, training) for step in range(steps)]
    top = max(round(steps * warmup), 1) - 1
    assert factors[top] == 1.0
    assert factors[: top + 1] == sorted(factors[: top + 1])
    assert factors[top:] == sorted(factors[top:], reverse=True)
    assert all(0.0 < factor <= 1.0 for factor in factors)


def test_rates_by_hand():
    cosine = [rate_factor(step, 4, Training(warmup=0.0, decay="cosine")) for step in range(4)]
    assert cosine == pytest.approx([1.0, (1 + math.sqrt(0.5)) / 2, 0.5, (1 - math.sqrt(0.5)) / 2])
    none = [rate_factor(step, 4, Training(warmup=0.5, decay="none")) for step in range(4)]
    assert none == [0.5, 1.0, 1.0, 1.0]


# Parameter groups


def settled(tagger, training):
    """For each parameter's name its rate and decay."""
    names = {id(parameter): name for name, parameter in tagger.named_parameters()}
    found = {}
    for group in parameter_groups(tagger, training):
        for parameter in group["params"]:
            assert names[id(parameter)] not in found
            found[names[id(parameter)]] = (group["lr"], group["weight_decay"])
    assert found.keys() == set(names.values())
    return found


def test_what_decays_and_how_fast_it_learns(tiny_encoder):
    encoder = Transformer.load(str(tiny_encoder), "first")
    tagger = Tagger(TaggerConfig(labels=("O", "PER"), head="concat"), encoder)
    with compact(encoder, [encoder.rows(encoder.table(["Ada"]), None, None)]):
        assert isinstance(encoder.model.get_input_embeddings(), CompactEmbedding)
        found = settled(tagger, Training(encoder_lr=1e-3, head_lr=2e-3, weight_decay=0.25))
        for name, parameter in tagger.named_parameters():
            lr, decay = found[name]
            assert lr == (1e-3 if name.startswith("encoder.") else 2e-3)
            spared = "embeddings" in name or name == "head.width.weight" or parameter.ndim == 1
            assert decay == (0.0 if spared else 0.25), name
    assert {decay for _, decay in found.values()} == {0.0, 0.25}


@pytest.mark.parametrize(("width", "rate"), [(32, 2e-4), (512, 2e-4), (768, 3e-5)])
def test_the_rate_of_an_encoder_follows_its_width(tiny_encoder, width, rate):
    encoder = Transformer.load(str(tiny_encoder), "first")
    tagger = Tagger(TaggerConfig(labels=("O", "PER"), head="linear"), encoder)
    encoder.size = width
    found = settled(tagger, Training())
    assert {lr for name, (lr, _) in found.items() if name.startswith("encoder.")} == {rate}
    assert {lr for name, (lr, _) in found.items() if name.startswith("head.")} == {5e-4}


def test_the_rate_of_a_bilstm(tiny_sentences):
    words = [word for sentence in tiny_sentences for word in sentence.words]
    encoder = BiLSTM.build(words, BiLSTMOptions(word_size=8, char_size=4, hidden=4))
    found = settled(Tagger(TaggerConfig(labels=("O", "PER"), head="linear", encoder="bilstm"), encoder), Training())
    assert {lr for name, (lr, _) in found.items() if name.startswith("encoder.")} == {1e-3}
    assert found["encoder.word.weight"][1] == found["encoder.char.weight"][1] == 0.0
    assert found["encoder.lstm.weight_hh_l0"][1] == 0.01
