"""The loop: which batches, which weights at the end."""

import pytest
import torch

from gleanner.evaluation.scores import Score
from gleanner.model.bilstm import BiLSTM
from gleanner.model.choices import BiLSTMOptions
from gleanner.model.examples import encode
from gleanner.model.feed import Feed
from gleanner.model.transformer import Transformer
from gleanner.model.units import TokenUnits
from gleanner.training import fit
from gleanner.training.fit import Plan
from gleanner.training.settings import Training
from gleanner.types import Sentence, Span

CONSTANT = {"training__warmup": 0.0, "training__decay": "none"}


def weights(trained):
    return trained.tagger.state_dict()


def same(a, b):
    return all(torch.equal(weights(a)[name], weights(b)[name]) for name in weights(a))


def bilstm(sentences):
    words = [word for sentence in sentences for word in sentence.words]
    return BiLSTM.build(words, BiLSTMOptions(word_size=8, char_size=4, hidden=4))


# Which batches


@pytest.fixture
def feed(tiny_sentences):
    return Feed(encode(tiny_sentences), bilstm(tiny_sentences), TokenUnits("BIO"))


def read(plan, first=0):
    return [(step, [rows.tolist() for rows in batches]) for step, batches in plan.batches(first)]


@pytest.mark.parametrize(("processes", "accumulate"), [(1, 1), (1, 2), (2, 1), (3, 2)])
def test_going_on_from_any_step_reads_the_same_batches(feed, processes, accumulate):
    training = Training(epochs=3, batch_size=7, accumulate=accumulate)
    for process in range(processes):
        plan = Plan(feed, training, seed=5, processes=processes, process=process)
        whole = read(plan)
        assert [step for step, _ in whole] == list(range(plan.steps))
        assert all(1 <= len(batches) <= accumulate for _, batches in whole)
        for first in range(plan.steps + 1):
            assert read(plan, first) == whole[first:]


@pytest.mark.parametrize(("processes", "accumulate"), [(1, 1), (1, 4), (2, 1), (2, 2)])
def test_the_processes_together_read_everything_in_each_epoch(feed, processes, accumulate):
    training = Training(epochs=2, batch_size=4, accumulate=accumulate)
    plans = [Plan(feed, training, 0, processes, process) for process in range(processes)]
    for epoch in range(2):
        rows = []
        for plan in plans:
            steps = read(plan)[epoch * plan.per_epoch : (epoch + 1) * plan.per_epoch]
            rows += [row for _, batches in steps for batch in batches for row in batch]
        assert set(rows) == set(range(40))
        if processes == 1 or 10 % (processes * accumulate) == 0:
            assert len(rows) == 40


def test_epochs_and_seeds_have_orders_of_their_own(feed):
    plan = Plan(feed, Training(epochs=2, batch_size=4), 0, 1, 0)
    steps = read(plan)
    assert [batches for _, batches in steps[:10]] != [batches for _, batches in steps[10:]]
    assert read(Plan(feed, Training(epochs=2, batch_size=4), 1, 1, 0)) != steps


@pytest.mark.parametrize(("every", "steps"), [(1.0, 10), (0.5, 5), (0.001, 1), (2.0, 20)])
def test_steps_between_evaluations(feed, every, steps):
    assert Plan(feed, Training(batch_size=4, evaluate_every=every), 0, 1, 0).between_evaluations == steps


# Which weights


def test_two_batches_of_four_are_one_of_eight(learn):
    sentences = [Sentence(("Ada", "met", f"{k}", "Euler"), (Span(0, 1, "PER"),), complete=True) for k in range(8)]
    settings = {
        "encoder": "bilstm",
        "bilstm__hidden": 8,
        "bilstm__dropout": 0.0,
        "bilstm__word_dropout": 0.0,
        "model__dropout": 0.0,
        "training__epochs": 2,
    }
    once = learn(sentences, training__batch_size=8, **settings)
    twice = learn(sentences, training__batch_size=4, training__accumulate=2, **settings)
    four = learn(sentences, training__batch_size=4, **settings)
    torch.testing.assert_close(weights(twice), weights(once), atol=1e-5, rtol=1e-4)
    with pytest.raises(AssertionError):
        torch.testing.assert_close(weights(four), weights(once), atol=1e-5, rtol=1e-4)


@pytest.fixture
def scripted(monkeypatch):
    """Development scores that are given."""

    def scripted(*f1):
        left = [Score(round(100 * f), 100, 100) for f in f1]
        monkeypatch.setattr(fit, "score_arrays", lambda gold, predicted: left.pop(0))

    return scripted


def test_patience(learn, tiny_sentences, scripted):
    scripted(0.1, 0.5, 0.4, 0.5, 0.9)
    stopped = learn(tiny_sentences, tiny_sentences[:5], training__epochs=5, training__patience=2, **CONSTANT)
    assert [entry["f1"] for entry in stopped.history] == pytest.approx([0.1, 0.5, 0.4, 0.5])
    assert [entry["is_best"] for entry in stopped.history] == [True, True, False, False]
    assert stopped.best["epoch"] == 2
    second = learn(tiny_sentences, training__epochs=2, **CONSTANT)
    assert same(stopped, second)


@pytest.mark.parametrize("in_folder", [False, True])
def test_the_best_weights_are_restored(learn, tiny_sentences, scripted, tmp_path, in_folder):
    scripted(0.6, 0.5, 0.2)
    output = tmp_path / "model" if in_folder else None
    first_is_best = learn(tiny_sentences, tiny_sentences[:5], output=output, **CONSTANT)
    assert len(first_is_best.history) == 3
    assert same(first_is_best, learn(tiny_sentences, training__epochs=1, **CONSTANT))


def test_without_development_data_the_last_weights_are_kept(learn, tiny_sentences, scripted):
    scripted(0.1, 0.2, 0.3)
    last_is_best = learn(tiny_sentences, tiny_sentences[:5])
    without = learn(tiny_sentences)
    assert same(last_is_best, without)
    assert without.best is None
    assert [sorted(entry) for entry in without.history] == [["epoch", "loss", "seconds", "stage", "step"]] * 3


def test_the_same_seed_gives_the_same_weights_and_another_others(learn, tiny_sentences):
    settings = {"training__epochs": 1, "method": "negative-sampling"}
    first = learn(tiny_sentences, seed=3, **settings)
    torch.rand(10)  # what was drawn before does not matter
    assert same(first, learn(tiny_sentences, seed=3, **settings))
    assert not same(first, learn(tiny_sentences, seed=4, **settings))


def test_precisions_follow_one_another_in_one_process(learn, tiny_sentences):
    single = learn(tiny_sentences, training__epochs=1)
    half = learn(tiny_sentences, training__epochs=1, training__precision="bf16")
    assert not same(single, half)
    assert same(single, learn(tiny_sentences, training__epochs=1))


def test_evaluations_between_epochs(learn, tiny_sentences, listener):
    heard = listener()
    trained = learn(
        tiny_sentences, tiny_sentences[:5], reporter=heard, training__epochs=1, training__evaluate_every=0.5
    )
    assert [entry["epoch"] for entry in trained.history] == [0.5, 1.0]
    assert heard.entries == trained.history
    assert heard.stages == [("plain", 0, 10)]
    assert heard.steps == list(range(1, 11))
    assert all(entry["loss"] > 0 for entry in trained.history)


def test_rows_of_the_embedding_that_no_text_uses_stay_as_they_were(learn, tiny_encoder, tiny_sentences):
    before = Transformer.load(str(tiny_encoder), "first").model.get_input_embeddings().weight
    trained = learn(tiny_sentences[:3], training__epochs=1).tagger
    after = trained.encoder.model.get_input_embeddings().weight.cpu()
    assert after.shape == before.shape
    changed = (after != before).any(dim=1)
    assert 0 < changed.sum() < len(before) / 2
    assert trained.predict("Ada Lovelace saw Göttingen and 王小明 .") is not None
