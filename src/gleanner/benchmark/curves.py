"""Learning curves: development F1 by epoch, drawn as SVG by hand, because a report needs no more than lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import mean
from typing import Any

from gleanner.html import COLOURS, plain

Point = tuple[float, float]

WIDTH, HEIGHT = 560, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 10, 34


@dataclass(frozen=True)
class Curve:
    """Of a row: its mean over the seeds, and each seed."""

    name: str
    seeds: tuple[tuple[tuple[Point, ...], ...], ...]
    """For each seed the lines of its stages: epochs of all stages so far, F1."""

    @classmethod
    def of(cls, name: str, histories: Sequence[Sequence[Mapping[str, Any]]]) -> Curve:
        """From the histories of the seeds."""
        return cls(name, tuple(_stages(history) for history in histories))

    @property
    def mean(self) -> tuple[tuple[Point, ...], ...]:
        """Of the seeds, where all have been; a run that stopped early ends the mean there."""
        stages = zip(*self.seeds, strict=False)
        return tuple(
            tuple((points[0][0], mean(f1 for _, f1 in points)) for points in zip(*lines, strict=False))
            for lines in stages
        )


def _stages(history: Sequence[Mapping[str, Any]]) -> tuple[tuple[Point, ...], ...]:
    lines: list[list[Point]] = []
    stage, begun, last = None, 0.0, 0.0
    for entry in history:
        if not lines or entry.get("stage") != stage:
            stage, begun = entry.get("stage"), last
            lines.append([])
        last = begun + entry["epoch"]
        if entry.get("f1") is not None:
            lines[-1].append((last, entry["f1"]))
    return tuple(tuple(line) for line in lines)


def highest(curves: Iterable[Curve]) -> float:
    """Where the axis of F1 ends, which charts that are compared should share."""
    scores = (f1 for curve in curves for seed in curve.seeds for line in seed for _, f1 in line)
    return max(0.1, ceil(10 * max(scores, default=0.0)) / 10)


def drawn(curves: Sequence[Curve], title: str, top: float) -> str:
    """One SVG: thick lines are means, thin ones seeds. Colours are classes, so that a page may be dark."""
    epochs = [epoch for curve in curves for seed in curve.seeds for line in seed for epoch, _ in line]
    if not epochs:
        return ""
    right = max(1.0, *epochs)
    across, up = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def place(point: Point) -> str:
        return f"{_LEFT + point[0] / right * across:.1f},{_TOP + (1 - point[1] / top) * up:.1f}"

    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{plain(title)}</title>']
    for tick in _ticks(top * 100):
        x, y = place((0, tick / 100)).split(",")
        parts.append(f'<line class="grid" x1="{x}" y1="{y}" x2="{WIDTH - _RIGHT}" y2="{y}"/>')
        parts.append(f'<text class="y" x="{_LEFT - 6}" y="{float(y) + 4:.1f}">{tick:g}</text>')
    for tick in _ticks(right):
        x = place((tick, 0)).split(",")[0]
        parts.append(f'<text class="x" x="{x}" y="{HEIGHT - _BOTTOM + 16}">{tick:g}</text>')
    parts.append(f'<text class="x" x="{_LEFT + across / 2:.0f}" y="{HEIGHT - 3}">epoch</text>')
    for number, curve in enumerate(curves):
        colour = look(number)
        for line in (line for seed in curve.seeds for line in seed if len(curve.seeds) > 1 and line):
            parts.append(f'<polyline class="seed {colour}" points="{" ".join(map(place, line))}"/>')
        for line in (line for line in curve.mean if line):
            parts.append(f'<polyline class="{colour}" points="{" ".join(map(place, line))}"/>')
            for point in line:
                told = f"{plain(curve.name)}, epoch {point[0]:g}: F1 {100 * point[1]:.1f}"
                x, y = place(point).split(",")
                parts.append(f'<circle class="{colour}" cx="{x}" cy="{y}" r="2.6"><title>{told}</title></circle>')
    return "\n".join([*parts, "</svg>"])


def look(number: int) -> str:
    """The classes of a curve. Where there are more curves than colours, they have them again, dashed.

    >>> look(1), look(9)
    ('c1', 'c1 again')
    """
    return f"c{number % COLOURS}" + (" again" if number >= COLOURS else "")


def _ticks(most: float) -> list[float]:
    """Round numbers from 0 on, eight at most.

    >>> _ticks(20), _ticks(3)
    ([0.0, 5.0, 10.0, 15.0, 20.0], [0.0, 1.0, 2.0, 3.0])
    """
    step = next(step for step in (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 500.0, 1e9) if most / step <= 6)
    return [step * number for number in range(int(most / step + 1e-9) + 1)]
