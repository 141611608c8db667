"""A run from data to a folder: what it refuses, what it says, what it writes."""

import json
import re
import sys
from importlib.metadata import version

import pytest
import torch
import yaml

from gleanner.api import train
from gleanner.data.alone import LOCK, alone
from gleanner.data.files import write
from gleanner.errors import InputError
from gleanner.methods.load import build
from gleanner.model.tagger import Tagger
from gleanner.training import record
from gleanner.training.reporter import Silent
from gleanner.training.run import run
from gleanner.training.settings import check, read_yaml
from gleanner.types import Corpus, Sentence, Span

ONE = {"training__epochs": 1}


def files(folder):
    return sorted(path.name for path in folder.iterdir())


def told(history):
    return [{key: value for key, value in entry.items() if key != "seconds"} for entry in history]


@pytest.fixture(scope="module")
def finished(learn, tiny_sentences, tmp_path_factory):
    """A run from files, its folder and its result."""
    folder = tmp_path_factory.mktemp("finished")
    write(tiny_sentences, folder / "train.jsonl")
    write(tiny_sentences[:10], folder / "dev.jsonl")
    output = folder / "model"
    data = {"data.train": [str(folder / "train.jsonl")], "data.dev": str(folder / "dev.jsonl")}
    trained = learn(tiny_sentences, None, output=output, method="negative-sampling", method__rate=0.5, **data)
    return output, trained


# What is written


def test_the_folder(finished):
    output, _ = finished
    assert files(output) == [
        "README.md",
        "config.json",
        "encoder",
        "history.jsonl",
        "model.safetensors",
        "run.json",
        "settings.yaml",
    ]


def test_the_model_in_it_is_the_model_returned(finished, tiny_sentences):
    output, trained = finished
    loaded = Tagger.from_pretrained(output)
    loaded.precision = trained.tagger.precision
    assert list(loaded.annotate(tiny_sentences)) == list(trained.tagger.annotate(tiny_sentences))


def counts(sentences):
    words = sum(len(sentence.words) for sentence in sentences)
    return {"sentences": len(sentences), "words": words, "entities": sum(len(s.entities) for s in sentences)}


def test_the_record(finished, tiny_sentences):
    output, _ = finished
    record = json.loads((output / "run.json").read_text())
    assert record["finished"] is True
    digests = {name: part.pop("digest") for name, part in record["data"].items()}
    assert record["data"] == {"train": counts(tiny_sentences), "dev": counts(tiny_sentences[:10])}
    assert digests["train"] != digests["dev"]
    assert record["settings"]["method"] == {"name": "negative-sampling", "rate": 0.5, "head": "linear"}
    assert record["machine"]["processes"] == 1
    assert record["machine"]["precision"] == "fp32"
    assert record["versions"]["torch"] == version("torch")
    assert isinstance(record["command"], list)


def test_the_history(finished):
    output, trained = finished
    lines = (output / "history.jsonl").read_text().splitlines()
    assert [json.loads(line) for line in lines] == trained.history
    assert trained.best["f1"] == max(entry["f1"] for entry in trained.history)


def test_the_settings_repeat_the_run(finished, tmp_path):
    output, trained = finished
    settings = check(read_yaml(output / "settings.yaml"))
    assert settings.method == {"name": "negative-sampling", "rate": 0.5, "head": "linear"}
    again = run(build(settings.method), settings, tmp_path / "again", reporter=Silent())
    assert told(again.history) == told(trained.history)
    first, second = ((folder / "model.safetensors").read_bytes() for folder in (output, tmp_path / "again"))
    assert first == second


def test_the_card(finished, tiny_sentences):
    output, trained = finished
    text = (output / "README.md").read_text()
    _, front, body = text.split("---\n", 2)
    assert yaml.safe_load(front)["tags"] == [
        "gleanner",
        "named-entity-recognition",
        "incomplete-annotation",
        "negative-sampling",
    ]
    assert yaml.safe_load(front)["library_name"] == "gleanner"
    assert "Finds LOC, PER." in body
    assert "`negative-sampling` rate=0.5, head=linear" in body
    assert re.search(
        r"\| train \| {sentences} \| {words} \| {entities} \| `[0-9a-f]+` \|".format(**counts(tiny_sentences)), body
    )
    best = trained.best
    assert f"chose epoch {best['epoch']:g}: precision {best['precision']:.2%}" in body
    assert "seed 0" in body.lower()


def test_the_card_without_development_data(learn, tiny_sentences, tmp_path):
    learn(tiny_sentences[:4], output=tmp_path / "model", **ONE)
    assert "their quality is unknown" in (tmp_path / "model" / "README.md").read_text()


def test_without_an_output_nothing_is_written(learn, tiny_sentences, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    learn(tiny_sentences[:4], tiny_sentences[:4], **ONE)
    assert files(tmp_path) == []


def test_a_method_that_is_named_by_default_is_recorded(tiny_sentences, tiny_encoder, tmp_path):
    settings = check({"method": {"head": "linear"}, "encoder": str(tiny_encoder), "training": {"epochs": 1}})
    run(build(settings.method), settings, tmp_path / "model", corpus=Corpus(tiny_sentences[:4]), reporter=Silent())
    record = json.loads((tmp_path / "model" / "run.json").read_text())
    assert record["settings"]["method"] == {"name": "negative-sampling", "rate": 0.35, "head": "linear"}


# Data


def test_files_and_sentences_in_memory_are_the_same_data(tiny_sentences, tiny_encoder, tmp_path):
    write(tiny_sentences[:12], tmp_path / "a.jsonl")
    write(tiny_sentences[12:20], tmp_path / "b.conll")
    write(tiny_sentences[20:25], tmp_path / "dev.jsonl")
    options = {
        "encoder": str(tiny_encoder),
        "method": "plain",
        "reporter": Silent(),
        "settings": {"training.epochs": 1},
    }
    read = train([tmp_path / "a.jsonl", tmp_path / "b.conll"], tmp_path / "dev.jsonl", **options)
    held = train(Corpus(tiny_sentences[:20]), iter(tiny_sentences[20:25]), **options)
    assert told(read.history) == told(held.history)
    states = read.tagger.state_dict(), held.tagger.state_dict()
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])


def test_one_file_may_be_given_by_itself(tiny_sentences, tiny_encoder, tmp_path):
    write(tiny_sentences[:4], tmp_path / "a.jsonl")
    options = {"encoder": str(tiny_encoder), "reporter": Silent(), "settings": {"training.epochs": 1}}
    assert len(train(str(tmp_path / "a.jsonl"), **options).history) == 1


def test_sentences_of_a_generator_all_count(tiny_sentences, tiny_encoder, tmp_path):
    options = {"encoder": str(tiny_encoder), "reporter": Silent(), "settings": {"training.epochs": 1}}
    train(iter(tiny_sentences[:4]), output=tmp_path / "model", **options)
    assert record.read(tmp_path / "model")["data"]["train"]["sentences"] == 4


def test_sentences_in_memory_are_checked_like_those_of_a_file(tiny_sentences):
    bad = Sentence(("Ada", "wrote"), (Span(0, 3, "PER"),))
    with pytest.raises(InputError, match=r"sentence 2: span \[0, 3\) PER is out of range"):
        train([tiny_sentences[0], bad])
    with pytest.raises(InputError, match="sentence 1: span"):
        train([tiny_sentences[0]], [bad])
    with pytest.raises(InputError, match=r"'dev\.jsonl' is not a Sentence"):
        train([tiny_sentences[0]], ["dev.jsonl"])


def test_sentences_and_files_do_not_mix(tiny_sentences):
    with pytest.raises(InputError, match="sentences and files together"):
        train([tiny_sentences[0], "a.jsonl"])


@pytest.mark.parametrize(
    ("sentences", "message"),
    [
        ([], "the training data has no words; check the files"),
        ([Sentence(())], "the training data has no words"),
        ([Sentence(("Ada", "wrote"))], "the training data has no entity"),
        ([Sentence(("Ada", "wrote"), (Span(0, 1, "?"), Span(1, 2, "O")))], "the training data has no entity"),
    ],
)
def test_nothing_to_learn(learn, tmp_path, sentences, message):
    with pytest.raises(InputError, match=message):
        learn(sentences, output=tmp_path / "model")
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("dev", [[], [Sentence(("Ada", "wrote"), complete=True)]])
def test_development_data_that_cannot_choose(learn, tiny_sentences, dev):
    with pytest.raises(InputError, match="the development data has no entity"):
        learn(tiny_sentences, dev)


def test_no_training_files(tiny_encoder):
    with pytest.raises(InputError, match="no training data; name files"):
        run(build({}), check({"encoder": str(tiny_encoder)}), reporter=Silent())


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.jsonl"):
        train(tmp_path / "nowhere.jsonl", reporter=Silent(), output=tmp_path / "model")
    assert files(tmp_path) == []


def test_a_type_that_only_the_development_data_has(learn, tiny_sentences, listener):
    dev = [*tiny_sentences[:5], Sentence(("Basel", "University"), (Span(0, 2, "ORG"),), complete=True)]
    heard = listener()
    trained = learn(tiny_sentences, dev, reporter=heard, training__epochs=4)
    assert heard.notes == ["types that training never sees, counted as missed: ORG"]
    assert trained.tagger.labels == ("LOC", "PER")
    gold = sum(len(sentence.entities) for sentence in dev)
    assert trained.best["recall"] <= (gold - 1) / gold


def test_notes(learn, tiny_sentences, listener):
    heard = listener()
    learn(tiny_sentences[:4], reporter=heard, method__head="concat", model__max_width=1, **ONE)
    long = sum(span.end - span.start > 1 for sentence in tiny_sentences[:4] for span in sentence.spans)
    total = sum(len(sentence.spans) for sentence in tiny_sentences[:4])
    assert heard.notes == [
        "no development data: the weights of the last epoch are kept",
        f"{long} of {total} training entities are longer than model.max_width=1 words: they cannot be learned or found",
    ]


# Output folders


def test_a_finished_run_is_not_trained_over(finished, learn, tiny_sentences):
    output, _ = finished
    with pytest.raises(
        InputError, match=f"^{re.escape(str(output))}: this folder holds a finished run; choose another"
    ):
        learn(tiny_sentences, output=output)


def test_the_folder_of_something_else(learn, tiny_sentences, tmp_path):
    (tmp_path / "photo.jpg").write_bytes(b"")
    with pytest.raises(InputError, match="the output folder exists and is not empty"):
        learn(tiny_sentences, output=tmp_path)
    assert files(tmp_path) == ["photo.jpg"]


@pytest.mark.parametrize(
    "other", [{"training__clip": 2.0}, {"seed": 1}, {"method": "negative-sampling"}, {"training__precision": "bf16"}]
)
def test_the_folder_of_a_run_with_other_settings(interrupted, learn, tiny_sentences, other):
    with pytest.raises(InputError, match="this folder holds a run on other data, with other settings"):
        learn(tiny_sentences[:8], output=interrupted, **(ONE | other))


def test_the_folder_of_a_run_on_other_data(interrupted, learn, tiny_sentences):
    relabelled = [Sentence(s.words, s.spans[:-1], s.complete) for s in tiny_sentences[:8]]
    open_ended = [Sentence(s.words, s.spans, complete=False) for s in tiny_sentences[:8]]
    for sentences in (tiny_sentences[:9], relabelled, open_ended):
        with pytest.raises(InputError, match="on other data"):
            learn(sentences, output=interrupted, **ONE)
    with pytest.raises(InputError, match="on other data"):
        learn(tiny_sentences[:8], tiny_sentences[:8], output=interrupted, **ONE)


@pytest.fixture
def interrupted(learn, tiny_sentences, listener, tmp_path):
    """The folder of a run that was stopped in its second step."""
    with pytest.raises(KeyboardInterrupt):
        learn(tiny_sentences[:8], output=tmp_path / "model", reporter=listener(stop=("step", 2)), **ONE)
    return tmp_path / "model"


def test_writing_out_a_default_is_no_other_setting(interrupted, learn, tiny_sentences):
    learn(tiny_sentences[:8], output=interrupted, training__clip=1.0, **ONE)
    assert (interrupted / "model.safetensors").exists()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"method__head": "beam"}, "no head is called 'beam'"),
        ({"encoder": "./nowhere"}, "no encoder folder './nowhere'"),
        ({"method__heads": "crf"}, r"plain has no setting 'method\.heads'"),
    ],
)
def test_a_mistake_does_not_take_the_folder(learn, tiny_sentences, tmp_path, wrong, message):
    output = tmp_path / "model"
    with pytest.raises(InputError, match=message):
        learn(tiny_sentences[:4], output=output, **wrong)
    assert not output.exists()
    learn(tiny_sentences[:4], output=output, **ONE)


def test_a_folder_that_cannot_be_made(learn, tiny_sentences, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=r"file/model"):
        learn(tiny_sentences[:4], output=tmp_path / "file" / "model", **ONE)


# Trackers


def test_an_unknown_tracker(learn, tiny_sentences, tiny_encoder):
    with pytest.raises(InputError, match="no tracker is called 'notebook'; choose one of: tensorboard"):
        train(Corpus(tiny_sentences), encoder=str(tiny_encoder), track=["notebook"])


def test_a_tracker_that_is_not_installed(tiny_sentences, tiny_encoder, monkeypatch):
    monkeypatch.setitem(sys.modules, "wandb", None)
    with pytest.raises(InputError, match=r"'wandb' is not installed; pip install 'gleanner\[wandb\]'"):
        train(Corpus(tiny_sentences), encoder=str(tiny_encoder), track=["wandb"])


def test_a_tracker_that_needs_a_folder(tiny_sentences, tiny_encoder):
    with pytest.raises(InputError, match="tensorboard writes into the output folder, and there is none"):
        train(Corpus(tiny_sentences), encoder=str(tiny_encoder), track=["tensorboard"])


def test_two_runs_in_one_folder(learn, tiny_sentences, tmp_path):
    output = tmp_path / "model"
    output.mkdir()
    with alone(output), pytest.raises(InputError, match="another gleanner is at work in this folder"):
        learn(tiny_sentences, output=output)
    learn(tiny_sentences, output=output)
    assert not (output / LOCK).exists()
