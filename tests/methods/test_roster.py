"""The parts of RoSTER, and all of them together."""

import dataclasses

import pytest
import torch

from gleanner.api import train
from gleanner.errors import InputError
from gleanner.methods.roster import (
    Mean,
    Robust,
    Trust,
    believed_labels,
    distillation,
    generalised_cross_entropy,
    trusted,
)
from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, HeadShape
from gleanner.model.units import Targets
from gleanner.training.reporter import Silent
from gleanner.training.scores import Scores
from gleanner.training.stage import Progress
from gleanner.types import Corpus, Sentence, Span

BEGIN = Progress(0, 10, 1)

# Generalised cross entropy


@pytest.mark.parametrize(("q", "expected"), [(0.5, 1.0), (0.7, 0.8872441), (1.0, 0.75), (0.0, 1.3862944)])
def test_generalised_cross_entropy_by_hand(q, expected):
    """(1 - .25^q) / q; of .25^.7 the logarithm is -.970406, so it is .378929."""
    assert generalised_cross_entropy(torch.tensor([0.25]).log(), q).item() == pytest.approx(expected, abs=1e-6)


def test_its_limits():
    log_p = torch.linspace(0.001, 1, 50).double().log()
    torch.testing.assert_close(generalised_cross_entropy(log_p, 1e-7), -log_p, rtol=1e-5, atol=1e-9)
    torch.testing.assert_close(generalised_cross_entropy(log_p, 1.0), 1 - log_p.exp())


@pytest.mark.parametrize("q", [0.0, 0.1, 0.7, 1.0])
def test_its_gradient(q):
    """Eq. 4: that of p, divided by p^(1 - q)."""
    logits = torch.randn(6, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).requires_grad_()
    assert torch.autograd.gradcheck(lambda z: generalised_cross_entropy(z.log_softmax(dim=1), q), (logits,))
    p = torch.tensor([0.2, 0.9], dtype=torch.float64, requires_grad=True)
    generalised_cross_entropy(p.log(), q).sum().backward()
    torch.testing.assert_close(p.grad, -(p.detach() ** (q - 1)))


@pytest.mark.parametrize("q", [0.0, 0.7, 1.0])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_it_is_safe_at_the_corners(q, dtype):
    logits = torch.tensor([[200.0, 0.0], [0.0, 200.0]], dtype=dtype, requires_grad=True)
    losses = generalised_cross_entropy(logits.log_softmax(dim=1)[:, 0], q)
    losses.sum().backward()
    assert losses[0] == 0
    assert losses.isfinite().all()
    assert logits.grad.isfinite().all()


# Labels that are left out


def labelled(*labels, known=None, weight=None):
    label = torch.tensor(labels)
    known = label > 0 if known is None else torch.tensor(known)
    return Targets(label, known, torch.ones(len(label)) if weight is None else torch.tensor(weight))


def test_believed_labels_by_hand():
    """tau .7. Words: O sure and unsure; A sure and unsure; B that looks like O, and its type like A."""
    p = torch.tensor(
        [[0.8, 0.1, 0.1], [0.6, 0.2, 0.2], [0.1, 0.8, 0.1], [0.1, 0.5, 0.4], [0.9, 0.0, 0.1], [0.9, 0.08, 0.02]]
    )
    found = believed_labels(p.log(), labelled(0, 0, 1, 1, 2, 2), 0.7)
    assert found[:, 0].tolist() == [1, 0, 1, 1, 1, 1]  # no entity's word leaves the binary part
    assert found[2:, 1].tolist() == [1, 0, 1, 0]


def test_what_somebody_said_is_no_entity_stays():
    p = torch.tensor([[0.6, 0.4], [0.6, 0.4]])
    assert believed_labels(p.log(), labelled(0, 0, known=[True, False]), 0.7)[:, 0].tolist() == [1, 0]


@pytest.mark.parametrize(("sure", "stay"), [(1, 1), (0, 10)])
def test_a_type_that_would_nearly_vanish_stays_whole(sure, stay):
    """Of ten words nine may go (90 %, not more); if all ten would, none does."""
    p = torch.tensor([[0.1, 0.88, 0.02]] * sure + [[0.1, 0.45, 0.45]] * (10 - sure))
    found = believed_labels(p.log(), labelled(*[1] * 10), 0.7)
    assert found[:, 1].sum() == stay


def test_a_type_with_one_example_keeps_it():
    assert believed_labels(torch.tensor([[0.1, 0.1, 0.8]]).log(), labelled(1), 0.7).tolist() == [[1, 1]]


def test_unknown_words_are_not_counted_for_a_type():
    """Nine unsure words and one sure one that is unknown: without it all would go, so all stay."""
    p = torch.tensor([[0.1, 0.88, 0.02]] + [[0.1, 0.45, 0.45]] * 9)
    found = believed_labels(p.log(), labelled(*[1] * 10, weight=[0.0] + [1.0] * 9), 0.7)
    assert found[:, 1].sum() == 10


def test_one_type_and_no_type():
    assert believed_labels(torch.tensor([[0.1, 0.9], [0.8, 0.2]]).log(), labelled(1, 0), 0.7).tolist() == [
        [1, 1],
        [1, 1],
    ]
    assert believed_labels(torch.tensor([[0.1, 0.9]]).log(), labelled(1), 0.7).tolist() == [[1, 1]]  # no O words


class Feed:
    """What `Trust` asks of a feed."""

    def __init__(self, targets):
        self._targets = targets

    def targets(self):
        return self._targets


class Given:
    """A tagger whose probabilities are given."""

    def __init__(self, probabilities):
        self.probabilities = probabilities

    def log_probabilities(self, feed):
        return self.probabilities.log()

    def cpu(self):
        return self


def test_half_of_the_silence_is_not_seen():
    count = 4000
    targets = labelled(*[0, 1] * (count // 2))
    torch.manual_seed(1)
    table = Trust(0.5, 0.7, 200)(None, Feed(targets), BEGIN, None)
    assert table[1::2].eq(1).all()  # entities are
    assert table[::2, 0].mean().item() == pytest.approx(0.5, abs=0.035)  # three standard deviations
    assert table[:, 1:].eq(1).all()
    torch.manual_seed(2)
    other = Trust(0.5, 0.7, 200)(None, Feed(targets), BEGIN, None)
    assert (other[::2, 0] == table[::2, 0]).float().mean().item() == pytest.approx(0.5, abs=0.035)
    assert Trust(0.0, 0.7, 200)(None, Feed(targets), BEGIN, None).eq(1).all()


def test_silence_that_means_something_is_seen():
    targets = labelled(*[0] * 50, known=[True] * 50)
    assert Trust(0.9, 0.7, 200)(None, Feed(targets), BEGIN, None).eq(1).all()


def test_belief_changes_now_and_then_and_what_is_not_seen_does_not():
    feed, unsure = Feed(labelled(0, 0, 1)), Given(torch.tensor([[0.5, 0.5]] * 3))
    trust, first = Trust(0.5, 0.7, 5), torch.tensor([[0.0, 1, 1], [1, 1, 1], [1, 1, 1]])
    for step in (0, 4, 6):
        assert trust(unsure, feed, Progress(step, 10, 1), first) is first
    assert trust(unsure, feed, Progress(5, 10, 1), first).tolist() == [[0, 0, 1], [1, 0, 1], [1, 1, 1]]
    assert Trust(0.5, 0.0, 5)(unsure, feed, Progress(5, 10, 1), first) is first


# Losses


class Fixed(Head):
    """Scores that are the words' vectors."""

    def forward(self, words, units, index=None):
        return words.start


def scores_of(units_of, probabilities):
    logits = torch.tensor(probabilities, dtype=torch.float64).log().requires_grad_()
    scores, _ = units_of([len(logits)], [len(logits)])
    head = Fixed(HeadShape(3, ("O", "A", "B"), 1, 0.0))
    return Scores(head, WordVectors(logits, logits), scores.units), logits


def gce(p, q=0.7):
    return (1 - p**q) / q


def test_the_robust_loss_by_hand(units_of):
    scores, _ = scores_of(units_of, [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2], [0.2, 0.6, 0.2], [0.7, 0.2, 0.1]])
    table = torch.tensor([[1.0, 1, 1], [1, 1, 1], [1, 1, 0], [0, 1, 1]])
    targets = labelled(0, 1, 2, 0)._replace(table=table)
    weights = trusted(scores, targets, BEGIN)
    assert weights.tolist() == [1, 1, 1, 0]
    # Of the third word only that it is an entity counts; of the last nothing.
    expected = gce(0.6) + gce(0.8) + gce(0.8) + gce(0.75)
    assert Robust(0.7)(scores, targets, weights, BEGIN).item() == pytest.approx(expected, rel=1e-5)


def test_a_batch_without_entities_or_without_o_words(units_of):
    for labels in ((0, 0), (1, 2)):
        scores, logits = scores_of(units_of, [[0.6, 0.2, 0.2], [0.2, 0.6, 0.2]])
        targets = labelled(*labels)._replace(table=torch.ones(2, 3))
        Robust(0.7)(scores, targets, targets.weight, BEGIN).backward()
        assert logits.grad.isfinite().all()


def test_distillation_by_hand(units_of):
    members = [
        Given(torch.tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])),
        Given(torch.tensor([[0.1, 0.5, 0.4], [0.5, 0.5, 0.0]])),
    ]
    table = Mean(members)(None, None, BEGIN, None)
    torch.testing.assert_close(table, torch.tensor([[0.3, 0.5, 0.2], [0.75, 0.25, 0.0]]))
    assert Mean(members)(None, None, BEGIN, table) is table
    scores, _ = scores_of(units_of, [[0.3, 0.5, 0.2], [0.5, 0.25, 0.25]])
    targets = labelled(0, 0)._replace(table=table)
    expected = 0.75 * torch.tensor(1.5).log().item()
    assert distillation(scores, targets, torch.ones(2), BEGIN).item() == pytest.approx(expected, rel=1e-4)
    assert distillation(scores, targets, torch.tensor([1.0, 0.0]), BEGIN).item() == pytest.approx(0, abs=1e-5)


# The method


@pytest.fixture(scope="module")
def silent(tiny_sentences):
    return [dataclasses.replace(sentence, complete=False) for sentence in tiny_sentences]


@pytest.fixture(scope="module")
def learn(tiny_encoder):
    def learn(sentences, dev=None, output=None, reporter=None, **settings):
        quick = {
            "training.epochs": 2,
            "training.batch_size": 4,
            "training.encoder_lr": 3e-3,
            "training.head_lr": 3e-3,
            "training.checkpoint_minutes": 0,
            "method.models": 2,
        }
        return train(
            Corpus(sentences),
            dev,
            method="roster",
            encoder=str(tiny_encoder),
            output=output,
            settings=quick | {key.replace("__", "."): value for key, value in settings.items()},
            reporter=reporter or Silent(),
        )

    return learn


def stages(trained):
    return list(dict.fromkeys(entry["stage"] for entry in trained.history))


WITHOUT = {"method__augment": False}


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (WITHOUT, ["member-1", "member-2", "ensemble", "self-training"]),
        (WITHOUT | {"method__models": 1}, ["member-1", "self-training"]),
        ({"method__self_training": False}, ["member-1", "member-2", "ensemble"]),
        ({"method__self_training": False, "method__models": 1, "method__q": 0, "method__tau": 0}, ["member-1"]),
    ],
)
def test_each_part_can_be_left_out(learn, silent, settings, expected):
    trained = learn(silent[:8], **settings)
    assert stages(trained) == expected
    assert trained.tagger.config.scheme == "IO"
    assert trained.tagger.config.head == "twofold"


def test_stages_have_epochs_and_rates_of_their_own(learn, silent):
    trained = learn(silent[:8], **WITHOUT, method__ensemble_epochs=3, method__self_training_epochs=1)
    last = {entry["stage"]: entry["epoch"] for entry in trained.history}
    assert last == {"member-1": 2, "member-2": 2, "ensemble": 3, "self-training": 1}


def test_without_an_augmenter_it_says_how_to_do_without(learn, silent, tmp_path):
    with pytest.raises(InputError, match=r"method\.augmenter, or train without .*: method\.augment=false"):
        learn(silent[:8], output=tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_an_augmenter_without_a_head_is_found_out_before_training(learn, silent, tiny_encoder, tmp_path):
    with pytest.raises(InputError, match="no masked-language-model head"):
        learn(silent[:8], output=tmp_path / "model", method__augmenter=str(tiny_encoder))
    assert not (tmp_path / "model").exists()


class Stopper(Silent):
    def __init__(self, steps):
        self.left = steps

    def step(self, done, loss, speed):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("steps", [3, 6, 10, 14, 22])
def test_a_killed_run_goes_on_wherever_it_was(learn, silent, tiny_mlm, tmp_path, steps):
    """Two steps an epoch: members to 8, the mean to 12, then eight sentences are rewritten, then self-training to 24."""
    options = {"method__augmenter": str(tiny_mlm), "method__every": 2, "method__targets_every": 2}
    straight = learn(silent[:8], output=tmp_path / "straight", **options)
    with pytest.raises(KeyboardInterrupt):
        learn(silent[:8], output=tmp_path / "killed", reporter=Stopper(steps), **options)
    resumed = learn(silent[:8], output=tmp_path / "killed", **options)
    assert stages(resumed) == ["member-1", "member-2", "ensemble", "self-training"]
    assert all(torch.equal(v, resumed.tagger.state_dict()[k]) for k, v in straight.tagger.state_dict().items())


def test_twins_matter(learn, silent, tiny_mlm):
    sure = {"method__threshold": 0}
    runs = [learn(silent[:8], **sure, **options) for options in (WITHOUT, {"method__augmenter": str(tiny_mlm)})]
    a, b = (run.tagger.state_dict() for run in runs)
    assert any(not torch.equal(value, b[name]) for name, value in a.items())


def test_members_and_the_rest_are_chosen_on_development_data(learn, silent, tiny_sentences):
    trained = learn(silent, tiny_sentences[:8], **WITHOUT)
    assert all("f1" in entry for entry in trained.history)


@pytest.mark.parametrize(
    "sentences",
    [
        [Sentence(("Ada", "wrote", "."), (Span(0, 1, "PER"),))] * 6,  # one type
        [Sentence(("Ada", "Ada"), (Span(0, 2, "PER"),))] * 6,  # no O words
        [*[Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),))] * 6, Sentence(("London",), (Span(0, 1, "LOC"),))],
    ],
    ids=["one type", "no O words", "one example"],
)
def test_small_worlds(learn, sentences):
    trained = learn(sentences, **WITHOUT, method__every=1, method__targets_every=1)
    assert all(value.isfinite().all() for value in trained.tagger.state_dict().values())
    assert all(entry["loss"] == entry["loss"] for entry in trained.history)


def test_with_bio_tags(learn, silent, tiny_sentences):
    trained = learn(silent, tiny_sentences, **WITHOUT, model__scheme="BIO", training__epochs=6, method__ensemble_rate=1)
    assert trained.tagger.config.scheme == "BIO"
    assert trained.best["f1"] > 0.7
