"""Whether a row is better than its baseline, or was lucky with these sentences and seeds.

The bootstrap of `gleanner.evaluation.compare`, over two kinds of luck at once. Each sample draws sentences, the same for all
runs, and seeds, the same for a row and its baseline, because a seed decides alike for both which entities are hidden and in
which order sentences come. The score of a row in a sample is the mean F1 over the seeds drawn. With one seed only sentences are
drawn, and what is found holds for the two models, not for the two methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gleanner.benchmark.counts import RunCounts
from gleanner.evaluation.bootstrap import Interval, Patterns, resample
from gleanner.evaluation.compare import p_value
from gleanner.evaluation.scores import Floats, ratios
from gleanner.evaluation.spans import Ints, number_rows

SAMPLES = 5000


class Difference(NamedTuple):
    """Of the F1 of a row and that of its baseline, as means over their common seeds."""

    f1: float
    interval: Interval
    """The middle 95% of the bootstrap samples."""
    p_value: float
    """Two-sided."""
    seeds: int


def differences(
    gold: Ints,
    rows: Mapping[str, Mapping[int, RunCounts]],
    baselines: Mapping[str, str],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> dict[str, Difference]:
    """Of each row that has a baseline beside itself and a common seed with it. `rows` has runs by seed.

    A row that does not depend on a seed has one run, of seed 0, which is compared with each run of the other row.

    >>> gold = np.array([1, 1])
    >>> better, worse = RunCounts(np.array([1, 1]), np.array([1, 1])), RunCounts(np.array([1, 0]), np.array([1, 0]))
    >>> found = differences(gold, {"a": {1: better}, "b": {1: worse}}, {"a": "b", "b": "b"})
    >>> round(found["a"].f1, 3), found["a"].interval, "b" in found
    (0.333, Interval(low=0.0, high=1.0), False)
    """
    runs = [(name, number) for name, of_row in rows.items() for number in of_row]
    if not runs or not len(gold):
        return {}
    rng = np.random.default_rng(seed)
    columns = [gold, *(column for name, number in runs for column in rows[name][number])]
    drawn = resample(_patterns(np.stack(columns)), samples, rng)  # samples x columns
    whole = np.stack(columns, axis=1).sum(axis=0, keepdims=True)
    drawn_f1 = {run: _f1(drawn, place) for place, run in enumerate(runs)}  # of each: samples
    whole_f1 = {run: _f1(whole, place) for place, run in enumerate(runs)}  # of each: 1
    found = {}
    for name, baseline in baselines.items():
        pairs = _pairs(rows.get(name, {}), rows.get(baseline, {})) if name != baseline else []
        if pairs:
            of_pair = np.stack([drawn_f1[name, a] - drawn_f1[baseline, b] for a, b in pairs])  # pairs x samples
            chosen = rng.integers(0, len(pairs), of_pair.shape)
            difference = np.take_along_axis(of_pair, chosen, axis=0).mean(axis=0)  # samples
            observed = float(np.mean([whole_f1[name, a] - whole_f1[baseline, b] for a, b in pairs]))
            found[name] = Difference(observed, Interval.of(difference), p_value(difference), len(pairs))
    return found


def _pairs(a: Mapping[int, RunCounts], b: Mapping[int, RunCounts]) -> list[tuple[int, int]]:
    if set(a) == {0} or set(b) == {0}:
        return [(one, other) for one in a for other in b]
    return [(number, number) for number in a if number in b]


def _patterns(columns: Ints) -> Patterns:
    """Sentences that are alike in all runs are one pattern: most often those in which nobody found anything."""
    numbers, examples = number_rows(*columns)
    return Patterns(columns[:, examples].T, np.bincount(numbers))


def _f1(summed: Ints, place: int) -> Floats:
    return ratios(summed[:, [1 + 2 * place, 2 + 2 * place, 0]])[2]
