"""Looking at a training from outside: methods, stages and the loop are those of `gleanner train` and know nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from torch import Tensor

from gleanner.analyse.plan import Run
from gleanner.methods.load import build
from gleanner.model.feed import Feed
from gleanner.model.tagger import Tagger
from gleanner.training.reporter import Reporter
from gleanner.training.run import Trained, run
from gleanner.training.stage import Method, Progress, Refresh, Stage, Train
from gleanner.types import Corpus, Sentence


class Watch(Protocol):
    """Stands between a method and the loop: trains a stage, seen through whatever it wraps around the stage's parts."""

    def __call__(self, stage: Stage, train: Train) -> Tagger:
        """The trained model, the same as without being watched."""
        ...


class Watched:
    """A method whose stages are watched. No record of it is written, so it has no hyperparameters to be recorded."""

    def __init__(self, method: Method, watch: Watch) -> None:
        self.method, self.watch = method, watch
        self.__dataclass_fields__: dict[str, Any] = {}

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """What the method makes."""
        return self.method.fit(corpus, _Train(self.watch, train))


@dataclass(frozen=True)
class _Train:
    """What a watched method is given."""

    watch: Watch
    train: Train

    def __call__(self, stage: Stage) -> Tagger:
        """Trains a stage."""
        return self.watch(stage, self.train)

    def together(self, stages: Sequence[Stage]) -> list[Tagger]:
        """One after the other: what another process trains cannot be watched from here."""
        return [self(stage) for stage in stages]


@dataclass(frozen=True)
class Looking:
    """A refresh that is the stage's own, after which somebody looks.

    After it, because what the stage draws must not depend on the look; and the loop seeds anew before it trains on.
    """

    own: Refresh | None
    look: Callable[[Tagger, Feed, Progress], None]

    def __call__(self, tagger: Tagger, feed: Feed, progress: Progress, table: Tensor | None) -> Tensor | None:
        """The stage's own table."""
        found = table if self.own is None else self.own(tagger, feed, progress, table)
        self.look(tagger, feed, progress)
        return found


def watched(
    this: Run, corpus: Iterable[Sentence], watch: Watch, reporter: Reporter, dev: Iterable[Sentence] | None = None
) -> Trained:
    """Trains, with somebody looking on. Nothing is written."""
    settings = replace(this.settings, data=replace(this.settings.data, train=(), dev=None))
    method = Watched(build(this.settings.method), watch)
    return run(method, settings, corpus=Corpus(list(corpus)), dev=dev, reporter=reporter)
