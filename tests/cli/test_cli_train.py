import json

from gleanner import write
from gleanner.training.reporter import Terminal


def settings_of(folder):
    return json.loads((folder / "run.json").read_text())["settings"]


def test_train_with_everything(gleanner, tmp_path, tiny_encoder, tiny_sentences):
    for name, part in (("a", tiny_sentences[:10]), ("b", tiny_sentences[10:30]), ("dev", tiny_sentences[30:])):
        write(part, tmp_path / f"{name}.jsonl")
    (tmp_path / "c.yaml").write_text("method: {name: plain, head: biaffine}\nseed: 5\ntraining: {epochs: 9}\n")
    options = ["--config", "c.yaml", "--encoder", tiny_encoder, "--method", "negative-sampling", "--seed", 7]
    files = ["--train", "a.jsonl", "b.jsonl", "--dev", "dev.jsonl", "--output", "out", "--complete"]
    result = gleanner("train", *options, *files, "training.epochs=2", "seed=8", "method.rate=0.5")
    assert result.exit_code == 0, result.stderr
    settings = settings_of(tmp_path / "out")
    assert settings["data"] == {"train": ["a.jsonl", "b.jsonl"], "dev": "dev.jsonl", "format": None, "complete": True}
    assert settings["method"] == {"name": "negative-sampling", "head": "biaffine", "rate": 0.5}
    assert settings["seed"] == 8  # file, option, override: the last is the strongest
    assert settings["training"]["epochs"] == 2
    assert "30 sentences" in result.stdout
    assert "best epoch" in result.stdout
    assert "gleanner predict out FILE" in result.stdout
    assert "epoch   2.0" in result.stderr
    assert "Loading weights" not in result.stderr


def test_quiet_prints_nothing(gleanner, gold, tiny_encoder):
    result = gleanner("train", "--train", gold, "--output", "out", "--encoder", tiny_encoder, "-q", "training.epochs=1")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_an_interrupted_run_says_how_to_go_on(gleanner, monkeypatch, gold, tiny_encoder):
    command = (
        "train",
        "--train",
        gold,
        "--dev",
        gold,
        "--output",
        "out",
        "--encoder",
        tiny_encoder,
        "training.epochs=2",
    )

    def interrupt(self, entry):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Terminal, "evaluated", interrupt)
        result = gleanner(*command)
    assert result.exit_code == 130
    assert "error: interrupted; run the same command again to go on\n" in result.stderr
    assert gleanner(*command).exit_code == 0
