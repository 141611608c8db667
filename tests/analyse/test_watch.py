"""To be watched changes nothing."""

import pytest
import torch

from gleanner.analyse.confidence import Confidence, look_for
from gleanner.analyse.missampling import Missampling
from gleanner.analyse.o_values import OValues
from gleanner.analyse.watch import Looking, watched
from gleanner.training.reporter import Silent
from gleanner.training.stage import Progress


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
        from dataclasses import replace

        return self.watch(replace(stage, refresh=drawn, sampler=by_table), train)


def test_weights_are_those_of_an_unwatched_run(plan_of, half_hidden):
    (run,) = plan_of("plain", method__head="linear")
    watches = [
        Missampling(half_hidden),
        OValues(half_hidden, (0.1,)),
        Confidence(half_hidden, look_for(half_hidden, 2, 4, 0), 0.5),
    ]
    for wrap in (lambda watch: watch, Drawing):
        plain = watched(run, half_hidden.train, wrap(alone), Silent()).tagger.state_dict()
        for watch in watches:
            found = watched(run, half_hidden.train, wrap(watch), Silent()).tagger.state_dict()
            assert all(torch.equal(value, found[name]) for name, value in plain.items())


@pytest.mark.parametrize("own", [None, lambda tagger, feed, progress, table: "its own"])
def test_looking_comes_after_the_stages_own_refresh(own):
    looks = []
    refresh = Looking(own, lambda tagger, feed, progress: looks.append(progress.step))
    assert refresh(None, None, Progress(4, 2, 3), "old") == ("old" if own is None else "its own")
    assert looks == [4]
