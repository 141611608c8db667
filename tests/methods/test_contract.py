"""One suite that every method passes. A new method joins by being a module of `gleanner.methods`."""

import dataclasses

import pytest
import torch

from gleanner.api import train
from gleanner.cli.fields import settings
from gleanner.errors import InputError
from gleanner.evaluation.scores import score_arrays
from gleanner.evaluation.spans import flatten
from gleanner.methods.load import build, load, names
from gleanner.model.heads.head import head_class
from gleanner.model.tagger import Tagger
from gleanner.training.reporter import Silent
from gleanner.types import Corpus, Sentence, Span

HEADS = ("linear", "twofold", "angle", "crf", "angle-crf", "concat", "interaction", "biaffine")

QUICK = {
    "training.epochs": 8,
    "training.batch_size": 4,
    "training.encoder_lr": 3e-3,
    "training.head_lr": 3e-3,
    "model.max_width": 4,
}


BESIDE = {"roster": {"method.augment": False, "method.models": 2, "method.ensemble_rate": 1}}
"""What else a method needs to be told."""


@pytest.fixture(scope="module", params=names())
def method(request):
    return request.param


@pytest.fixture(scope="module")
def beside(tiny_encoder, tmp_path_factory):
    """The settings that a method needs beside; self-training goes on from a model of the same sentences."""
    folders = {}

    def beside(method, sentences, settings):
        if method != "self-training":
            return BESIDE.get(method, {})
        key = repr((sentences, settings))
        if key not in folders:
            folders[key] = str(tmp_path_factory.mktemp("start") / "model")
            chosen = {name: value for name, value in settings.items() if not name.startswith("method.")}
            options = {"method": "plain", "encoder": str(tiny_encoder), "output": folders[key], "reporter": Silent()}
            train(Corpus(sentences), **options, settings=chosen | {"method.head": "linear"})
        return {"method.start": folders[key]}

    return beside


@pytest.fixture(scope="module")
def learn(tiny_encoder, beside):
    def learn(method, sentences, dev=None, *, output=None, seed=0, reporter=None, **settings):
        chosen = QUICK | {key.replace("__", "."): value for key, value in settings.items()}
        return train(
            Corpus(sentences),
            dev,
            method=method,
            encoder=str(tiny_encoder),
            output=output,
            seed=seed,
            settings=chosen | beside(method, sentences, chosen),
            reporter=reporter or Silent(),
        )

    return learn


@pytest.fixture(scope="module")
def silent(tiny_sentences):
    """The sentences, fully annotated, but silence is unknown."""
    return [dataclasses.replace(sentence, complete=False) for sentence in tiny_sentences]


@pytest.fixture(scope="module")
def learned(learn, method, silent, tiny_sentences, tmp_path_factory):
    """The folder of a model and the run that wrote it."""
    output = tmp_path_factory.mktemp(method) / "model"
    return output, learn(method, silent, tiny_sentences, output=output)


def same(a, b):
    a, b = a.tagger.state_dict(), b.tagger.state_dict()
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


def f1(tagger, sentences):
    numbers = {label: k for k, label in enumerate(tagger.config.labels)}
    return score_arrays(flatten(sentences, numbers), flatten(list(tagger.annotate(sentences)), numbers)).f1


# Learning


def test_learns(learned, tiny_sentences):
    _, trained = learned
    assert trained.best["f1"] > 0.9
    assert f1(trained.tagger, tiny_sentences) == pytest.approx(trained.best["f1"], abs=0.02)


@pytest.mark.parametrize("head", HEADS)
def test_learns_with_each_head(learn, method, silent, tiny_sentences, head):
    if "head" not in load(method).__dataclass_fields__:
        pytest.skip("its head is its own")
    explained = next(s.doc for s in settings(load(method)) if s.name == "head")
    try:
        trained = learn(method, silent, tiny_sentences, method__head=head)
    except InputError as refusal:
        assert f"the head {head!r}" in refusal.what
        assert f"`{head}`" not in explained
        pytest.skip(refusal.what)
    assert f"`{head}`" in explained
    assert trained.tagger.config.head == head
    assert trained.best["f1"] > 0.7


def test_learns_chinese(learn, method, tiny_chinese):
    trained = learn(method, tiny_chinese, tiny_chinese, training__epochs=10)
    assert trained.best["f1"] > 0.7
    found = trained.tagger.predict("李白住在北京。")
    assert all(entity["text"] == "李白住在北京。"[entity["start"] : entity["end"]] for entity in found)


@pytest.fixture(scope="module")
def nested(tiny_sentences):
    """Each person in two words gets a family name inside."""
    return [
        dataclasses.replace(
            sentence,
            spans=sentence.spans
            + tuple(
                Span(s.end - 1, s.end, "NAME") for s in sentence.spans if s.label == "PER" and s.end - s.start == 2
            ),
        )
        for sentence in tiny_sentences
    ]


@pytest.mark.parametrize("decode", ["flat", "nested"])
def test_nested_entities(learn, method, nested, decode):
    trained = learn(method, nested, nested, model__decode=decode)
    spans = [(k, s) for k, sentence in enumerate(trained.tagger.annotate(nested)) for s in sentence.spans]
    touching = [
        (a, b) for k, a in spans for j, b in spans if k == j and a is not b and a.start < b.end and b.start < a.end
    ]
    by_words = head_class(trained.tagger.config.head).unit == "tokens"
    if decode == "flat" or by_words:
        assert not touching
    else:
        assert any(a.label == "PER" and b.label == "NAME" for a, b in touching)
        assert trained.best["f1"] > 0.8


# What nobody knows


def test_what_is_marked_unknown_leaves_no_trace(learn, method, tiny_sentences):
    """In a sentence that is unknown as a whole another word could stand: not a bit of the weights would differ."""
    words = ("London", "Basel")
    known = [*tiny_sentences[:12], *(Sentence((word,), (Span(0, 1, "LOC"),)) for word in words)]
    runs = []
    for word in words:
        unknown = [Sentence((word,), (Span(0, 1, "?"),))] * 6
        runs.append(learn(method, [*known, *unknown], training__epochs=2))
    assert same(*runs)


def test_unknown_is_not_a_negative(learn, method, silent, tiny_sentences):
    """Each name is annotated in half of its sentences and marked unknown in the others: it is found in all."""
    hidden = [
        sentence
        if (k // 8 + k) % 2
        else dataclasses.replace(sentence, spans=tuple(dataclasses.replace(span, label="?") for span in sentence.spans))
        for k, sentence in enumerate(silent)
    ]
    trained = learn(method, hidden, tiny_sentences, training__epochs=12)
    assert trained.best["recall"] > 0.8  # taken for negatives, at most 0.7


# Repeating


def test_same_seed_same_weights(learn, method, silent):
    first = learn(method, silent[:12], training__epochs=2, seed=1)
    assert same(first, learn(method, silent[:12], training__epochs=2, seed=1))
    assert not same(first, learn(method, silent[:12], training__epochs=2, seed=2))


def test_a_loaded_model_predicts_the_same(learned, tiny_sentences):
    output, trained = learned
    loaded = Tagger.from_pretrained(output)
    assert loaded.config == trained.tagger.config
    assert list(loaded.annotate(tiny_sentences)) == list(trained.tagger.annotate(tiny_sentences))
    text = "Ada Lovelace never saw Göttingen."
    assert loaded.predict(text) == trained.tagger.predict(text)


class Stopper(Silent):
    """Ends a run after so many steps, of all stages together."""

    def __init__(self, steps):
        self.left = steps

    def step(self, done, loss, speed):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("steps", [2, 5])
def test_goes_on_where_it_was_stopped(learn, method, silent, tiny_sentences, tmp_path, steps):
    settings = {"training__epochs": 2, "training__checkpoint_minutes": 0}
    data = silent[:12], tiny_sentences[:4]
    learn(method, *data, output=tmp_path / "straight", **settings)
    with pytest.raises(KeyboardInterrupt):
        learn(method, *data, output=tmp_path / "model", reporter=Stopper(steps), **settings)
    learn(method, *data, output=tmp_path / "model", **settings)
    straight, resumed = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("straight", "model"))
    assert straight == resumed


# Hyperparameters


def made(method):
    """With what it cannot do without."""
    needed = {"roster": {"augment": False}, "self-training": {"start": "a-folder"}}
    return build({"name": method} | needed.get(method, {}))


def test_hyperparameters_are_frozen_and_documented(method):
    cls = load(method)
    assert cls.__doc__
    assert cls.fit.__doc__
    assert cls.__dataclass_params__.frozen
    fields = cls.__pydantic_fields__
    assert fields.keys() == cls.__dataclass_fields__.keys()
    assert [name for name, field in fields.items() if not field.description] == []
    with pytest.raises(dataclasses.FrozenInstanceError):
        made(method).head = "crf"


def test_the_name_is_that_of_the_module(method):
    assert load(method).__module__ == f"gleanner.methods.{method.replace('-', '_')}"
    assert type(made(method)) is load(method)


def test_a_method_is_told_from_another_by_its_hyperparameters(method):
    assert made(method) == made(method)
    hash(made(method))


def test_bad_hyperparameters_are_named(method):
    with pytest.raises(InputError, match=f"{method} has no setting 'method.no_such_thing'"):
        build({"name": method, "no_such_thing": 1})
    for name in load(method).__dataclass_fields__:
        with pytest.raises(InputError, match=rf"method\.{name}"):
            build({"name": method, name: {"no": "such value"}})
