"""A run that ends at any moment goes on, and ends with the same weights, bit for bit."""

import os
import signal
import subprocess
import sys

import pytest

from gleanner.api import train
from gleanner.data.files import write
from gleanner.errors import InputError
from gleanner.model.tagger import Tagger
from gleanner.training import checkpoint
from gleanner.training.reporter import Silent

PER_EPOCH = 5  # 20 sentences in batches of 4
SETTINGS = {"training__epochs": 2, "training__checkpoint_minutes": 0}


@pytest.fixture(scope="module")
def begin(learn, tiny_sentences):
    """The run that is interrupted in these tests: `begin(output, reporter, setting=...)`."""

    def begin(output, reporter=None, **settings):
        options = {"method": "negative-sampling"} | SETTINGS | settings
        return learn(tiny_sentences[:20], tiny_sentences[20:25], output=output, reporter=reporter, **options)

    return begin


@pytest.fixture(scope="module")
def whole(begin, tmp_path_factory):
    """The model of the run that nothing interrupts."""
    output = tmp_path_factory.mktemp("whole") / "model"
    begin(output)
    return (output / "model.safetensors").read_bytes()


def interrupt(begin, output, listener, event, times, **settings):
    with pytest.raises(KeyboardInterrupt):
        begin(output, listener(stop=(event, times)), **settings)
    assert not (output / "model.safetensors").exists()


@pytest.mark.parametrize("step", [1, 4, 5, 7, 10])
def test_in_a_step(begin, whole, listener, tmp_path, step):
    output = tmp_path / "model"
    interrupt(begin, output, listener, "step", step)
    heard = listener()
    trained = begin(output, heard)
    assert heard.stages == [("negative-sampling", step - 1, 10)]
    assert (output / "model.safetensors").read_bytes() == whole
    assert [entry["step"] for entry in trained.history] == [5, 10]


@pytest.mark.parametrize("evaluation", [1, 2])
def test_after_the_best_weights_are_written_and_before_the_checkpoint(begin, whole, listener, tmp_path, evaluation):
    output = tmp_path / "model"
    interrupt(begin, output, listener, "evaluated", evaluation)
    heard = listener()
    begin(output, heard)
    assert heard.stages[0][1] == evaluation * PER_EPOCH - 1
    assert (output / "model.safetensors").read_bytes() == whole


def test_again_and_again_at_every_step(begin, whole, listener, tmp_path):
    output = tmp_path / "model"
    for step in range(10):
        # The first step of each run is done again, the second ends it.
        with pytest.raises(KeyboardInterrupt):
            begin(output, heard := listener(stop=("step", 2 if step < 9 else 1)))
        assert heard.stages[0][1] == step
    begin(output)
    assert (output / "model.safetensors").read_bytes() == whole


def test_with_checkpoints_at_evaluations_only(begin, whole, listener, tmp_path):
    output = tmp_path / "model"
    rare = {"training__checkpoint_minutes": 60}
    interrupt(begin, output, listener, "step", 8, **rare)
    heard = listener()
    begin(output, heard, **rare)
    assert heard.stages[0][1] == PER_EPOCH
    assert (output / "model.safetensors").read_bytes() == whole


def test_half_written_files_do_not_count(begin, whole, listener, tmp_path):
    output = tmp_path / "model"
    interrupt(begin, output, listener, "step", 7)
    (stage,) = (output / "stages").iterdir()
    for name in ("checkpoint.writing", "best.writing"):
        (stage / name).write_bytes(b"half of it")
    begin(output)
    assert (output / "model.safetensors").read_bytes() == whole
    assert not (output / "stages").exists()


def test_in_the_writing_of_the_record(begin, whole, tmp_path):
    output = tmp_path / "model"
    output.mkdir()
    (output / ".run.json.0123abcd.tmp").write_text("{")
    begin(output)
    assert (output / "model.safetensors").read_bytes() == whole


def test_in_the_writing_of_the_model(begin, whole, listener, tmp_path, monkeypatch):
    output = tmp_path / "model"

    def killed(self, folder, card):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Tagger, "save_pretrained", killed)
        begin(output)
    heard = listener()
    trained = begin(output, heard)
    assert heard.stages == []  # nothing is trained again
    assert len(trained.history) == 2
    assert (output / "model.safetensors").read_bytes() == whole


def test_after_stopping_early(begin, listener, tmp_path):
    impatient = {
        "training__patience": 1,
        "training__epochs": 20,
        "training__encoder_lr": 1e-9,
        "training__head_lr": 1e-9,
    }
    straight = begin(tmp_path / "straight", **impatient)
    assert len(straight.history) == 2
    interrupt(begin, tmp_path / "model", listener, "step", 7, **impatient)
    assert [entry["f1"] for entry in begin(tmp_path / "model", **impatient).history] == [
        entry["f1"] for entry in straight.history
    ]


@pytest.mark.parametrize("head", ["crf", "interaction"])
@pytest.mark.parametrize(
    ("encoder", "way"), [("bilstm", None), (None, None), ("flat", None), (None, "adapter"), (None, "attention")]
)
def test_whatever_the_model(begin, listener, tmp_path, encoder, way, head):
    settings = {
        "encoder": encoder,
        "method__head": head,
        "bilstm__hidden": 8,
        "flat__head_size": 4,
        "lexicon__way": way,
    }
    begin(tmp_path / "straight", **settings)
    interrupt(begin, tmp_path / "model", listener, "step", 7, **settings)
    begin(tmp_path / "model", **settings)
    straight, resumed = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("straight", "model"))
    assert straight == resumed


def test_the_history_goes_on_too(begin, listener, tmp_path):
    def told(history):
        return [{key: value for key, value in entry.items() if key != "seconds"} for entry in history]

    straight = begin(None)
    interrupt(begin, tmp_path / "model", listener, "step", 8)
    assert told(begin(tmp_path / "model").history) == told(straight.history)


def test_a_damaged_checkpoint_is_not_trained_over(begin, listener, tmp_path):
    output = tmp_path / "model"
    interrupt(begin, output, listener, "step", 7)
    (path,) = (output / "stages").glob("*/checkpoint.safetensors")
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(InputError, match="the checkpoint is damaged"):
        begin(output)


def test_the_best_weights_are_never_replaced_by_others(begin, listener, tmp_path):
    output = tmp_path / "model"
    interrupt(begin, output, listener, "step", 10)
    (path,) = (output / "stages").glob("*/checkpoint.safetensors")
    tensors, facts = checkpoint.read(path)
    checkpoint.write(path, tensors, facts | {"finished": True})
    path.with_name("best.safetensors").unlink()
    with pytest.raises(InputError, match="the best weights are missing"):
        begin(output)


SCRIPT = """
import os, signal, sys
import torch
from gleanner.api import train
from gleanner.training.reporter import Silent

class Killer(Silent):
    def step(self, done, loss, speed):
        if done == 7:
            os.kill(os.getpid(), signal.SIGKILL)

torch.set_num_threads(1)
data, encoder, output = sys.argv[1:]
train(data, encoder=encoder, output=output, reporter=Killer(), method="weighted-sampling",
      settings={"training.epochs": 2, "training.batch_size": 4, "training.checkpoint_minutes": 0})
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill")
def test_kill_9(tiny_sentences, tiny_encoder, tmp_path):
    data = str(tmp_path / "train.jsonl")
    write(tiny_sentences[:20], data)
    killed = subprocess.run(
        [sys.executable, "-c", SCRIPT, data, str(tiny_encoder), str(tmp_path / "model")],
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
        capture_output=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert not (tmp_path / "model" / "model.safetensors").exists()
    settings = {"training.epochs": 2, "training.batch_size": 4, "training.checkpoint_minutes": 0}
    for name in ("model", "straight"):
        train(
            data,
            encoder=str(tiny_encoder),
            output=tmp_path / name,
            reporter=Silent(),
            method="weighted-sampling",
            settings=settings,
        )
    resumed, straight = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("model", "straight"))
    assert resumed == straight
