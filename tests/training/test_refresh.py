"""What a stage finds out between steps, and what else a stage may say of itself."""

from typing import Any, ClassVar

import pytest
import torch

from gleanner.errors import InputError
from gleanner.methods.plain import Plain
from gleanner.training.run import run
from gleanner.training.settings import check
from gleanner.training.stage import Stage, cross_entropy
from gleanner.types import Corpus


class Staged:
    """Stages that are given by their differences from an ordinary one."""

    __dataclass_fields__: ClassVar[dict[str, Any]] = {}

    def __init__(self, stages):
        self.stages, self.taggers = stages, []

    def fit(self, corpus, train):
        for number, stage in enumerate(self.stages):
            start = {"start": self.taggers[-1]} if stage.get("start") == "last" else {}
            self.taggers.append(train(Stage(str(number), corpus, **{"head": "linear"} | stage | start)))
        return self.taggers[-1]


@pytest.fixture
def fit(tiny_sentences, tiny_encoder, listener):
    training = {"epochs": 2, "batch_size": 4, "encoder_lr": 3e-3, "head_lr": 3e-3, "checkpoint_minutes": 0}
    settings = check({"encoder": str(tiny_encoder), "training": training, "model": {"max_width": 4}})

    def fit(*stages, output=None, reporter=None, sentences=tiny_sentences[:16]):
        method = Staged(stages)
        trained = run(
            method, settings, output, corpus=Corpus(sentences), dev=tiny_sentences[:8], reporter=reporter or listener()
        )
        return trained, method.taggers

    return fit


def same(a, b):
    return all(torch.equal(value, b.state_dict()[name]) for name, value in a.state_dict().items())


# Tables


class Numbers:
    """Every second step it draws a new number for each unit; remembers what it was called with."""

    def __init__(self):
        self.calls = []

    def __call__(self, tagger, feed, progress, table):
        self.calls.append((progress.step, feed.places, table is not None))
        if progress.step == 0:
            return None
        return torch.rand(feed.places, 2) if progress.step % 2 else table


def only_even(scores, targets, progress):
    """Random weights from the table, where there is one."""
    return targets.weight if targets.table is None else targets.weight * (targets.table[:, 0] < 0.5)


@pytest.mark.parametrize("head", ["linear", "concat"])
def test_samplers_see_the_table(fit, head):
    seen = []

    def sampler(scores, targets, progress):
        seen.append((progress.step, None if targets.table is None else targets.table.shape))
        assert len(scores.units.place) == len(targets.label)
        return targets.weight

    numbers = Numbers()
    fit({"head": head, "sampler": sampler, "refresh": numbers})
    places = numbers.calls[0][1]
    assert [call[0] for call in numbers.calls] == list(range(8))
    assert [call[2] for call in numbers.calls] == [False, False, *[True] * 6]
    assert seen[0] == (0, None)
    assert all(shape[1] == 2 for _, shape in seen[1:])
    assert places % (4 if head == "concat" else 1) == 0


def test_a_unit_has_its_own_row_of_the_table(fit, tiny_sentences):
    """The table holds each unit's number; the numbers of a batch's words name the words that it reads."""
    words = [word for sentence in tiny_sentences[:16] for word in sentence.words]
    labels = []

    def sampler(scores, targets, progress):
        labels.extend(zip(targets.table[:, 0].long().tolist(), targets.label.tolist(), strict=True))
        return targets.weight

    fit({"sampler": sampler, "refresh": lambda tagger, feed, progress, table: torch.arange(feed.places)[:, None]})
    entity = {
        word for sentence in tiny_sentences[:16] for s in sentence.spans for word in sentence.words[s.start : s.end]
    }
    assert sorted(number for number, _ in labels) == sorted([*range(len(words))] * 2)
    assert all((words[number] in entity) == (label > 0) for number, label in labels)


@pytest.mark.parametrize("steps", [2, 3, 5])
def test_a_killed_run_keeps_its_table(fit, listener, tmp_path, steps):
    stage = {"sampler": only_even, "refresh": Numbers()}
    straight, _ = fit(stage, output=tmp_path / "straight")
    with pytest.raises(KeyboardInterrupt):
        fit(stage, output=tmp_path / "killed", reporter=listener(stop=("step", steps)))
    resumed, _ = fit(stage, output=tmp_path / "killed")
    assert same(straight.tagger, resumed.tagger)
    plain, _ = fit({})
    assert not same(straight.tagger, plain.tagger)


@pytest.mark.parametrize("head", ["linear", "interaction"])
def test_logits_of_a_corpus_stand_in_their_places(fit, tiny_sentences, head):
    _, (tagger,) = fit({"head": head})
    feed = tagger.feed(tiny_sentences)
    logits = tagger.logits(feed)
    assert logits.shape == (feed.places, len(tagger.kind.classes(tagger.config.labels)))
    for rows in feed.by_length(1):  # one sentence at a time
        batch = feed.batch(rows)
        with torch.no_grad():
            alone = tagger.head(tagger.encoder(batch.inputs), batch.units)
        torch.testing.assert_close(logits[batch.units.place], alone.float(), atol=0.1, rtol=0.1)  # bf16, padded or not


# Other things of a stage


def test_a_stage_may_begin_with_a_model(fit):
    _, taggers = fit({}, {"start": "last", "rate": 1e-4, "epochs": 1})
    assert taggers[0] is not taggers[1]
    assert not same(*taggers)  # it was trained, if hardly
    for name, value in taggers[0].state_dict().items():
        torch.testing.assert_close(value, taggers[1].state_dict()[name], atol=1e-4, rtol=0)


def test_a_model_to_begin_with_must_know_the_types(fit, tiny_sentences, tiny_encoder, listener):
    settings = check({"encoder": str(tiny_encoder), "training": {"epochs": 1}})
    people = [s for s in tiny_sentences if {span.label for span in s.spans} == {"PER"}]
    start = run(Plain(), settings, corpus=Corpus(people), reporter=listener()).tagger
    with pytest.raises(InputError, match="does not know the types LOC"):
        fit({"start": start})


def test_a_stage_has_epochs_of_its_own_and_may_leave_the_choice_out(fit, listener):
    heard = listener()
    trained, _ = fit({"epochs": 1, "select": False}, {}, reporter=heard)
    assert [(stage, steps) for stage, _, steps in heard.stages] == [("0", 4), ("1", 8)]
    assert ["f1" in entry for entry in trained.history] == [False, True, True]


def test_what_is_found_of_a_label_of_the_method_s_own_is_no_entity(fit, tiny_sentences, listener):
    """Every word that nobody labelled is taught as 'other': a class of its own, which nobody sees in the results."""

    def others(scores, targets, weights, progress):
        label = torch.where(targets.label == 0, 1 + 2 * (len(("LOC", "PER"))), targets.label)
        return cross_entropy(scores, targets._replace(label=label), weights, progress)

    stage = {"loss": others, "nothing": ("other",), "epochs": 6}
    trained, (tagger,) = fit(stage, sentences=tiny_sentences)
    assert tagger.config.labels == ("O", "LOC", "PER", "other")
    assert tagger.labels == ("LOC", "PER")
    assert trained.best["f1"] > 0.9
    assert {span.label for s in tagger.annotate(tiny_sentences) for span in s.spans} == {"LOC", "PER"}


def test_the_scheme_that_a_method_prefers(fit):
    _, (tagger,) = fit({"scheme": "IO"})
    assert tagger.config.scheme == "IO"
