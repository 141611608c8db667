import pytest

from gleanner import InputError
from gleanner.analyse.plan import named, runs


def test_each_method_with_each_seed():
    made = runs(["plain", "negative-sampling"], [3, 4], {}, {"training.epochs": 2, "negative-sampling.rate": 0.5})
    assert [(run.name, run.seed) for run in made] == [
        ("plain", 3),
        ("plain", 4),
        ("negative-sampling", 3),
        ("negative-sampling", 4),
    ]
    assert {run.settings.training.epochs for run in made} == {2}
    assert made[0].settings.method == {"name": "plain"}
    assert made[2].settings.method == {"name": "negative-sampling", "rate": 0.5}
    assert {name: len(found) for name, found in named(made).items()} == {"plain": 2, "negative-sampling": 2}


def test_hyperparameters_of_a_file_are_those_of_its_method():
    raw = {"method": {"name": "negative-sampling", "rate": 0.9}, "training": {"epochs": 4}}
    sampling, plain = runs(["negative-sampling", "plain"], [0], raw, {"method.head": "concat"})
    assert sampling.settings.method == {"name": "negative-sampling", "rate": 0.9, "head": "concat"}
    assert plain.settings.method == {"name": "plain", "head": "concat"}


@pytest.mark.parametrize("key", ["seed", "data.train", "method.name"])
def test_what_has_an_option_cannot_be_overridden(key):
    with pytest.raises(InputError, match=key):
        runs(["plain"], [0], {}, {key: "x"})


def test_unknown_settings_are_errors():
    with pytest.raises(InputError, match="crf"):
        runs(["plain"], [0], {}, {"crf.rate": 1})
