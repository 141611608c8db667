"""`gleanner benchmark`, whole and with mistakes."""

import json

import pytest
import yaml

from gleanner import write

SETTINGS = {"training.epochs": 1, "training.batch_size": 4, "training.precision": "fp32", "method.head": "linear"}


@pytest.fixture
def table(tmp_path, tiny_sentences, tiny_encoder, monkeypatch):
    """A table beside its data; `table(row, ..., key=value)` writes it anew."""
    monkeypatch.delenv("GLEANNER_DATA", raising=False)
    monkeypatch.delenv("GLEANNER_ENCODERS", raising=False)
    folder = tmp_path / "tables"
    folder.mkdir()
    for name, part in (("train", tiny_sentences[:20]), ("dev", tiny_sentences[20:30]), ("test", tiny_sentences[30:])):
        write(part, folder / f"{name}.jsonl")
    (folder / "empty.jsonl").write_text('{"tokens": ["Ada"]}\n')

    def table(*rows, **keys):
        files = {"train": "train.jsonl", "dev": "dev.jsonl", "test": "test.jsonl", "encoder": str(tiny_encoder)}
        raw = {"title": "Tiny", "seeds": [1, 2], "settings": SETTINGS} | files | keys | {"rows": list(rows)}
        (folder / "tiny.yaml").write_text(yaml.safe_dump(raw))
        return folder / "tiny.yaml"

    return table


PLAIN = {"name": "plain", "method.name": "plain"}
SAMPLING = {"name": "sampling", "method.name": "negative-sampling"}
FAILING = {"name": "failing", "method.name": "plain", "train": "empty.jsonl"}


def test_methods_by_seeds_with_a_row_that_fails(gleanner, table, tmp_path):
    path = table(PLAIN, SAMPLING, FAILING)
    result = gleanner("benchmark", path, "--output", "out", "--jobs", 2)
    assert result.exit_code == 1
    assert "error: tiny: failing, seed 2: the training data has no entity" in result.stderr
    assert "/6  tiny: sampling, seed 1: dev F1 " in result.stderr
    made = sorted(file.name for file in (tmp_path / "out/runs/tiny").iterdir())
    assert made == ["gold.json", "plain.1.json", "plain.2.json", "sampling.1.json", "sampling.2.json"]
    text = (tmp_path / "out/report.md").read_text()
    assert "| sampling | 2 | " in text
    assert "| failing | 0 | " in text
    assert "<svg" in (tmp_path / "out/report.html").read_text()
    path = table(PLAIN, SAMPLING)
    before = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "out/runs/tiny").iterdir()}
    again = gleanner("benchmark", path, "--output", "out")
    assert again.exit_code == 0
    assert "4 runs of 4 were made before" in again.stderr
    assert before == {file.name: file.stat().st_mtime_ns for file in (tmp_path / "out/runs/tiny").iterdir()}


def test_without_a_table(gleanner, table, tmp_path, tiny_encoder, monkeypatch):
    monkeypatch.setenv("GLEANNER_DATA", "/nowhere")  # files of a command line are where the shell says
    files = [part for name in ("train", "dev", "test") for part in (f"--{name}", f"tables/{name}.jsonl")]
    table()
    options = ["--method", "plain", "--seeds", "3", "--encoder", tiny_encoder, "--output", "out", "--jobs", 1]
    result = gleanner("benchmark", *options, *files, *(f"{name}={value}" for name, value in SETTINGS.items()))
    assert result.exit_code == 0, result.stderr
    run = json.loads((tmp_path / "out/runs/train/plain.3.json").read_text())
    assert run["seed"] == 3
    assert run["table"]["settings"] == SETTINGS


def test_the_reports_alone(gleanner, table, tmp_path):
    path = table(PLAIN, {"name": "other", "method.name": "of another version"})
    for file in path.parent.glob("*.jsonl"):
        file.unlink()  # neither data nor methods are needed, and least of all torch
    result = gleanner("benchmark", path, "--output", "out", "--report")
    assert result.exit_code == 0, result.stderr
    assert "| plain | 0 |" in (tmp_path / "out/report.md").read_text()
    assert not (tmp_path / "out/runs").exists()


BAD = {
    "nothing": ([], "nothing to compare"),
    "no such table": (["none.yaml"], "none.yaml: cannot read the configuration"),
    "no such row": (["TABLE", "--only", "plane"], "no row is called 'plane'; there are: plain"),
    "no such data": (["TABLE", "--data", "none"], "none: no such folder; check --data"),
    "no such encoders": (["TABLE", "--encoders", "none"], "none: no such folder; check --encoders"),
    "no seeds": (["TABLE", "--seeds", "1,x"], "the seeds '1,x' are not different whole numbers"),
    "the same seed twice": (["TABLE", "--seeds", "1,1"], "the seeds '1,1' are not different whole numbers"),
    "one name twice": (["TABLE", "TABLE"], "two tables are called 'tiny'"),
    "a method without data": (["--method", "plain"], "--method without data; add --train FILE"),
    "data without a method": (["TABLE", "--train", "a"], "--train, --dev and --test belong to --method"),
    "no such method": (
        ["--method", "magic", "--train", "tables/train.jsonl", "--dev", "tables/dev.jsonl"],
        "row 'magic': no method is called 'magic'; choose one of: ",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_mistake_is_one_line(refused, table, tmp_path, kind):
    arguments, message = BAD[kind]
    path = table(PLAIN)
    arguments = [path if argument == "TABLE" else argument for argument in arguments]
    assert message in refused("benchmark", *arguments, "--output", "out")
    assert not (tmp_path / "out").exists()


def test_an_output_that_is_a_file(refused, table, tmp_path):
    (tmp_path / "out").write_text("mine")
    message = refused("benchmark", table(PLAIN), "--output", "out")
    assert message == "error: out: the output exists and is not a folder; choose another --output\n"
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("key", ["train", "dev", "test"])
def test_a_missing_file_is_found_before_anything_runs(refused, table, tmp_path, key):
    path = table(PLAIN, **{key: "none.jsonl"})
    message = refused("benchmark", path, "--output", "out")
    assert message == f"error: {path.parent}/none.jsonl: no such file; name the folder of the data with --data\n"
    assert not (tmp_path / "out").exists()


def test_a_missing_encoder_is_found_before_anything_runs(refused, table, tmp_path):
    path = table(PLAIN, encoder="./none")
    message = refused("benchmark", path, "--output", "out")
    assert message.startswith(f"error: {path}: no encoder folder './none'; name the folder that it lies in with --enc")
    assert not (tmp_path / "out").exists()


def test_an_encoder_is_looked_up_by_its_name(gleanner, table, tmp_path, tiny_encoder):
    path = table(PLAIN, encoder=tiny_encoder.name, seeds=[1])
    options = ["--output", "out", "--encoders", tiny_encoder.parent, "--jobs", 1]
    result = gleanner("benchmark", path, *options)
    assert result.exit_code == 0, result.stderr
    assert json.loads((tmp_path / "out/runs/tiny/plain.1.json").read_text())["table"]["encoder"] == tiny_encoder.name


def test_a_mistake_in_a_table_names_file_and_key(refused, table):
    path = table(PLAIN | {"mask": "half"})
    assert f"{path}: rows.0.mask: input should be a valid number" in refused("benchmark", path, "--output", "out")


def test_the_data_of_the_environment(refused, table, tmp_path, monkeypatch):
    monkeypatch.setenv("GLEANNER_DATA", str(tmp_path / "elsewhere"))
    assert "elsewhere/train.jsonl: no such file" in refused("benchmark", table(PLAIN), "--output", "out")
