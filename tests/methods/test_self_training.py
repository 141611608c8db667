"""Going on with a model's own predictions."""

import dataclasses

import pytest
import torch

from gleanner.api import train
from gleanner.errors import InputError
from gleanner.methods.self_training import SoftTargets, self_training, sharpened
from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, HeadShape
from gleanner.model.tagger import Tagger
from gleanner.model.units import Targets
from gleanner.training.reporter import Silent
from gleanner.training.scores import Scores
from gleanner.training.stage import Progress
from gleanner.types import Corpus, Span

QUICK = {
    "training.epochs": 6,
    "training.batch_size": 4,
    "training.encoder_lr": 3e-3,
    "training.head_lr": 3e-3,
    "training.precision": "fp32",
    "model.max_width": 3,
}


# Soft targets


def test_sharpened_by_hand():
    """Columns sum to 1.2 and 0.8: .81/1.2 : .01/.8, and .09/1.2 : .49/.8."""
    found = sharpened(torch.tensor([[0.9, 0.1], [0.3, 0.7]]))
    expected = torch.tensor([[0.675, 0.0125], [0.075, 0.6125]])
    torch.testing.assert_close(found, expected / expected.sum(dim=1, keepdim=True))


def test_sharpened_at_the_corners():
    assert sharpened(torch.tensor([[1.0, 0.0], [1.0, 0.0]])).tolist() == [[1, 0], [1, 0]]  # a type nobody has
    assert sharpened(torch.tensor([[1.0], [1.0]])).tolist() == [[1], [1]]  # one type
    assert sharpened(torch.empty(0, 3)).shape == (0, 3)  # nothing sure


class Given:
    """A tagger whose probabilities are given."""

    def __init__(self, probabilities):
        self.probabilities = torch.tensor(probabilities)

    def log_probabilities(self, feed):
        return self.probabilities.log()


class Weighed:
    """A feed of units with these weights."""

    def __init__(self, *weights):
        self.weights = weights

    def targets(self):
        count = len(self.weights)
        return Targets(torch.zeros(count).long(), torch.zeros(count).bool(), torch.tensor(self.weights))


def test_the_table_by_hand():
    """Two words are sure to be entities, the third is not, the fourth is unknown and counts nowhere."""
    tagger = Given([[0.1, 0.81, 0.09], [0.1, 0.27, 0.63], [0.5, 0.5, 0.0], [0.0, 1.0, 0.0]])
    table = SoftTargets(0.8, 100)(tagger, Weighed(1.0, 1.0, 1.0, 0.0), Progress(0, 10, 1), None)
    torch.testing.assert_close(table[:, 0], torch.tensor([0.9, 0.9, 0.5, 1.0]))
    torch.testing.assert_close(table[:2, 1:], sharpened(torch.tensor([[0.9, 0.1], [0.3, 0.7]])))
    assert table[2:, 1:].tolist() == [[0, 0], [0, 0]]


def test_a_sum_that_is_rounded_to_more_than_1(units_of):
    p = [[1e-12, 0.6000001, 0.4000001]]
    table = SoftTargets(0.8, 1)(Given(p), Weighed(1.0), Progress(0, 10, 1), None)
    assert table[0, 0] == 1
    scores, targets, _ = scores_of(units_of, p)
    loss = self_training(scores, targets._replace(table=table), torch.ones(1), Progress(0, 1, 1))
    assert loss.item() == pytest.approx(0, abs=1e-6)  # 1 - p is not below 0, of which there is no logarithm


def test_types_are_targeted_anew_and_entities_are_not():
    refresh, feed = SoftTargets(0.8, 3), Weighed(1.0)
    first = refresh(Given([[0.1, 0.81, 0.09]]), feed, Progress(0, 10, 1), None)
    changed = Given([[0.2, 0.08, 0.72]])
    assert refresh(changed, feed, Progress(2, 10, 1), first) is first
    second = refresh(changed, feed, Progress(3, 10, 1), first)
    assert second[0, 0] == first[0, 0]
    torch.testing.assert_close(second[:, 1:], sharpened(torch.tensor([[0.1, 0.9]])))


def test_nothing_sure():
    table = SoftTargets(0.8, 1)(Given([[0.9, 0.05, 0.05]]), Weighed(1.0), Progress(0, 10, 1), None)
    assert table[:, 1:].tolist() == [[0, 0]]


# The loss


class Fixed(Head):
    """Scores that are the words' vectors."""

    def forward(self, words, units, index=None):
        return words.start


def scores_of(units_of, probabilities, twin=None):
    logits = torch.tensor(probabilities).double().log().requires_grad_()
    scores, targets = units_of([len(logits)], [len(logits)])
    encode = None
    if twin is not None:
        other = torch.tensor(twin).log()
        encode = lambda: WordVectors(other, other)  # noqa: E731
    head = Fixed(HeadShape(3, ("O", "A", "B"), 1, 0.0))
    return Scores(head, WordVectors(logits, logits), scores.units, encode), targets, logits


def kl(target, p):
    return sum(t * torch.tensor(t / q).log().item() for t, q in zip(target, p, strict=True) if t)


def test_the_loss_by_hand(units_of):
    scores, targets, _ = scores_of(units_of, [[0.2, 0.6, 0.2], [0.9, 0.05, 0.05]])
    table = torch.tensor([[0.9, 1.0, 0.0], [0.3, 0.0, 0.0]])
    loss = self_training(scores, targets._replace(table=table), torch.ones(2), Progress(0, 1, 1))
    expected = kl((0.1, 0.9), (0.2, 0.8)) + kl((1.0, 0.0), (0.75, 0.25)) + kl((0.7, 0.3), (0.9, 0.1))
    assert loss.item() == pytest.approx(expected, rel=1e-5)


def test_what_weighs_nothing_counts_nothing(units_of):
    scores, targets, logits = scores_of(units_of, [[0.2, 0.6, 0.2]], [[0.2, 0.6, 0.2]])
    table = torch.tensor([[0.9, 1.0, 0.0]])
    loss = self_training(scores, targets._replace(table=table), torch.zeros(1), Progress(0, 1, 1))
    loss.backward()
    assert loss.item() == 0
    assert logits.grad.abs().sum() == 0


def test_a_twin_counts_where_it_agrees(units_of):
    table = torch.tensor([[0.8, 1.0, 0.0], [0.8, 1.0, 0.0]])
    p = [[0.2, 0.6, 0.2], [0.2, 0.6, 0.2]]
    losses = []
    for twin in (None, [[0.5, 0.4, 0.1], [0.5, 0.1, 0.4]]):
        scores, targets, _ = scores_of(units_of, p, twin)
        losses.append(self_training(scores, targets._replace(table=table), torch.ones(2), Progress(0, 1, 1)).item())
    assert losses[1] - losses[0] == pytest.approx(kl((1.0, 0.0), (0.8, 0.2)), rel=1e-5)


# The method


@pytest.fixture(scope="module")
def silent(tiny_sentences):
    return [dataclasses.replace(sentence, complete=False) for sentence in tiny_sentences]


@pytest.fixture(scope="module")
def start(tiny_encoder, silent, tmp_path_factory):
    """start(head) is the folder of a model with that head."""
    folders = {}

    def start(head, seed=0):
        if (head, seed) not in folders:
            folder = tmp_path_factory.mktemp("start") / "model"
            options = {"method": "plain", "encoder": str(tiny_encoder), "reporter": Silent(), "seed": seed}
            train(Corpus(silent), output=folder, settings=QUICK | {"method.head": head}, **options)
            folders[head, seed] = str(folder)
        return folders[head, seed]

    return start


def go_on(sentences, dev=None, output=None, reporter=None, **settings):
    options = {key.replace("__", "."): value for key, value in settings.items()}
    quick = QUICK | {"training.epochs": 2, "training.checkpoint_minutes": 0, "method.rate": 0.01} | options
    return train(
        Corpus(sentences), dev, method="self-training", output=output, settings=quick, reporter=reporter or Silent()
    )


@pytest.mark.parametrize("head", ["linear", "crf", "twofold", "interaction", "biaffine"])
def test_from_any_head(start, silent, tiny_sentences, tiny_mlm, head):
    trained = go_on(silent, tiny_sentences, method__start=start(head), method__augmenter=str(tiny_mlm))
    assert trained.tagger.config.head == head
    assert trained.best["f1"] > 0.9
    before = Tagger.from_pretrained(start(head)).state_dict()
    assert any(not torch.equal(value, before[name]) for name, value in trained.tagger.state_dict().items())


def test_from_a_model_without_a_transformer(silent, tmp_path, tiny_mlm):
    settings = QUICK | {"method.head": "linear", "bilstm.hidden": 8, "bilstm.word_size": 8, "bilstm.char_size": 8}
    train(Corpus(silent), method="plain", encoder="bilstm", output=tmp_path / "a", reporter=Silent(), settings=settings)
    trained = go_on(silent[:8], method__start=str(tmp_path / "a"), method__augmenter=str(tiny_mlm))
    assert all(value.isfinite().all() for value in trained.tagger.state_dict().values())


def test_labels_are_not_looked_at(start, silent):
    """Text without labels, and text with wrong ones, give the same weights."""
    bare = [dataclasses.replace(sentence, spans=()) for sentence in silent]
    wrong = [
        dataclasses.replace(s, spans=(Span(0, 1, "LOC"), Span(len(s.words) - 1, len(s.words), "O"))) for s in bare[8:]
    ]
    runs = [go_on(sentences, method__start=start("linear")) for sentences in (bare, silent, [*bare[:8], *wrong])]
    states = [run.tagger.state_dict() for run in runs]
    assert all(torch.equal(value, other[name]) for other in states[1:] for name, value in states[0].items())


def test_it_needs_a_model(silent):
    with pytest.raises(InputError, match=r"self-training starts from a model; name its folder: method\.start=FOLDER"):
        go_on(silent)


def test_a_folder_that_is_not_there(silent):
    with pytest.raises(InputError, match="/no/such/model: no model folder here"):
        go_on(silent, method__start="/no/such/model")


def test_a_folder_that_is_no_model(silent, tiny_encoder):
    with pytest.raises(InputError, match="not a gleanner model"):
        go_on(silent, method__start=str(tiny_encoder))


def test_a_model_of_other_types(start, silent):
    strange = dataclasses.replace(silent[0], spans=(Span(0, 1, "ORG"),))
    with pytest.raises(InputError, match="the model to start from does not know the types ORG"):
        go_on([*silent, strange], method__start=start("linear"))


class Stopper(Silent):
    def __init__(self, steps):
        self.left = steps

    def step(self, done, loss, speed):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_a_killed_run_does_not_go_on_from_another_model(start, silent, tmp_path):
    model, output = tmp_path / "start", tmp_path / "model"
    Tagger.from_pretrained(start("linear")).save_pretrained(model)
    with pytest.raises(KeyboardInterrupt):
        go_on(silent[:8], output=output, reporter=Stopper(3), method__start=str(model))
    Tagger.from_pretrained(start("linear", 1)).save_pretrained(model)
    with pytest.raises(InputError, match="this folder holds a run on other data"):
        go_on(silent[:8], output=output, method__start=str(model))
    Tagger.from_pretrained(start("linear")).save_pretrained(model)
    resumed = go_on(silent[:8], output=output, method__start=str(model))
    straight = go_on(silent[:8], method__start=str(model))
    assert all(torch.equal(v, resumed.tagger.state_dict()[k]) for k, v in straight.tagger.state_dict().items())


def test_a_model_with_classes_that_mean_nothing_is_refused(tiny_encoder, tiny_sentences, tmp_path):
    data = Corpus([dataclasses.replace(sentence, complete=False) for sentence in tiny_sentences])
    settings = QUICK | {"training.epochs": 1}
    train(
        data,
        method="two-step",
        encoder=str(tiny_encoder),
        output=tmp_path / "start",
        settings=settings,
        reporter=Silent(),
    )
    with pytest.raises(InputError, match="the model has classes that mean no entity: non-entity"):
        train(data, method="self-training", settings={"method.start": str(tmp_path / "start")}, reporter=Silent())
