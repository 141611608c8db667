import errno
import json
import shutil
from pathlib import Path

import pytest
import torch

from gleanner.errors import GleannerError, InputError
from gleanner.model import storage
from gleanner.model.config import FORMAT_VERSION, TaggerConfig
from gleanner.model.tagger import Tagger

MODELS = [("transformer", "concat"), ("transformer", "crf"), ("bilstm", "biaffine"), ("bilstm", "linear")]
MODELS += [("flat", "crf"), ("lebert", "linear"), ("bert_word", "interaction")]


def names(folder):
    return sorted(path.name for path in Path(folder).iterdir())


def load(folder):
    tagger = Tagger.from_pretrained(folder, device="cpu")
    tagger.precision = "fp32"
    return tagger


@pytest.mark.parametrize("model", MODELS, ids="-".join)
def test_a_saved_model_predicts_the_same(make_tagger, tmp_path, tiny_sentences, tiny_chinese, model):
    tagger = make_tagger(*model, pooling="edges", scheme="BIOES", decode="nested", dropout=0.3)
    tagger.save_pretrained(tmp_path / "deep" / "model", card="# Card\n")
    loaded = load(tmp_path / "deep" / "model")
    assert loaded.config == tagger.config
    assert not loaded.training
    assert all(torch.equal(tensor, loaded.state_dict()[name]) for name, tensor in tagger.state_dict().items())
    texts = [" ".join(sentence.words) for sentence in tiny_sentences]
    texts += ["".join(sentence.words) for sentence in tiny_chinese]
    found = tagger.predict(texts)
    assert any(found)
    assert loaded.predict(texts) == found


def test_what_a_folder_holds(make_tagger, tmp_path):
    make_tagger("transformer", "concat").save_pretrained(tmp_path, card="# Card\n")
    assert names(tmp_path) == ["README.md", "config.json", "encoder", "model.safetensors"]
    assert (tmp_path / "README.md").read_text() == "# Card\n"
    config = json.loads((tmp_path / "config.json").read_text())
    assert (config["labels"], config["head"], config["format_version"]) == (["O", "LOC", "PER"], "concat", 1)


def test_saving_again_replaces_the_model(make_tagger, tmp_path):
    make_tagger("transformer", "concat").save_pretrained(tmp_path)
    tagger = make_tagger("bilstm", "crf")
    tagger.save_pretrained(tmp_path)
    assert names(tmp_path / "encoder") == ["vocabulary.json"]
    assert load(tmp_path).predict("Ada left Basel.") == tagger.predict("Ada left Basel.")


def disk_full(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


def disk_full_in_rust(*_, **__):
    raise Exception("No space left on device (os error 28)")  # what tokenizers raises


@pytest.mark.parametrize(
    ("name", "failure"),
    [("gleanner.model.storage.save_file", disk_full), ("gleanner.model.bilstm.BiLSTM.save", disk_full_in_rust)],
)
def test_a_full_disk_leaves_what_was_there(make_tagger, tmp_path, monkeypatch, name, failure):
    before = make_tagger("bilstm", "linear")
    before.save_pretrained(tmp_path)
    listing = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(name, failure)
    with pytest.raises(InputError, match=r"No space left on device.*; make room or choose another folder"):
        make_tagger("bilstm", "crf").save_pretrained(tmp_path)
    assert sorted(tmp_path.rglob("*")) == listing
    assert load(tmp_path).predict("Ada left Basel.") == before.predict("Ada left Basel.")


def test_a_swap_that_is_interrupted_leaves_no_model(make_tagger, tmp_path, monkeypatch):
    make_tagger("bilstm", "linear").save_pretrained(tmp_path)
    monkeypatch.setattr(Path, "replace", disk_full)
    with pytest.raises(InputError, match="No space"):
        make_tagger("bilstm", "crf").save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"it has no config\.json"):
        load(tmp_path)


def test_a_folder_with_an_encoder_of_somebody_else(make_tagger, tmp_path):
    (tmp_path / "encoder").mkdir()
    (tmp_path / "encoder" / "mine.py").touch()
    with pytest.raises(InputError, match="holds an 'encoder' that is no model's; choose another folder"):
        make_tagger("bilstm", "linear").save_pretrained(tmp_path)
    assert names(tmp_path) == ["encoder"]
    assert names(tmp_path / "encoder") == ["mine.py"]


def test_a_folder_that_cannot_be_made(make_tagger, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError) as caught:
        make_tagger("bilstm", "linear").save_pretrained(tmp_path / "file" / "model")
    assert str(caught.value).endswith("cannot write the model: Not a directory; choose another folder")


def reconfigure(**changes):
    def change(folder):
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return change


def write(name, content):
    return lambda folder: (folder / name).write_text(content)


def truncate(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])


DAMAGE = {
    "weights cut short": (truncate, "the weights are damaged: "),
    "empty weights": (write("model.safetensors", ""), "the weights are damaged: "),
    "no weights": (lambda folder: (folder / "model.safetensors").unlink(), "the weights are missing"),
    "no configuration": (lambda folder: (folder / "config.json").unlink(), "it has no config.json"),
    "configuration cut short": (write("config.json", '{"labels": '), "cannot be read: "),
    "configuration of something else": (write("config.json", '{"model_type": "bert"}'), "no format_version in it"),
    "configuration is a list": (write("config.json", "[]"), "no format_version in it"),
    "newer format": (
        reconfigure(format_version=FORMAT_VERSION + 1, unheard="of"),
        f"written by a newer gleanner (format {FORMAT_VERSION + 1}); pip install -U gleanner",
    ),
    "unknown key": (reconfigure(unheard="of"), "unheard: "),
    "wrong value": (reconfigure(decode="sideways"), "decode: "),
    "no labels": (reconfigure(labels=[]), "labels: "),
    "unknown head": (reconfigure(head="tail"), "no head is called 'tail'"),
    "more labels": (
        reconfigure(labels=["O", "LOC", "PER", "ORG"]),
        "the weights do not fit config.json: size mismatch",
    ),
    "other head": (reconfigure(head="linear"), "the weights do not fit config.json: "),
    "other encoder": (reconfigure(encoder="bilstm"), "the encoder's files are damaged: "),
    "no encoder": (lambda folder: shutil.rmtree(folder / "encoder"), "the encoder's files are damaged: "),
    "encoder cut short": (write("encoder/config.json", "{"), "the encoder's files are damaged: "),
    "tokenizer cut short": (write("encoder/tokenizer.json", "{"), "the encoder's files are damaged: "),
    "no tokenizer": (
        lambda folder: [path.unlink() for path in (folder / "encoder").glob("tokenizer*")],
        "the encoder's files are damaged: it has no tokenizer",
    ),
    "encoder of another shape": (
        lambda folder: reconfigure(num_hidden_layers=3)(folder / "encoder"),
        "the weights do not fit config.json: ",
    ),
}


@pytest.fixture(scope="module")
def saved(make_tagger, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    make_tagger("transformer", "concat").save_pretrained(folder)
    return folder


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_model_is_one_line(saved, tmp_path, damage):
    spoil, message = DAMAGE[damage]
    folder = shutil.copytree(saved, tmp_path / "model")
    spoil(folder)
    with pytest.raises(InputError) as caught:
        load(folder)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("kind", "file"), [("flat", "vocabulary.json"), ("lebert", "lexicon.json")])
def test_a_damaged_lexicon_is_one_line(make_tagger, tmp_path, kind, file):
    make_tagger(kind, "linear").save_pretrained(tmp_path)
    path = tmp_path / "encoder" / file
    state = json.loads(path.read_text())
    for words in (None, ["北京", "北京"], ["北"] * 2, ["长" * 100]):
        path.write_text(json.dumps(state | {"words": words}))
        with pytest.raises(InputError, match="the encoder's files are damaged: ") as caught:
            load(tmp_path)
        assert "\n" not in str(caught.value)


def test_a_damaged_bilstm_is_one_line(make_tagger, tmp_path):
    make_tagger("bilstm", "linear").save_pretrained(tmp_path)
    for content in ("{", "[]", "{}", '{"words": [], "chars": [], "options": {"hidden": -1}}'):
        (tmp_path / "encoder" / "vocabulary.json").write_text(content)
        with pytest.raises(InputError) as caught:
            load(tmp_path)
        assert str(caught.value).startswith(f"{tmp_path / 'encoder'}: the encoder's files are damaged: ")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["./none", "/none", "none", "a/b/c"])
def test_no_such_folder(name):
    with pytest.raises(InputError, match="no model folder here"):
        load(name)


def test_a_file_is_no_model(tmp_path):
    (tmp_path / "model").write_text("")
    with pytest.raises(InputError, match="no model folder here"):
        load(tmp_path / "model")


def test_a_name_that_the_hub_does_not_give():
    with pytest.raises(InputError, match="no model folder 'nobody/nothing', and the Hugging Face hub"):
        load("nobody/nothing")


def test_from_the_hub(saved, monkeypatch):
    asked = []

    def download(name, *, revision, allow_patterns):
        asked.append((name, revision))
        assert "*.safetensors" in allow_patterns
        assert not any(pattern.endswith((".py", ".bin", ".pkl")) for pattern in allow_patterns)
        return str(saved)

    monkeypatch.setattr(storage, "snapshot_download", download)
    assert Tagger.from_pretrained("ada/model", revision="v1").labels == ("LOC", "PER")
    assert asked == [("ada/model", "v1")]


class Hub:
    """What `HfApi` would do, kept in a list."""

    calls: list

    def create_repo(self, name, *, private, exist_ok):
        assert exist_ok
        self.calls.append((name, private))
        return f"https://hub/{name}"

    def upload_folder(self, *, repo_id, folder_path, commit_message):
        self.calls.append((repo_id, names(folder_path)))


def test_push(make_tagger, monkeypatch):
    monkeypatch.setattr(Hub, "calls", [], raising=False)
    monkeypatch.setattr(storage, "HfApi", Hub)
    address = make_tagger("bilstm", "linear").push_to_hub("ada/model", private=True, card="# Card\n")
    assert address == "https://hub/ada/model"
    files = ["README.md", "config.json", "encoder", "model.safetensors"]
    assert Hub.calls == [("ada/model", True), ("ada/model", files)]


@pytest.mark.parametrize("error", [Exception("no route\nread more"), OSError(), ValueError("bad name")], ids=repr)
def test_a_push_that_fails_is_one_line(make_tagger, monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(Hub, "create_repo", fail)
    monkeypatch.setattr(storage, "HfApi", Hub)
    with pytest.raises(GleannerError) as caught:
        make_tagger("bilstm", "linear").push_to_hub("ada/model")
    assert str(caught.value).startswith("cannot push to 'ada/model': ")
    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value, InputError)


def test_a_configuration_is_checked():
    with pytest.raises(ValueError, match="threshold"):
        TaggerConfig(labels=("O",), head="linear", threshold=2.0)
    with pytest.raises(ValueError, match="max_width"):
        TaggerConfig(labels=("O",), head="concat", max_width=0)
