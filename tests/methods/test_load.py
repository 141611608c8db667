"""Names, modules and hyperparameters of methods."""

import pytest

from gleanner.errors import InputError
from gleanner.methods.load import build, load, names
from gleanner.methods.negative_sampling import NegativeSampling


def test_the_default_method():
    assert build({}) == NegativeSampling()


def test_hyperparameters_are_taken_over():
    assert build({"name": "negative-sampling", "rate": 0.7, "head": "crf"}) == NegativeSampling(rate=0.7, head="crf")


def test_a_loader_is_no_method():
    assert "load" not in names()


@pytest.mark.parametrize("name", ["negative_sampling", "load", "", "../plain", "None"])
def test_an_unknown_name_is_quoted_beside_the_known(name):
    with pytest.raises(
        InputError, match=f"no method is called {name!r}; choose one of: .*negative-sampling, nrces, plain"
    ):
        load(name)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "plain", "rate": 1}, r"plain has no setting 'method\.rate'; it has: head"),
        ({"rate": 0}, r"method\.rate: .*greater than 0, not 0"),
        ({"rate": float("inf")}, r"method\.rate: .*finite number, not inf"),
        ({"rate": "much"}, r"method\.rate: .*not 'much'"),
        ({"name": "weighted-sampling", "mu": 0.5}, r"method\.mu: .*greater than or equal to 1, not 0\.5"),
    ],
)
def test_a_wrong_hyperparameter_is_named_with_its_value(options, message):
    with pytest.raises(InputError, match=message):
        build(options)
