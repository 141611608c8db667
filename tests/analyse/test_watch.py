"""To be watched changes nothing."""

from dataclasses import dataclass, replace

import pytest
import torch

from gleanner.analyse.confidence import Confidence, look_for
from gleanner.analyse.missampling import Missampling
from gleanner.analyse.o_values import OValues
from gleanner.analyse.watch import Looking, Watched, watched
from gleanner.training.reporter import Silent
from gleanner.training.run import run
from gleanner.training.stage import Progress, Stage
from gleanner.types import Corpus


def alone(stage, train):
    return train(stage)


def drawn(tagger, feed, progress, table):
    """A refresh that draws."""
    return torch.rand(feed.places, 1)


def by_table(scores, targets, progress):
    return targets.weight * (targets.table[:, 0] < 0.5)


class Drawing:
    """Gives a stage tables that are drawn, whoever watches."""

    def __init__(self, watch):
        self.watch = watch

    def __call__(self, stage, train):
        return self.watch(replace(stage, refresh=drawn, sampler=by_table), train)


def test_weights_are_those_of_an_unwatched_run(plan_of, half_hidden):
    (this,) = plan_of("plain", method__head="linear")
    watches = [
        Missampling(half_hidden),
        OValues(half_hidden, (0.1,)),
        Confidence(half_hidden, look_for(half_hidden, 2, 4, 0), 0.5),
    ]
    for wrap in (lambda watch: watch, Drawing):
        plain = watched(this, half_hidden.train, wrap(alone), Silent()).tagger.state_dict()
        for watch in watches:
            found = watched(this, half_hidden.train, wrap(watch), Silent()).tagger.state_dict()
            assert all(torch.equal(value, found[name]) for name, value in plain.items())


@pytest.mark.parametrize("own", [None, lambda tagger, feed, progress, table: "its own"])
def test_looking_comes_after_the_stages_own_refresh(own):
    looks = []
    refresh = Looking(own, lambda tagger, feed, progress: looks.append(progress.step))
    assert refresh(None, None, Progress(4, 2, 3), "old") == ("old" if own is None else "its own")
    assert looks == [4]


@dataclass(frozen=True)
class Twice:
    """A first stage on half of the sentences, a second that goes on from it on all."""

    def fit(self, corpus, train):
        first = train(Stage("first", Corpus(list(corpus)[1::2]), "linear", epochs=1))
        return train(Stage("second", corpus, "linear", start=first, epochs=2))


def test_all_stages_of_a_method_are_watched(plan_of, half_hidden):
    (this,) = plan_of("plain")
    count = Missampling(half_hidden)
    run(Watched(Twice(), count), this.settings, corpus=Corpus(half_hidden.train), reporter=Silent())
    assert [(epoch["stage"], epoch["epoch"]) for epoch in count.epochs] == [("first", 1), ("second", 1), ("second", 2)]
    words = [
        sum(len(s.words) - sum(e.end - e.start for e in s.entities) for s in part)
        for part in (half_hidden.train[1::2], half_hidden.train)
    ]
    assert [epoch["negatives"] for epoch in count.epochs] == [words[0], words[1], words[1]]

    spans = [span for span in look_for(half_hidden, 8, 4, 0) if span.sentence % 2]
    sure = Confidence(half_hidden, spans, 1.0)
    run(Watched(Twice(), sure), this.settings, corpus=Corpus(half_hidden.train), reporter=Silent())
    assert sure.epochs == [0, 1, 1, 2, 3]
    assert sure.values[1] == pytest.approx(sure.values[2], abs=1e-3)  # the second begins where the first ended


class Together:
    """Asks for all stages at once, as ensembles do."""

    def fit(self, corpus, train):
        return train.together([Stage(f"member-{k}", corpus, "linear", epochs=1, seed=k) for k in range(2)])[0]


def test_stages_that_could_be_trained_side_by_side_are_watched(plan_of, half_hidden):
    (this,) = plan_of("plain")
    count = Missampling(half_hidden)
    run(Watched(Together(), count), this.settings, corpus=Corpus(half_hidden.train), reporter=Silent())
    assert [epoch["stage"] for epoch in count.epochs] == ["member-0", "member-1"]
