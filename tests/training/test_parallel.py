"""Stages side by side, on two processors that stand for two devices."""

import dataclasses
import sys
import types
from typing import Any, ClassVar

import pytest
import torch

from gleanner.errors import GleannerError
from gleanner.training import parallel
from gleanner.training.run import run
from gleanner.training.settings import check
from gleanner.training.stage import Stage
from gleanner.types import Corpus

ROSTER = {
    "method": "roster",
    "method__head": "twofold",
    "method__models": 3,
    "method__augment": False,
    "training__epochs": 1,
    "training__checkpoint_minutes": 0,
}
STAGES = ["member-1", "member-2", "member-3", "ensemble", "self-training"]


@pytest.fixture
def two_devices(monkeypatch):
    monkeypatch.setattr(parallel, "devices", lambda: ["cpu", "cpu"])


@pytest.fixture(scope="module")
def begin(learn, tiny_sentences):
    def begin(output=None, reporter=None, **settings):
        sentences = [dataclasses.replace(sentence, complete=False) for sentence in tiny_sentences[:16]]
        return learn(sentences, tiny_sentences[:6], output=output, reporter=reporter, **ROSTER | settings)

    return begin


@pytest.fixture(scope="module")
def alone(begin):
    """The run that trains one model after the other."""
    return begin()


def weights(trained):
    return trained.tagger.state_dict()


def timeless(history):
    return [{name: value for name, value in entry.items() if name != "seconds"} for entry in history]


@pytest.mark.parametrize("kept", [False, True])
def test_the_results_are_those_of_one_after_the_other(begin, alone, two_devices, listener, tmp_path, kept):
    heard = listener()
    trained = begin(tmp_path / "model" if kept else None, heard)
    assert all(torch.equal(value, weights(alone)[name]) for name, value in weights(trained).items())
    assert timeless(trained.history) == timeless(alone.history)
    assert heard.stages[0][0].startswith("3 models on 2 devices")
    assert [stage for stage, _, _ in heard.stages][1:] == STAGES[3:]  # the members are not trained again
    assert sorted(entry["stage"] for entry in heard.entries) == sorted(STAGES)
    assert max(heard.steps) <= 300


@pytest.mark.parametrize("steps", [3, 6])
def test_a_killed_run_goes_on(begin, alone, two_devices, listener, tmp_path, steps):
    with pytest.raises(KeyboardInterrupt):
        begin(tmp_path / "model", listener(stop=("step", steps)))
    heard = listener()
    trained = begin(tmp_path / "model", heard)
    assert len(heard.steps) < 5 * 4
    assert all(torch.equal(value, weights(alone)[name]) for name, value in weights(trained).items())


class Both:
    """Two independent stages."""

    __dataclass_fields__: ClassVar[dict[str, Any]] = {}

    def __init__(self, **stage):
        self.stage = stage

    def fit(self, corpus, train):
        stages = [Stage(name, corpus, "linear", seed=k, **self.stage) for k, name in enumerate(("a", "b"))]
        return train.together(stages)[-1]


@pytest.fixture
def both(tiny_sentences, tiny_encoder, listener):
    def both(heard, **stage):
        settings = check({"encoder": str(tiny_encoder), "training": {"epochs": 1}})
        return run(Both(**stage), settings, corpus=Corpus(tiny_sentences[:8]), reporter=heard)

    return both


def test_what_cannot_be_sent_is_trained_here(both, two_devices, listener, monkeypatch):
    logged = []
    monkeypatch.setattr("accelerate.Accelerator.log", lambda self, values, step: logged.append(step))
    heard = listener()
    both(heard, sampler=lambda scores, targets, progress: targets.weight)
    assert [note for note in heard.notes if note.startswith("training one after the other")]
    assert [stage for stage, _, _ in heard.stages][1:] == ["a", "b"]
    assert len(logged) == len(set(logged)) == 2  # trackers hear of each evaluation once


def test_what_only_this_process_can_import_is_trained_here(both, two_devices, listener, monkeypatch):
    notebook = types.ModuleType("notebook")
    exec("def sampler(scores, targets, progress):\n    return targets.weight", vars(notebook))
    monkeypatch.setitem(sys.modules, "notebook", notebook)
    heard = listener()
    both(heard, sampler=notebook.sampler)
    assert [note for note in heard.notes if "No module named 'notebook'" in note]
    assert [stage for stage, _, _ in heard.stages][1:] == ["a", "b"]


def test_a_failure_in_another_process_ends_the_run(both, two_devices, listener):
    with pytest.raises(GleannerError, match=r"^[ab]: divmod expected 2 arguments, got 4$"):
        both(listener(), loss=divmod)


def test_one_device_needs_no_other_process(both, listener, monkeypatch):
    monkeypatch.setattr(parallel, "devices", lambda: ["cpu"])
    monkeypatch.setattr(parallel, "train_side_by_side", None)
    heard = listener()
    both(heard)
    assert [stage for stage, _, _ in heard.stages] == ["a", "b"]
