import pytest

from gleanner import InputError
from gleanner.analyse.keep import Keep

WHAT = {"analysis": "test", "data": "a"}


class Make:
    def __init__(self):
        self.times = 0

    def __call__(self):
        self.times += 1
        return {"times": self.times}


def test_nothing_is_made_twice(tmp_path, plan_of):
    (run,), make, said = plan_of("plain"), Make(), []
    keep = Keep(tmp_path, said.append)
    assert keep(run, WHAT, make) == keep(run, WHAT, make) == {"times": 1}
    assert said == ["plain, seed 0", "plain, seed 0: is there already"]
    assert [path.name.rpartition("-")[0] for path in (tmp_path / "runs").iterdir()] == ["test-plain-0"]


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"seeds": (1,)}, {}),
        ({"training__epochs": 9}, {}),
        ({"method__head": "linear"}, {}),
        ({}, {"data": "b"}),
        ({}, {"part": "x"}),
    ],
)
def test_other_runs_are_other_results(tmp_path, plan_of, settings, what):
    keep, make = Keep(tmp_path), Make()
    keep(*plan_of("plain"), WHAT, make)
    assert keep(*plan_of("plain", **settings), WHAT | what, make) == {"times": 2}


def test_a_default_that_is_written_out_is_the_same(tmp_path, plan_of):
    keep, make = Keep(tmp_path), Make()
    keep(*plan_of("plain"), WHAT, make)
    assert keep(*plan_of("plain", method__head="concat"), WHAT, make) == {"times": 1}


def test_without_a_folder_nothing_is_kept(plan_of):
    keep, make = Keep(None), Make()
    keep(*plan_of("plain"), WHAT, make)
    assert keep(*plan_of("plain"), WHAT, make) == {"times": 2}


def test_a_damaged_result_is_an_error(tmp_path, plan_of):
    keep = Keep(tmp_path)
    keep(*plan_of("plain"), WHAT, Make())
    next((tmp_path / "runs").iterdir()).write_text("{")
    with pytest.raises(InputError, match="remove it to train again"):
        keep(*plan_of("plain"), WHAT, Make())
