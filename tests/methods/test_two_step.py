"""Which words are removed, which spans are drawn, and that training starts again from where it began."""

import dataclasses

import pytest
import torch

from gleanner.errors import InputError
from gleanner.methods import two_step
from gleanner.methods.load import build
from gleanner.methods.two_step import NON_ENTITY, Redraw, TwoStep, removed_is_unknown, table_loss
from gleanner.model.config import TaggerConfig
from gleanner.model.tagger import Tagger
from gleanner.model.transformer import Transformer
from gleanner.training import parallel
from gleanner.training.o_values import o_values, silent
from gleanner.training.reporter import Silent
from gleanner.training.run import run
from gleanner.training.settings import check
from gleanner.training.stage import Progress
from gleanner.types import Corpus, Sentence, Span

TRAINING = {"epochs": 8, "batch_size": 4, "encoder_lr": 3e-3, "head_lr": 3e-3, "checkpoint_minutes": 0}
SENTENCE = Sentence(
    ("Ada", "and", "friends", "of", "Euler", "wrote", "long", "letters", "to", "him"),
    (Span(0, 1, "PER"), Span(4, 5, "?"), Span(8, 9, "O")),
)


@pytest.fixture
def fit(tiny_encoder):
    """fit(TwoStep(...), sentences) trains it; what the stages began with stands in `fit.starts`."""

    def fit(method, sentences, dev=None, *, output=None, reporter=None, model=None, **training):
        settings = check({"encoder": str(tiny_encoder), "training": TRAINING | training, "model": model or {}})
        return run(method, settings, output, corpus=Corpus(sentences), dev=dev, reporter=reporter or Silent())

    return fit


@pytest.fixture
def stages(monkeypatch):
    """What each stage is told, and the weights that it begins with."""
    seen = []
    real = parallel.fit

    def spy(stage, tagger, feed, dev, **rest):
        weights = {name: value.clone() for name, value in tagger.state_dict().items()}
        seen.append((stage, weights, rest["training"].epochs, dev))
        return real(stage, tagger, feed, dev, **rest)

    monkeypatch.setattr(parallel, "fit", spy)
    return seen


@pytest.fixture
def silent_sentences(tiny_sentences):
    return [dataclasses.replace(sentence, complete=False) for sentence in tiny_sentences]


# The two steps


def test_both_steps_start_from_the_same_weights(fit, stages, silent_sentences):
    fit(TwoStep(first_epochs=2), silent_sentences[:12], silent_sentences[:4], epochs=3)
    (first, began, first_epochs, first_dev), (second, again, epochs, dev) = stages
    assert (first.name, second.name) == ("two-step-first", "two-step")
    assert (first_epochs, epochs) == (2, 3)
    assert first_dev is None
    assert dev is not None
    assert began.keys() == again.keys()
    assert all(torch.equal(began[name], again[name]) for name in began)


def test_the_smallest_o_values_after_the_first_step_are_removed(fit, stages, monkeypatch, silent_sentences):
    models = []
    monkeypatch.setattr(
        two_step, "o_values", lambda tagger, feed: models.append((tagger, feed)) or o_values(tagger, feed)
    )
    fit(TwoStep(share=0.1), silent_sentences, epochs=2)
    ((tagger, feed),) = models
    values, candidate = o_values(tagger, feed), silent(feed)
    removed = stages[1][0].refresh.removed
    assert removed.sum() == -(-int(candidate.sum()) // 10)
    assert not (removed & ~candidate).any()
    assert values[removed].max() <= values[candidate & ~removed].min()


def test_forgotten_entities_are_found(fit, stages, silent_sentences):
    """Half of the sentences have lost their people: among the words removed are theirs, not the others."""
    hidden = [
        dataclasses.replace(s, spans=tuple(x for x in s.spans if x.label != "PER")) if (k // 8 + k) % 2 else s
        for k, s in enumerate(silent_sentences)
    ]
    fit(TwoStep(share=0.1, first_epochs=3), hidden, epochs=1)
    removed = stages[1][0].refresh.removed
    people = torch.zeros_like(removed)
    begin = 0
    for sentence in silent_sentences:
        for span in sentence.spans:
            people[begin + span.start : begin + span.end] = span.label == "PER"
        begin += len(sentence.words)
    assert people[removed].float().mean() > 0.8
    assert people.float().mean() < 0.5


def test_without_a_share_there_is_one_step(fit, stages, silent_sentences):
    fit(TwoStep(share=0), silent_sentences[:12], epochs=1)
    assert [stage.name for stage, *_ in stages] == ["two-step"]


def test_without_either_part_it_is_plain_training(fit, silent_sentences):
    ours = fit(TwoStep(share=0, rate=0, head="linear"), silent_sentences[:12], epochs=2).tagger
    plain = fit(build({"name": "plain", "head": "linear"}), silent_sentences[:12], epochs=2).tagger
    assert all(torch.equal(value, plain.state_dict()[name]) for name, value in ours.state_dict().items())


@pytest.mark.parametrize("head", ["linear", "angle", "crf", "angle-crf"])
@pytest.mark.parametrize("marginalise", [False, True])
@pytest.mark.parametrize("scheme", ["IO", "BIOES"])
def test_learns(fit, silent_sentences, tiny_sentences, head, marginalise, scheme):
    method = TwoStep(share=0.05, rate=0.2, marginalise=marginalise, head=head)
    trained = fit(method, silent_sentences, tiny_sentences, model={"scheme": scheme}, epochs=10)
    assert trained.best["f1"] > 0.9
    assert trained.tagger.labels == ("LOC", "PER")
    assert trained.tagger.config.labels == ("O", "LOC", "PER", NON_ENTITY)
    assert {span.label for s in trained.tagger.annotate(tiny_sentences) for span in s.spans} == {"LOC", "PER"}


class Stopper(Silent):
    def __init__(self, steps):
        self.left = steps

    def step(self, done, loss, speed):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("steps", [3, 4, 6, 7])
def test_a_killed_run_ends_with_the_same_weights(fit, silent_sentences, tmp_path, steps):
    """Three steps an epoch: killed at the end of the first step, at the beginning of the second, at the end of an epoch."""
    method = TwoStep(share=0.1, rate=0.3, head="crf")
    straight = fit(method, silent_sentences[:12], output=tmp_path / "straight", epochs=2).tagger
    with pytest.raises(KeyboardInterrupt):
        fit(method, silent_sentences[:12], output=tmp_path / "killed", epochs=2, reporter=Stopper(steps))
    resumed = fit(method, silent_sentences[:12], output=tmp_path / "killed", epochs=2).tagger
    assert all(torch.equal(value, resumed.state_dict()[name]) for name, value in straight.state_dict().items())


# The table


@pytest.fixture
def tagger(tiny_encoder):
    config = TaggerConfig(labels=("O", "PER", NON_ENTITY), head="angle")
    return Tagger(config, Transformer.load(str(tiny_encoder), "first"))


def test_the_table_by_hand(tagger):
    """Of ten words two are not labelled O, one is removed: runs of 2, 2 and 1 free words are left, with 7 spans."""
    feed = tagger.feed([SENTENCE])
    removed = torch.zeros(10, dtype=torch.bool)
    removed[3] = removed[7] = True
    seen = set()
    for seed in range(200):
        torch.manual_seed(seed)
        table = Redraw(removed, 0.1)(tagger, feed, Progress(0, 5, 2), None)
        assert table.shape == (10, 2)
        assert (table[:, 1] == removed).all()
        label = table[:, 0].tolist()
        assert label[0] == 1  # B-PER
        words = [k for k in range(1, 10) if label[k]]
        assert [label[k] for k in words] == [3, 4][: len(words)]  # B-non-entity, I-non-entity
        seen.add(tuple(words))
    # 1 to 2, 5 to 6 and 8 to 9 are free; the explicit O of word 8 too.
    assert seen == {(1,), (2,), (1, 2), (5,), (6,), (5, 6), (8,), (9,), (8, 9)}


def test_more_spans_for_longer_sentences_and_none_without_a_rate(tagger):
    sentences = [Sentence(("so",) * length) for length in (1, 10, 11, 30)]
    feed = tagger.feed(sentences)
    counts = torch.zeros(4)
    for seed in range(300):
        torch.manual_seed(seed)
        label = Redraw(None, 0.1)(tagger, feed, Progress(0, 1, 1), None)[:, 0]
        counts += torch.stack([(part == 3).sum() for part in label.split([1, 10, 11, 30])])
    # One of a sentence of 1 or 10 words always; of 11 two and of 30 three, less those that overlap another one.
    assert counts[:2].tolist() == [300, 300]
    assert 300 < counts[2] < 600
    assert 300 < counts[3] < 900
    assert not Redraw(None, 0.0)(tagger, feed, Progress(0, 1, 1), None).any()


def test_drawn_anew_at_the_first_step_of_each_epoch(tagger):
    feed = tagger.feed([Sentence(("so",) * 60)])
    refresh, table, tables = Redraw(None, 0.1), None, []
    for step in range(6):
        torch.manual_seed(step)
        table = refresh(tagger, feed, Progress(step, 3, 2), table)
        tables.append(table)
    assert tables[0] is tables[1] is tables[2]
    assert tables[3] is tables[4] is tables[5]
    assert not torch.equal(tables[0], tables[3])


def test_a_table_is_needed(tagger):
    with pytest.raises(TypeError, match="needs the table"):
        removed_is_unknown(None, tagger.feed([SENTENCE]).whole()[1], Progress(0, 1, 1))


class Seen:
    """Scores that remember what they were asked for."""

    def negative_log_likelihood(self, *asked):
        self.asked = [one.tolist() for one in asked]
        return torch.zeros(())


def test_sampler_and_loss(tagger):
    _, targets = tagger.feed([SENTENCE]).whole()
    table = torch.zeros(10, 2, dtype=torch.int32)
    table[1], table[2] = torch.tensor([3, 0]), torch.tensor([0, 1])
    targets = targets._replace(table=table)
    weights = removed_is_unknown(None, targets, Progress(0, 1, 1))
    assert weights.tolist() == [1, 1, 0, 1, 0, 1, 1, 1, 1, 1]  # the removed word and the one that is marked unknown
    scores = Seen()
    table_loss(scores, targets, targets.weight, Progress(0, 1, 1))
    label, weight, removed = scores.asked
    assert label == [0, 3, *[0] * 8]
    assert weight == [1, 1, 1, 1, 0, 1, 1, 1, 1, 1]
    assert removed == [False, False, True, *[False] * 7]


# Edges


def test_no_word_labelled_o_is_left(fit):
    with pytest.raises(InputError) as caught:
        fit(TwoStep(), [Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),))], epochs=1)
    assert str(caught.value) == (
        "no word labelled O is left when method.share=0.003125 of 1 are removed; give more sentences, or method.share=0"
    )


def test_explicit_o_is_left(fit, stages):
    """The silent word goes, the one of which somebody said that it is no entity stays."""
    sentence = Sentence(("Ada", "wrote", "much"), (Span(0, 1, "PER"), Span(2, 3, "O")))
    fit(TwoStep(), [sentence], epochs=1)
    assert stages[1][0].refresh.removed.tolist() == [False, True, False]


def test_nothing_is_removed_from_complete_sentences(fit, stages, tiny_sentences):
    fit(TwoStep(share=0.5), tiny_sentences[:8], epochs=1)
    assert not stages[1][0].refresh.removed.any()


@pytest.mark.parametrize(
    "sentences",
    [
        [Sentence(("Ada", "Lovelace"), (Span(0, 2, "PER"),))] * 3,
        [Sentence(("Ada", "wrote", "letters"), (Span(0, 1, "PER"),))],
        [
            Sentence(()),
            Sentence(("Ada", "wrote", "it"), (Span(0, 1, "PER"),)),
            Sentence(("Basel",), (Span(0, 1, "LOC"),)),
        ],
    ],
    ids=["all entity", "one example", "a type with one example"],
)
@pytest.mark.parametrize("head", ["linear", "angle", "crf", "angle-crf"])
@pytest.mark.parametrize("scheme", ["IO", "BIO"])
def test_small_corpora(fit, sentences, head, scheme):
    tagger = fit(TwoStep(head=head, share=0.1, rate=1.0), sentences, model={"scheme": scheme}, epochs=2).tagger
    assert all(value.isfinite().all() for value in tagger.state_dict().values())


@pytest.mark.parametrize("head", ["concat", "interaction", "biaffine"])
def test_only_heads_for_words(head):
    with pytest.raises(InputError) as caught:
        build({"name": "two-step", "head": head})
    assert (
        str(caught.value)
        == f"the head {head!r} scores spans; choose one for words: linear, angle, crf, angle-crf, twofold"
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("share", -0.1), ("share", 1.0), ("rate", -0.1), ("rate", 1.1), ("rate", float("nan")), ("first_epochs", 0)],
)
def test_numbers_out_of_their_ranges(name, value):
    with pytest.raises(InputError, match=rf"method\.{name}: .* not {value}"):
        build({"name": "two-step", name: value})


def test_a_type_may_not_have_the_name_of_the_extra_class(fit):
    sentence = Sentence(("Ada", "wrote", "much"), (Span(0, 1, NON_ENTITY),))
    with pytest.raises(InputError, match="uses the name 'non-entity' for something of its own; rename that type"):
        fit(TwoStep(), [sentence], epochs=1)
