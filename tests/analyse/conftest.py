"""Hidden entities in tiny sentences, and trainings that take a second."""

import pytest

from gleanner.analyse.plan import runs
from gleanner.analyse.truth import Truth

QUICK = {
    "training.epochs": 3,
    "training.batch_size": 4,
    "training.encoder_lr": 3e-3,
    "training.head_lr": 3e-3,
    "training.precision": "fp32",
    "model.max_width": 4,
}


@pytest.fixture(scope="session")
def half_hidden(tiny_sentences):
    """The tiny sentences with half of their entities hidden."""
    return Truth.masked(tiny_sentences, 0.5, 0)


@pytest.fixture(scope="session")
def plan_of(tiny_encoder):
    """Runs of methods and seeds; settings by dotted name, with `__` for the dot."""

    def plan_of(*methods, seeds=(0,), **settings):
        overrides = QUICK | {key.replace("__", "."): value for key, value in settings.items()}
        return runs(methods, seeds, {"encoder": str(tiny_encoder)}, overrides)

    return plan_of
