import pytest

from gleanner.cli.several import spread


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["--train", "a", "b", "--dev", "d"], ["--train", "a", "--train", "b", "--dev", "d"]),
        (["--train", "a", "--train", "b", "c"], ["--train", "a", "--train", "b", "--train", "c"]),
        (["--train=a", "b", "x=1"], ["--train=a", "--train", "b", "x=1"]),
        (["--train", "x=1/a", "x=1", "b"], ["--train", "x=1/a", "x=1", "b"]),
        (["--train", "a", "--quiet", "b"], ["--train", "a", "--quiet", "b"]),
        (["--track", "wandb", "mlflow"], ["--track", "wandb", "--track", "mlflow"]),
        (["x=1", "--train", "a"], ["x=1", "--train", "a"]),
    ],
)
def test_several_values_after_one_option(given, meant):
    assert spread(given, ("--train", "--track")) == meant
