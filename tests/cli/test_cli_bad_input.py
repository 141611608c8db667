"""What users get wrong: exit code 2, one line that says what and where, and nothing half-written."""

import errno
import json
import shutil

import pytest

from gleanner.data import jsonl

WORDS = '"tokens": ["Ada", "wrote", "letters"]'
TEXT = '"text": "Ada Lovelace wrote"'

BAD_FILES = {
    "malformed JSON": ("a.jsonl", b'{"tokens": ["Ada"]}\n{"tokens": [\n', "a.jsonl:2: malformed JSON"),
    "a missing column": ("a.conll", b"Ada B-PER\nwrote\n", "a.conll:2: 1 column"),
    "no column for labels": ("a.conll", b"Ada\nwrote\n", "a.conll:1: one column"),
    "an unknown tag": ("a.conll", b"Ada B-PER\nwrote Q-PER\n", "a.conll:2: "),
    "out of range": ("a.jsonl", f'{{{WORDS}, "entities": [[0, 9, "PER"]]}}'.encode(), "a.jsonl:1: span [0, 9) PER"),
    "reversed": ("a.jsonl", f'{{{WORDS}, "entities": [[2, 1, "PER"]]}}'.encode(), "a.jsonl:1: span [2, 1) PER"),
    "overlapping": (
        "a.jsonl",
        f'{{{WORDS}, "entities": [[0, 2, "PER"], [1, 3, "LOC"]]}}'.encode(),
        "a.jsonl:1: spans [0, 2) PER and [1, 3) LOC overlap",
    ),
    "across words": ("a.jsonl", f'{{{TEXT}, "entities": [[0, 6, "PER"]]}}'.encode(), "cuts the word 'Lovelace'"),
    "empty": ("a.jsonl", b"", "a.jsonl: no sentence in it"),
    "only empty sentences": ("a.jsonl", b'{"tokens": []}\n{"tokens": []}\n', "only 2 without words"),
    "not UTF-8": ("a.jsonl", b'{"tokens": ["Ada"]}\n{"tokens": ["\xff"]}\n', "a.jsonl:2: byte 0xff is not UTF-8"),
    "an unknown ending": ("a.xyz", b"Ada B-PER\n", "a.xyz: the ending '.xyz' does not tell the format"),
    "missing": ("a.jsonl", None, "a.jsonl: no such file"),
}


@pytest.mark.parametrize("command", ["convert", "mask", "inspect", "evaluate", "train"])
@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_is_refused_by_every_command(refused, tmp_path, tiny_encoder, command, kind):
    name, content, message = BAD_FILES[kind]
    if content is not None:
        (tmp_path / name).write_bytes(content)
    before = {path.name for path in tmp_path.iterdir()}
    arguments = {
        "convert": (name, "out.jsonl"),
        "mask": (name, "out.jsonl", "--rate", "0.5"),
        "inspect": (name,),
        "evaluate": (name, name),
        "train": ("--train", name, "--output", "out", "--encoder", tiny_encoder),
    }
    assert message in refused(command, *arguments[command])
    assert {path.name for path in tmp_path.iterdir()} == before


def test_inconsistent_tags_are_refused_with_their_line(refused, tmp_path):
    (tmp_path / "a.conll").write_text("Ada B-PER\nLovelace E-LOC\nwrote O\n")
    assert "a.conll:2: " in refused("inspect", "a.conll")


def test_windows_line_ends_and_a_byte_order_mark_are_fine(gleanner, tmp_path):
    (tmp_path / "a.conll").write_bytes(b"\xef\xbb\xbfAda B-PER\r\nwrote O\r\n\r\n")
    assert gleanner("convert", "a.conll", "b.jsonl").exit_code == 0
    assert json.loads((tmp_path / "b.jsonl").read_text()) == {"tokens": ["Ada", "wrote"], "entities": [[0, 1, "PER"]]}


def test_training_needs_an_entity(refused, tmp_path, tiny_encoder):
    (tmp_path / "a.jsonl").write_text(f"{{{WORDS}}}\n")
    message = refused("train", "--train", "a.jsonl", "--output", "out", "--encoder", tiny_encoder)
    assert "no entity" in message
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("encoder", ["./nowhere", "nobody/has-this-encoder", "gold.jsonl"])
def test_a_missing_encoder_leaves_no_folder(refused, tmp_path, gold, encoder):
    message = refused("train", "--train", gold, "--dev", gold, "--output", "out", "--encoder", encoder)
    assert repr(encoder) in message
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "magic"], "no method is called 'magic'; choose one of: "),
        (["training.speed=9"], "no setting is called 'training.speed'"),
        (["method.speed=9"], "negative-sampling has no setting 'method.speed'"),
        (["training.epochs=many"], "training.epochs: input should be a valid integer"),
        (["method.rate=-1"], "method.rate: input should be greater than 0"),
        (["--config", "none.yaml"], "none.yaml: cannot read the configuration"),
        (["--track", "diary"], "no tracker is called 'diary'"),
        (["--format", "word"], "there is no format 'word'"),
    ],
)
def test_a_wrong_setting_is_named(refused, tmp_path, gold, arguments, message):
    assert message in refused("train", "--output", "out", "--train", gold, *arguments)
    assert not (tmp_path / "out").exists()


def test_a_word_that_is_no_override_is_named(refused, gold):
    assert "'stray' is not an override" in refused("train", "--train", gold, "--output", "out", "stray")


def test_training_files_are_needed(refused):
    assert "no training data; name files with --train" in refused("train", "--output", "out")


@pytest.mark.parametrize("command", [("convert",), ("mask", "--rate", "1")])
def test_an_existing_output_is_kept_unless_forced(gleanner, refused, tmp_path, gold, command):
    (tmp_path / "out.jsonl").write_text("mine")
    assert "the output exists" in refused(*command, gold, "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text() == "mine"
    assert gleanner(*command, gold, "out.jsonl", "--force").exit_code == 0
    assert (tmp_path / "out.jsonl").read_text() != "mine"


def test_an_existing_output_folder_is_kept(refused, tmp_path, gold, model):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("mine")
    assert "not empty" in refused("train", "--train", gold, "--output", "out")
    assert "finished run" in refused("train", "--train", gold, "--output", model)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["thesis.txt"]


def test_a_full_disk_is_one_line_and_leaves_nothing(refused, tmp_path, gold, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(jsonl, "rendered", full)
    message = refused("convert", gold, "out.jsonl")
    assert (
        message == "error: out.jsonl: cannot be written: No space left on device; free some space or write elsewhere\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["gold.jsonl"]


def _truncated(folder):
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    return "the weights are damaged"


def _foreign(folder):
    (folder / "config.json").write_text('{"model_type": "bert"}')
    return "not a gleanner model"


def _without_weights(folder):
    (folder / "model.safetensors").unlink()
    return "the weights are missing"


def _newer(folder):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"format_version": 99}))
    return "written by a newer gleanner"


@pytest.mark.parametrize("spoil", [_truncated, _foreign, _without_weights, _newer])
def test_a_spoilt_model_is_refused(refused, tmp_path, gold, model, spoil):
    shutil.copytree(model, tmp_path / "spoilt")
    message = spoil(tmp_path / "spoilt")
    assert message in refused("evaluate", "spoilt", gold)
    assert message in refused("predict", "spoilt", gold, "--output", "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("name", [".", "./nowhere", "predictions.jsonl"])
def test_what_is_no_model_is_refused(refused, gold, name):
    refused("evaluate", name, gold)


def test_predict_refuses_what_it_cannot_read_or_write(refused, tmp_path, model):
    assert "no such file" in refused("predict", model, "none.txt")
    assert "predictions are not written as spacy" in refused("predict", model, "--text", "Ada", "--output", "a.spacy")
    assert "standard input:1: byte 0xff" in refused("predict", model, stdin=b"\xff\n")
    assert "leave one out" in refused("predict", model, "none.txt", "--text", "Ada")
    assert "not as conll" in refused("predict", model, "-", "--format", "conll", stdin="Ada O\n")
    (tmp_path / "out.jsonl").write_text("mine")
    assert "the output exists" in refused("predict", model, "--text", "Ada", "--output", "out.jsonl")


def test_words_that_differ_from_the_gold_are_refused(refused, tmp_path, gold):
    (tmp_path / "other.jsonl").write_text(f"{{{WORDS}}}\n")
    assert "gold" in refused("evaluate", "other.jsonl", gold)
