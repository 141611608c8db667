"""How far a stage is, and what it refuses."""

import pytest

from gleanner.errors import InputError
from gleanner.training.losses.nrces import Nrces
from gleanner.training.stage import Progress, Stage
from gleanner.types import Corpus


@pytest.mark.parametrize(("step", "epoch"), [(0, 0), (3, 0), (4, 1), (11, 2), (12, 2)])
def test_the_epoch_of_a_step(step, epoch):
    assert Progress(step, steps_per_epoch=4, epochs=3).epoch == epoch


def test_a_loss_of_units_is_refused_to_a_head_of_sequences():
    message = "the loss nrces counts each unit by itself, and the head 'crf' scores sequences; choose another head"
    with pytest.raises(InputError, match=message):
        Stage("one", Corpus([]), "crf", loss=Nrces())
    Stage("one", Corpus([]), "crf")
    Stage("one", Corpus([]), "linear", loss=Nrces())
