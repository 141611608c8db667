"""Training that takes a second."""

import pytest

from gleanner.api import train
from gleanner.training.reporter import Silent
from gleanner.types import Corpus

QUICK = {
    "training.epochs": 3,
    "training.batch_size": 4,
    "training.encoder_lr": 3e-3,
    "training.head_lr": 3e-3,
    "training.precision": "fp32",
    "model.max_width": 4,
    "method.head": "linear",
}


class Listener(Silent):
    """Remembers what a run says, and may end it: `stop` is an event and how many times it must have happened."""

    def __init__(self, stop=None):
        self.stop = stop
        self.notes, self.stages, self.steps, self.entries = [], [], [], []

    def note(self, text):
        self.notes.append(text)

    def begin(self, stage, done, steps):
        self.stages.append((stage, done, steps))

    def step(self, done, loss, speed):
        self.steps.append(done)
        self._happened("step", len(self.steps))

    def evaluated(self, entry):
        self.entries.append(entry)
        self._happened("evaluated", len(self.entries))

    def _happened(self, event, times):
        if self.stop == (event, times):
            raise KeyboardInterrupt


@pytest.fixture
def listener():
    return Listener


@pytest.fixture(scope="session")
def learn(tiny_encoder):
    """Trains on sentences; settings by dotted name, with `__` for the dot."""

    def learn(sentences, dev=None, *, method="plain", encoder=None, output=None, seed=0, reporter=None, **settings):
        return train(
            Corpus(sentences),
            dev,
            method=method,
            encoder=encoder or str(tiny_encoder),
            output=output,
            seed=seed,
            settings=QUICK | {key.replace("__", "."): value for key, value in settings.items()},
            reporter=reporter or Silent(),
        )

    return learn
