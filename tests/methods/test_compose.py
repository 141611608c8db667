"""Any sampler with any loss and any head, from the configuration."""

import pytest
import torch

from gleanner.api import train
from gleanner.errors import InputError
from gleanner.methods.compose import Compose
from gleanner.methods.load import build
from gleanner.model.heads.crf import CRF
from gleanner.model.heads.head import HEADS, head_class
from gleanner.training import record
from gleanner.training.parts import LOSSES, SAMPLERS
from gleanner.training.reporter import Silent
from gleanner.training.run import run
from gleanner.training.samplers.similar import Similar
from gleanner.training.settings import check, read_yaml
from gleanner.types import Corpus

QUICK = {
    "training.epochs": 2,
    "training.batch_size": 4,
    "training.encoder_lr": 3e-3,
    "training.head_lr": 3e-3,
    "model.max_width": 4,
}


@pytest.fixture
def learn(tiny_encoder):
    def learn(sentences, dev=None, *, method="compose", output=None, **settings):
        settings = QUICK | {f"method.{key.replace('__', '.')}": value for key, value in settings.items()}
        return train(
            Corpus(sentences),
            dev,
            method=method,
            encoder=str(tiny_encoder),
            output=output,
            settings=settings,
            reporter=Silent(),
        )

    return learn


@pytest.fixture
def silent(tiny_sentences):
    return [sentence.__class__(sentence.words, sentence.spans) for sentence in tiny_sentences]


def same(a, b):
    a, b = a.tagger.state_dict(), b.tagger.state_dict()
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


@pytest.mark.parametrize("sampler", SAMPLERS.names())
@pytest.mark.parametrize("loss", LOSSES.names())
@pytest.mark.parametrize("head", ["biaffine", "linear"])
def test_all_go_together(learn, silent, sampler, loss, head):
    trained = learn(silent[:8], silent[:2], sampler__name=sampler, loss__name=loss, head=head)
    assert all(weight.isfinite().all() for weight in trained.tagger.state_dict().values())
    assert trained.tagger.config.head == head


@pytest.mark.parametrize(
    ("method", "parts"),
    [
        ("plain", {}),
        ("plain", {"sampler": "everything", "loss": {"name": "cross-entropy"}}),
        ("negative-sampling", {"sampler": {"name": "uniform", "rate": 0.35}, "head": "interaction"}),
        ("weighted-sampling", {"sampler__name": "weighted", "head": "interaction"}),
        ("top-neg", {"sampler__name": "similar"}),
        ("nrces", {"sampler__name": "share", "loss__name": "nrces"}),
    ],
)
def test_the_methods_of_the_papers_are_such_compositions(learn, silent, method, parts):
    assert same(learn(silent[:12], **parts), learn(silent[:12], method=method))


def test_the_record_repeats_the_run(learn, silent, tmp_path):
    parts = {"sampler__name": "similar", "sampler__ratio": 0.1, "loss__name": "nrces", "head": "interaction"}
    first = learn(silent, silent[:4], output=tmp_path / "first", **parts)
    settings = check(read_yaml(tmp_path / "first" / "settings.yaml"))
    assert settings.method == {
        "name": "compose",
        "sampler": {"name": "similar", "ratio": 0.1, "select": "top", "features": "hidden"},
        "loss": {"name": "nrces", "w": 5.0, "without": None},
        "head": "interaction",
    }
    again = run(
        build(settings.method),
        settings,
        tmp_path / "again",
        corpus=Corpus(silent),
        dev=silent[:4],
        reporter=Silent(),
    )
    assert same(first, again)
    assert "sampler.ratio=0.1" in (tmp_path / "first" / "README.md").read_text()
    assert record.read(tmp_path / "first")["settings"]["method"] == settings.method


def test_parts_that_only_python_knows(silent, tiny_encoder):
    class Half(Similar):
        """Similar, in the hands of somebody who has no file in gleanner."""

    settings = check({"encoder": str(tiny_encoder), "training": {"epochs": 1}})
    trained = run(Compose(sampler=Half(0.5)), settings, corpus=Corpus(silent[:4]), reporter=Silent())
    assert trained.history


@pytest.mark.parametrize("method", ["nrces", "compose"])
def test_a_loss_of_units_and_a_head_of_sequences(learn, silent, tmp_path, method):
    parts = {"head": "crf"} | ({"loss__name": "nrces"} if method == "compose" else {})
    with pytest.raises(InputError, match="the loss nrces counts each unit by itself, and the head 'crf' scores seq"):
        learn(silent[:4], method=method, output=tmp_path / "model", **parts)
    assert not (tmp_path / "model").exists()  # so that the next attempt may have it


def test_sequences_are_those_of_the_crf():
    for name in HEADS.names():
        assert head_class(name).unitwise == (not issubclass(head_class(name), CRF))


@pytest.mark.parametrize("method", ["top-neg", "nrces"])
def test_a_corpus_with_one_type_and_one_example(learn, silent, method):
    words = [sentence for sentence in silent if len(sentence.words) > 4][:6]
    bare = [sentence.__class__(sentence.words) for sentence in words[1:]]
    one = words[0].__class__(words[0].words, words[0].spans[:1])
    trained = learn([one, *bare], method=method)  # most batches have no entity
    assert trained.tagger.labels == (one.spans[0].label,)
    assert all(weight.isfinite().all() for weight in trained.tagger.state_dict().values())
