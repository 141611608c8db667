"""Names, modules and settings, for all that is found by its name."""

import subprocess
import sys
from dataclasses import FrozenInstanceError

import pytest

from gleanner.errors import InputError
from gleanner.methods.compose import Compose
from gleanner.methods.load import METHODS
from gleanner.model.heads.head import HEADS
from gleanner.named import described, name_of
from gleanner.training.losses.nrces import Nrces
from gleanner.training.parts import LOSSES, SAMPLERS
from gleanner.training.samplers.similar import Similar

PARTS = [(named, name) for named in (SAMPLERS, LOSSES) for name in named.names()]


@pytest.mark.parametrize(
    ("named", "some"),
    [
        (METHODS, {"plain", "weighted-sampling"}),
        (HEADS, {"concat", "crf"}),
        (SAMPLERS, {"everything", "share", "similar", "uniform", "weighted"}),
        (LOSSES, {"cross-entropy", "nrces"}),
    ],
)
def test_names(named, some):
    assert some <= set(named.names())
    assert not {"load", "head", "__init__"} & set(named.names())
    for name in named.names():
        cls = named.load(name)
        assert cls.__module__ == f"{named.package.__name__}.{name.replace('-', '_')}"


@pytest.mark.parametrize(("named", "name"), PARTS + [(METHODS, name) for name in METHODS.names()])
def test_the_summary_is_the_docstring_s_first_line(named, name):
    assert named.summary(name) == named.load(name).__doc__.partition("\n")[0]


@pytest.mark.parametrize(("named", "name"), PARTS)
def test_parts_are_frozen_and_documented(named, name):
    part = named.load(name)()
    assert part == named.load(name)()
    hash(part)
    assert [field for field, info in type(part).__pydantic_fields__.items() if not info.description] == []
    assert named.build(described(part), "method.part") == part
    with pytest.raises(FrozenInstanceError):
        part.rate = 1.0


@pytest.mark.parametrize(
    ("named", "options", "message"),
    [
        (
            SAMPLERS,
            {"ratio": 0.1},
            r"method\.sampler has no name; choose one: method\.sampler\.name=everything\|share\|",
        ),
        (SAMPLERS, {"name": "magic"}, r"no sampler is called 'magic'; choose one of: everything, share, similar"),
        (SAMPLERS, {"name": 3}, r"no sampler is called '3'"),
        (
            SAMPLERS,
            {"name": "similar", "rate": 1},
            r"similar has no setting 'method\.sampler\.rate'; it has: ratio, sel",
        ),
        (
            SAMPLERS,
            {"name": "everything", "rate": 1},
            r"everything has no setting 'method\.sampler\.rate'; it has: none",
        ),
        (SAMPLERS, {"name": "similar", "ratio": 0}, r"method\.sampler\.ratio: .*greater than 0, not 0"),
        (SAMPLERS, {"name": "similar", "ratio": 1.5}, r"method\.sampler\.ratio: .*less than or equal to 1, not 1\.5"),
        (
            SAMPLERS,
            {"name": "similar", "select": "middle"},
            r"method\.sampler\.select: .*'top' or 'bottom', not 'middle'",
        ),
        (SAMPLERS, {"name": "share", "share": -1}, r"method\.sampler\.share: .*greater than 0, not -1"),
        (SAMPLERS, {"name": "uniform", "rate": "much"}, r"method\.sampler\.rate: .*not 'much'"),
        (SAMPLERS, {"name": "weighted", "mu": 0.5}, r"method\.sampler\.mu: .*greater than or equal to 1, not 0\.5"),
        (LOSSES, {"name": "nrces", "w": 0}, r"method\.loss\.w: .*greater than 0, not 0"),
        (LOSSES, {"name": "nrces", "w": float("nan")}, r"method\.loss\.w: .*finite number, not nan"),
        (
            LOSSES,
            {"name": "nrces", "unitwise": False},
            r"nrces has no setting 'method\.loss\.unitwise'; it has: w, without",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_value(named, options, message):
    with pytest.raises(InputError, match=message):
        named.build(options, f"method.{named.kind}")
    with pytest.raises(InputError, match=message):
        METHODS.build({"name": "compose", named.kind: options}, "method")


@pytest.mark.parametrize("given", [None, 3, ["similar"], Similar])
def test_what_is_no_part(given):
    with pytest.raises(InputError, match=r"method\.sampler: .* is no sampler; choose one of: everything, "):
        Compose(sampler=given)


def test_a_part_that_no_record_could_name():
    with pytest.raises(
        InputError, match=r"method\.sampler: <function .* is no dataclass, .*; make it a frozen dataclass"
    ):
        Compose(sampler=lambda scores, targets, progress: targets.weight)


def test_a_part_is_given_by_settings_by_name_or_as_it_is():
    whole = {"name": "compose", "sampler": {"name": "similar", "ratio": 0.1}, "loss": "nrces"}
    built = METHODS.build(whole, "method")
    assert built == Compose(sampler=Similar(ratio=0.1), loss=Nrces())
    assert described(built) == {
        "name": "compose",
        "sampler": {"name": "similar", "ratio": 0.1, "select": "top", "features": "hidden"},
        "loss": {"name": "nrces", "w": 5.0, "without": None},
        "head": "concat",
    }
    assert METHODS.build(described(built), "method") == built
    assert name_of(built.sampler) == "similar"


def test_names_are_found_without_torch():
    program = "import sys; from gleanner.methods.load import names, summary; names(), summary('compose')"
    subprocess.run([sys.executable, "-c", f"{program}; sys.exit('torch' in sys.modules)"], check=True)
