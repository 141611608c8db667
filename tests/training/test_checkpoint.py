"""Checkpoints: exact, whole, and never silently wrong."""

import pytest
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file

from gleanner.errors import InputError
from gleanner.training import checkpoint


def begun(values):
    parameter = torch.nn.Parameter(values)
    return parameter, torch.optim.AdamW([parameter], lr=0.1)


def go_on(parameter, optimizer, steps):
    for _ in range(steps):
        (parameter**3).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def test_tensors_and_facts_come_back_exactly(tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    tensors = {"a": torch.randn(3, 4).T, "b": torch.tensor(7.0), "c": torch.arange(3)}
    facts = {"step": 3, "best": 0.1 + 0.2, "history": [{"f1": 1 / 3, "is_best": True}], "none": None}
    checkpoint.write(path, tensors, facts)
    kept, known = checkpoint.read(path)
    assert known == facts
    assert kept.keys() == tensors.keys()
    assert all(torch.equal(kept[name], tensors[name]) for name in tensors)
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_no_checkpoint_yet(tmp_path):
    assert checkpoint.read(tmp_path / "checkpoint.safetensors") is None


def test_an_optimizer_goes_on_as_if_it_had_not_stopped(tmp_path):
    straight, optimizer = begun(torch.linspace(-1, 1, 6))
    go_on(straight, optimizer, 4)
    checkpoint.write(tmp_path / "c.safetensors", {"p": straight, **checkpoint.optimizer_tensors(optimizer)}, {})
    go_on(straight, optimizer, 3)
    tensors, _ = checkpoint.read(tmp_path / "c.safetensors")
    resumed, optimizer = begun(tensors["p"])
    checkpoint.restore_optimizer(optimizer, tensors)
    go_on(resumed, optimizer, 3)
    assert torch.equal(resumed, straight)


def test_what_a_killed_writer_left_is_written_over(tmp_path):
    path = tmp_path / "checkpoint.safetensors"
    path.with_suffix(".writing").write_bytes(b"half of a checkp")
    checkpoint.write(path, {"a": torch.ones(2)}, {"step": 1})
    assert checkpoint.read(path)[1] == {"step": 1}
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), SafetensorError("No space left on device")])
def test_a_full_disk_leaves_the_old_checkpoint(tmp_path, monkeypatch, error):
    path = tmp_path / "checkpoint.safetensors"
    checkpoint.write(path, {"a": torch.ones(2)}, {"step": 1})

    def full(tensors, beside, metadata):
        beside.write_bytes(b"half")
        raise error

    monkeypatch.setattr(checkpoint, "save_file", full)
    with pytest.raises(InputError, match="No space left on device"):
        checkpoint.write(path, {"a": torch.zeros(2)}, {"step": 2})
    assert checkpoint.read(path)[1] == {"step": 1}
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("content", [b"", b"no checkpoint at all", None])
def test_a_damaged_checkpoint_is_named(tmp_path, content):
    path = tmp_path / "checkpoint.safetensors"
    checkpoint.write(path, {"a": torch.ones(200)}, {"step": 1})
    path.write_bytes(path.read_bytes()[:-100] if content is None else content)
    with pytest.raises(InputError, match=r"checkpoint\.safetensors: the checkpoint is damaged: .*; remove it"):
        checkpoint.read(path)


def test_a_foreign_safetensors_file_is_refused(tmp_path):
    save_file({"a": torch.ones(2)}, tmp_path / "c.safetensors")
    with pytest.raises(InputError, match="damaged"):
        checkpoint.read(tmp_path / "c.safetensors")
