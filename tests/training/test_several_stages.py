"""Methods that train one model after another."""

import gc
from dataclasses import dataclass

import pytest
from torch.optim import AdamW

from gleanner.training import fit
from gleanner.training.run import run
from gleanner.training.settings import check
from gleanner.training.stage import Stage
from gleanner.types import Corpus


def told(history):
    return [{key: value for key, value in entry.items() if key != "seconds"} for entry in history]


@dataclass(frozen=True)
class TwoStages:
    """Trains on everything, then on the sentences that have one type only."""

    def fit(self, corpus, train):
        train(Stage("first", corpus, "linear"))
        people = Corpus([s for s in corpus if all(span.label == "PER" for span in s.spans)])
        return train(Stage("second", people, "linear", seed=1))


@pytest.fixture
def two_stages(tiny_sentences, tiny_encoder, tmp_path):
    training = {"batch_size": 4, "encoder_lr": 3e-3, "head_lr": 3e-3, "checkpoint_minutes": 0}

    def two_stages(output, reporter, epochs=3):
        settings = check({"encoder": str(tiny_encoder), "training": training | {"epochs": epochs}})
        corpus, dev = Corpus(tiny_sentences), tiny_sentences[-8:]
        return run(TwoStages(), settings, output, corpus=corpus, dev=dev, reporter=reporter)

    return two_stages


def test_all_stages_share_the_labels_of_the_first(two_stages, listener):
    trained = two_stages(None, listener(), epochs=8)
    assert trained.tagger.labels == ("LOC", "PER")
    # The second stage sees "PER" only. With numbers of its own, its people would be counted as places.
    assert trained.best["stage"] == "second"
    assert trained.best["f1"] > 0.9


def test_finished_stages_are_not_trained_again(two_stages, listener, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        two_stages(tmp_path / "model", listener(stop=("step", 34)))
    heard = listener()
    resumed = two_stages(tmp_path / "model", heard)
    assert heard.stages == [("second", 3, 6)]
    straight = two_stages(tmp_path / "straight", listener())
    assert told(resumed.history) == told(straight.history)
    first, second = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("model", "straight"))
    assert first == second


def test_the_optimiser_of_a_stage_that_is_done_is_let_go(two_stages, listener, monkeypatch):
    alive = []
    real = fit._Loop.run

    def spy(loop):
        gc.collect()
        alive.append(sum(type(thing) is AdamW for thing in gc.get_objects()))
        return real(loop)

    monkeypatch.setattr(fit._Loop, "run", spy)
    two_stages(None, listener())
    assert alive[1] == alive[0]


def test_trackers_count_the_steps_of_all_stages(two_stages, listener, tmp_path, monkeypatch):
    logged = []
    monkeypatch.setattr("accelerate.Accelerator.log", lambda self, values, step: logged.append((step, values["step"])))
    two_stages(tmp_path / "model", listener())
    assert logged == [(10, 10), (20, 20), (30, 30), (32, 2), (34, 4), (36, 6)]
