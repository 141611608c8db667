"""What an analysis trains: methods and seeds, with the settings of `gleanner train`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gleanner.errors import InputError
from gleanner.training.settings import Settings, check, override


@dataclass(frozen=True)
class Run:
    """One training, and the name of its line in tables and plots."""

    name: str
    settings: Settings

    @property
    def seed(self) -> int:
        """Of everything random in it."""
        return self.settings.seed


def runs(
    methods: Sequence[str], seeds: Sequence[int], raw: Mapping[str, Any], overrides: Mapping[str, Any]
) -> list[Run]:
    """Each method with each seed. An override that begins with a method's name is for that method alone.

    >>> [(run.name, run.settings.method["rate"]) for run in runs(
    ...     ["negative-sampling", "weighted-sampling"], [0], {}, {"method.rate": 0.5, "weighted-sampling.rate": 0.7})]
    [('negative-sampling', 0.5), ('weighted-sampling', 0.7)]
    """
    for key in overrides:
        if key.startswith("data.") or key in ("seed", "method.name"):
            raise InputError(
                f"{key} cannot be overridden here", remedy="use --gold, --train, --dev, --seed and --method"
            )
    found = []
    for name in methods:
        given = raw.get("method") or {}
        chosen = override({**raw, "method": given if given.get("name") == name else {}}, {"method.name": name})
        shared = {key: value for key, value in overrides.items() if key.partition(".")[0] not in methods}
        own = {
            f"method.{key.partition('.')[2]}": value
            for key, value in overrides.items()
            if key.partition(".")[0] == name
        }
        found += [Run(name, check(override(chosen, {**shared, **own, "seed": seed}))) for seed in seeds]
    return found


def named(runs: Sequence[Run]) -> dict[str, list[Run]]:
    """The runs of each name, in order."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        found.setdefault(run.name, []).append(run)
    return found
