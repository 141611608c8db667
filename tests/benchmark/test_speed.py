"""What `make bench` stands on; its measurements are not tests."""

from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def speed(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    return lambda name: import_module(f"benchmarks.speed.{name}")


def test_all_parts_are_there(speed):
    assert all(callable(speed(part).rows) for part in speed("__main__").PARTS)


@pytest.mark.parametrize("real", [False, True])
def test_the_corpus_that_is_measured_on(speed, tmp_path, monkeypatch, real):
    monkeypatch.setenv("GLEANNER_DATA", str(tmp_path))
    if real:
        (tmp_path / "wikigold").mkdir()
        line = '{"tokens": ["Ada", "wrote"], "entities": [[0, 1, "PER"]]}\n'
        (tmp_path / "wikigold" / "train.distant.jsonl").write_text(line)
    material = speed("material").Material.find("minilm", quick=True)
    assert (len(material.sentences) == 1) == real
    assert not any(sentence.complete for sentence in material.sentences)
