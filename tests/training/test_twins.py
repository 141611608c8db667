"""Stages that have the same sentences in other words."""

from dataclasses import replace
from typing import Any, ClassVar

import pytest
import torch

from gleanner.errors import InputError
from gleanner.model.encoder import WordVectors
from gleanner.model.examples import encode
from gleanner.model.feed import Feed
from gleanner.model.heads.head import HeadShape
from gleanner.model.heads.linear import Linear
from gleanner.model.units import Units
from gleanner.training.fit import StageModel
from gleanner.training.run import run
from gleanner.training.scores import Scores
from gleanner.training.settings import check
from gleanner.training.stage import Progress, Stage, cross_entropy, everything
from gleanner.types import Corpus


def test_a_twin_is_encoded_once_and_only_when_asked_for():
    head = Linear(HeadShape(size=4, classes=("O", "I-PER"), max_width=1, dropout=0.0))
    place, calls = torch.arange(3), []
    units = Units(torch.zeros(3, dtype=torch.long), place, place, torch.tensor([3]), torch.tensor([3]), place)

    def encode():
        calls.append(1)
        return WordVectors(torch.ones(3, 4), torch.ones(3, 4))

    scores = Scores(head, WordVectors(torch.zeros(3, 4), torch.zeros(3, 4)), units, encode)
    scores.logits()
    assert calls == []
    torch.testing.assert_close(scores.twin.logits(), head.scorer(torch.ones(3, 4)))
    assert scores.twin.twin is None
    assert scores.twin.units is units
    assert calls == [1]
    assert Scores(head, scores.words, units).twin is None


class Twinned:
    """Two stages that read one twin each."""

    __dataclass_fields__: ClassVar[dict[str, Any]] = {}

    def __init__(self, twin, loss, head="linear"):
        self.twin, self.loss, self.head, self.made = twin, loss, head, 0

    def _rewritten(self, corpus):
        self.made += 1
        for sentence in corpus:
            yield replace(sentence, words=tuple(self.twin(word) for word in sentence.words), spans=())

    def fit(self, corpus, train):
        twin = Corpus(lambda: self._rewritten(corpus))
        return train(Stage("twinned", corpus, self.head, twin=twin, loss=self.loss))


def both(scores, targets, weights, progress):
    """Cross entropy here and on the twin."""
    return sum(cross_entropy(part, targets, weights, progress) for part in (scores, scores.twin))


@pytest.fixture
def fit(tiny_sentences, tiny_encoder, listener):
    training = {"epochs": 2, "batch_size": 4, "encoder_lr": 3e-3, "head_lr": 3e-3, "checkpoint_minutes": 0}
    settings = check({"encoder": str(tiny_encoder), "training": training, "model": {"max_width": 4}})

    def fit(method, output=None, reporter=None, sentences=tiny_sentences[:16]):
        return run(method, settings, output, corpus=Corpus(sentences), reporter=reporter or listener())

    return fit


@pytest.mark.parametrize("head", ["linear", "interaction"])
def test_losses_see_the_scores_of_the_same_units(fit, tiny_sentences, head):
    """Those that a model gives the other sentences when it reads them alone."""
    tagger = fit(Twinned(str, cross_entropy, head)).tagger
    tagger.precision = "fp32"
    sentences = tiny_sentences[:8]
    others = [
        replace(s, words=tuple("London" if k % 2 else w for k, w in enumerate(s.words)), spans=()) for s in sentences
    ]
    twin = encode(others, labels=tagger.config.labels)
    feed = Feed(encode(sentences, labels=tagger.config.labels), tagger.encoder, tagger.kind, twin)
    alone = tagger.logits(tagger.feed(others))
    seen = []

    def loss(scores, targets, weights, progress):
        torch.testing.assert_close(scores.twin.logits(), alone[scores.units.place], atol=1e-4, rtol=1e-4)
        seen.extend(scores.units.place.tolist())
        return cross_entropy(scores.twin, targets, weights, progress)

    model = StageModel(tagger.eval(), everything, loss)
    for rows in feed.shuffled(3, (0,)):
        model(feed.batch(rows), Progress(0, 1, 1), None)
    assert len(seen) == len(set(seen)) == int((feed.targets().weight > 0).sum())


def test_a_twin_is_made_once_and_kept(fit, listener, tmp_path):
    method = Twinned(lambda word: "never", both)
    straight = fit(method, tmp_path / "straight")
    assert method.made == 1
    heard = listener()
    with pytest.raises(KeyboardInterrupt):
        fit(method, tmp_path / "killed", listener(stop=("step", 16 + 3)))  # 16 sentences are rewritten first
    assert method.made == 2
    trained = fit(method, tmp_path / "killed", heard)
    assert method.made == 2
    assert heard.stages == [("twinned", 2, 8)]
    assert all(torch.equal(v, trained.tagger.state_dict()[k]) for k, v in straight.tagger.state_dict().items())


def test_a_run_that_is_killed_while_its_twin_is_made_makes_it_again(fit, listener, tmp_path):
    method = Twinned(lambda word: "never", both)
    with pytest.raises(KeyboardInterrupt):
        fit(method, tmp_path / "killed", listener(stop=("step", 5)))
    heard = listener()
    fit(method, tmp_path / "killed", heard)
    assert method.made == 2
    assert heard.stages == [("twinned: rewriting sentences", 0, 16), ("twinned", 0, 8)]


def test_words_that_training_never_saw_are_read(fit):
    """The embedding holds what the twin needs, too."""
    assert fit(Twinned(lambda word: "friends", both)).history[-1]["loss"] > 0


def test_a_twin_has_as_many_words(fit):
    class Shorter(Twinned):
        def _rewritten(self, corpus):
            yield from (replace(sentence, words=sentence.words[:1], spans=()) for sentence in corpus)

    with pytest.raises(InputError, match="the twin of stage 'twinned' has not as many words as the corpus"):
        fit(Shorter(str, both))


def test_a_seed_decides_the_twin(fit, tiny_sentences):
    """What is drawn while the twin is read comes from the loop's seed, whatever happened before."""
    seen = []

    class Drawn(Twinned):
        def _rewritten(self, corpus):
            seen.append(torch.rand(1).item())
            yield from corpus

    for seed in (3, 4):
        torch.manual_seed(seed)
        fit(Drawn(str, both))
    assert seen[0] == seen[1]
