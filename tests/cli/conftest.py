"""The command line in this process, and a model of a few kilobytes."""

import pytest
from typer.testing import CliRunner

from gleanner import Corpus, write
from gleanner.api import train
from gleanner.cli.main import app
from gleanner.training.reporter import Silent


@pytest.fixture
def gleanner(tmp_path, monkeypatch):
    """Runs a command in an empty folder; the result has exit_code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*args, stdin=None):
        result = CliRunner().invoke(app, [str(arg) for arg in args], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def refused(gleanner):
    """Runs a command that must end with exit code 2 and one line, which it returns."""

    def run(*args, stdin=None):
        result = gleanner(*args, stdin=stdin)
        assert result.exit_code == 2, result.output
        assert result.stderr.startswith("error: "), result.stderr
        assert result.stderr.count("\n") == 1
        return result.stderr

    return run


@pytest.fixture(scope="session")
def model(tmp_path_factory, tiny_encoder, tiny_sentences):
    """The folder of a model that knows the tiny sentences by heart."""
    folder = tmp_path_factory.mktemp("cli") / "model"
    settings = {"training.epochs": 25, "training.encoder_lr": 3e-3, "training.head_lr": 3e-3, "model.dropout": 0.0}
    corpus = Corpus(tiny_sentences)
    options = {"method": "plain", "encoder": str(tiny_encoder), "settings": settings, "reporter": Silent()}
    assert train(corpus, corpus, output=folder, **options).best["f1"] == 1.0
    return folder


@pytest.fixture
def gold(tmp_path, tiny_sentences):
    """The tiny sentences as a file."""
    write(tiny_sentences, tmp_path / "gold.jsonl")
    return tmp_path / "gold.jsonl"
