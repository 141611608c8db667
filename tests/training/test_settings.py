"""Settings: what is right is taken over, what is wrong is named with its value."""

import re

import pytest
import yaml

from gleanner.errors import InputError
from gleanner.training.settings import Settings, Training, assignments, check, dump, override, read_yaml


def test_a_configuration_file(tmp_path):
    path = tmp_path / "run.yaml"
    path.write_text("encoder: roberta-base\ntraining:\n  epochs: 3\nmethod: {name: plain, head: crf}\n")
    settings = check(read_yaml(path), path=path)
    assert settings.encoder == "roberta-base"
    assert settings.training == Training(epochs=3)
    assert settings.method == {"name": "plain", "head": "crf"}


def test_what_is_dumped_is_what_was_checked():
    settings = check(
        {
            "data": {"train": ["a.jsonl", "b.jsonl"], "complete": False},
            "method": {"name": "negative-sampling", "rate": 0.5},
            "training": {"encoder_lr": 1e-5, "decay": "cosine", "patience": 2},
            "seed": 7,
        }
    )
    dumped = dump(settings)
    assert check(yaml.safe_load(yaml.safe_dump(dumped))) == settings
    assert dump(check(dumped)) == dumped


def test_an_empty_file_is_the_defaults(tmp_path):
    (tmp_path / "run.yaml").write_text("# nothing yet\n")
    assert check(read_yaml(tmp_path / "run.yaml")) == Settings()


def test_overrides_leave_what_they_do_not_name():
    raw = {"training": {"epochs": 3, "clip": 2.0}}
    merged = override(raw, assignments(["training.epochs=20", "method.rate=0.35", "encoder=bilstm"]))
    assert merged == {"training": {"epochs": 20, "clip": 2.0}, "method": {"rate": 0.35}, "encoder": "bilstm"}
    assert raw == {"training": {"epochs": 3, "clip": 2.0}}


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e-4", 1e-4), ("3", 3), ("null", None), ("true", True), ("[a, b]", ["a", "b"]), ("a=b", "a=b"), ("", None)],
)
def test_values_are_read_as_yaml(text, value):
    assert assignments([f"some.key={text}"]) == {"some.key": value}


@pytest.mark.parametrize("text", ["epochs", "=3", "x=[1"])
def test_a_malformed_override_is_quoted(text):
    with pytest.raises(InputError, match=re.escape(repr(text))):
        assignments([text])


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"epochs": 3}, "no setting is called 'epochs'"),
        ({"training": {"epoch": 3}}, "no setting is called 'training.epoch'"),
        ({"training": {"epochs": "many"}}, "training.epochs: .*not 'many'"),
        ({"training": {"epochs": 0}}, "training.epochs: .*greater than 0, not 0"),
        ({"training": {"decay": "steep"}}, "training.decay: .*'linear', 'cosine' or 'none', not 'steep'"),
        ({"training": {"head_lr": float("inf")}}, "training.head_lr: .*finite number, not inf"),
        ({"training": None}, "training: .*not None"),
        ({"model": {"dropout": 1.0}}, "model.dropout: .*less than 1, not 1.0"),
        ({"model": {"scheme": "BILOU"}}, "model.scheme: .*not 'BILOU'"),
        ({"seed": -1}, "seed: .*not -1"),
        ({"seed": 2**70}, "seed: .*less than 4294967296"),
        ({"method": "plain"}, "method: .*dictionary, not 'plain'"),
    ],
)
def test_a_wrong_setting_is_named_with_its_value(raw, message):
    with pytest.raises(InputError, match=message):
        check(raw)


def test_an_error_names_the_file():
    with pytest.raises(InputError, match=r"^run\.yaml: training\.epochs"):
        check({"training": {"epochs": -1}}, path="run.yaml")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"training:\n  epochs: [3\n", r"run\.yaml:\d: malformed YAML"),
        (b"- epochs\n", "a configuration is a mapping"),
        (b"encoder: \xff\n", "cannot read the configuration"),
    ],
)
def test_a_file_that_is_no_configuration(tmp_path, content, message):
    path = tmp_path / "run.yaml"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_yaml(path)


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="cannot read the configuration"):
        read_yaml(tmp_path / "run.yaml")
