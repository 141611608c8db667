import errno
import subprocess
import sys

import pytest
from typer.main import get_command

from gleanner.cli import convert
from gleanner.cli.main import app

COMMANDS = sorted(get_command(app).commands)
ANALYSES = sorted(get_command(app).commands["analyse"].commands)


def test_all_commands_are_there():
    assert COMMANDS == [
        "analyse",
        "annotate",
        "benchmark",
        "convert",
        "demo",
        "dictionary",
        "evaluate",
        "inspect",
        "mask",
        "methods",
        "predict",
        "train",
    ]


def test_all_analyses_are_there():
    assert ANALYSES == ["bound", "confidence", "missampling", "o-values", "sparsity", "uncertainty"]


def test_version(gleanner):
    assert gleanner("--version").stdout.startswith("gleanner 0.")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_ends_with_examples(gleanner, command):
    result = gleanner(command, "--help")
    assert result.exit_code == 0
    assert f"gleanner {command}" in result.stdout.partition("Examples:")[2]


@pytest.mark.parametrize("analysis", ANALYSES)
def test_help_of_an_analysis_ends_with_examples(gleanner, analysis):
    result = gleanner("analyse", analysis, "--help")
    assert result.exit_code == 0
    assert f"gleanner analyse {analysis}" in result.stdout.partition("Examples:")[2]


def test_help_of_train_lists_all_settings(gleanner):
    shown = gleanner("train", "--help").stdout
    assert "training.encoder_lr" in shown
    assert "bilstm.vectors" in shown
    assert "first | last | mean | edges" in shown


def test_help_does_not_load_torch():
    program = (
        "import sys\n"
        "from gleanner.cli.main import main\n"
        "for args in (['--help'], ['train', '--help'], ['analyse', 'confidence', '--help'], ['methods']):\n"
        "    sys.argv = ['gleanner', *args]\n"
        "    try: main()\n"
        "    except SystemExit: pass\n"
        "sys.exit(any(name in sys.modules for name in ('torch', 'transformers', 'matplotlib')))\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)


def test_wrong_usage_is_exit_code_2(gleanner):
    assert gleanner("frobnicate").exit_code == 2
    assert gleanner("convert", "a.jsonl").exit_code == 2
    assert gleanner("predict", "model", "--threshold", "2").exit_code == 2


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "error: interrupted\n"),
        (MemoryError(), 1, "error: out of memory; use a smaller batch or file, or a larger machine\n"),
        (OSError(errno.ENOSPC, "full", "b.jsonl"), 1, "error: the disk is full: b.jsonl; make room on it\n"),
    ],
)
def test_what_a_user_can_meet_is_one_line(gleanner, monkeypatch, error, code, message):
    def fails(*_):
        raise error

    monkeypatch.setattr(convert, "read", fails)
    result = gleanner("convert", "a.jsonl", "b.jsonl")
    assert (result.exit_code, result.stderr) == (code, message)


def test_a_bug_keeps_its_traceback(gleanner, monkeypatch):
    def fails(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(convert, "read", fails)
    with pytest.raises(ZeroDivisionError):
        gleanner("convert", "a.jsonl", "b.jsonl")


def test_a_closed_pipe_is_quiet(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"tokens": ["Ada"], "entities": [[0, 1, "PER"]]}\n')
    command = [sys.executable, "-m", "gleanner.cli.main", "inspect", "a.jsonl"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    _, said = process.communicate()
    assert said == b""
    assert process.returncode == 1
