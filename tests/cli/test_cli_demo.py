"""The demonstration on a few sentences, with the tiny encoder."""

import pytest

from gleanner import demo, demo_data
from gleanner.model import transformer
from gleanner.types import Corpus


@pytest.fixture
def small(monkeypatch, tiny_encoder):
    raw, dev, test = demo_data.raw()[:3000], list(demo_data.dev())[:5], list(demo_data.test())[:5]
    monkeypatch.setattr(transformer, "embedded_folder", lambda: tiny_encoder)
    monkeypatch.setattr(demo_data, "raw", lambda: raw)
    monkeypatch.setattr(demo_data, "dev", lambda: Corpus(dev))
    monkeypatch.setattr(demo_data, "test", lambda: Corpus(test))
    monkeypatch.setitem(demo.SETTINGS, "training.epochs", 1)


def test_demo_runs_and_is_used_again(gleanner, refused, tmp_path, small):
    first = gleanner("demo")
    assert first.exit_code == 0, first.stderr
    assert all(name in first.stdout for name in ("dictionary only", *demo.METHODS))
    names = {path.name for path in (tmp_path / "gleanner-demo").iterdir()}
    assert names == {"silver.jsonl", "dev.jsonl", "test.jsonl", *demo.METHODS}
    again = gleanner("demo")
    assert again.stdout == first.stdout
    assert "epoch" not in again.stderr
    assert "another seed" in refused_after_notes(gleanner("demo", "--seed", "1"))


def refused_after_notes(result):
    assert result.exit_code == 2
    return result.stderr.splitlines()[-1]


def test_a_folder_that_is_no_demonstration_is_kept(refused, tmp_path, small):
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "thesis.txt").write_text("mine")
    assert "is no demonstration" in refused("demo", "--output", "work")


def test_discoveries_are_evenly_spread_and_honest():
    from gleanner.types import Sentence, Span

    words = ("Ada", "saw", "Paris")
    gold = [Sentence(words, (Span(0, 1, "PER"), Span(2, 3, "LOC")))] * 4
    dictionary = [Sentence(words, (Span(2, 3, "LOC"),))] * 4
    model = [Sentence(words, (Span(1, 2, "PER"), Span(2, 3, "LOC")))] * 3 + [Sentence(words)]
    shown = list(demo.discoveries(gold, dictionary, model, 2))
    assert len(shown) == 2
    assert [(mention.new, mention.right) for mention in shown[0][1]] == [(True, False), (False, True)]
