"""The pictures of the report: SVG by hand, because it needs no more than bars and a line. Colours are classes of the page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gleanner.html import COLOURS, plain

WIDTH = 560
_NAME, _NUMBER, _BAR, _GAP = 130, 110, 20, 8
_CURVE_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 260, 52, 14, 12, 36
_NAME_LETTERS = 18


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: what is named, how long it is, how much of it is filled, and what stands behind it."""

    name: str
    length: float
    filled: float
    """From 0 to `length`; the rest is pale."""
    note: str


def bars(title: str, rows: Sequence[Bar]) -> str:
    """Bars under each other, the longest as long as there is room."""
    if not rows:
        return ""
    room = WIDTH - _NAME - _NUMBER
    most = max(row.length for row in rows) or 1
    height = len(rows) * (_BAR + _GAP)
    parts = [_open(title, height)]
    for number, row in enumerate(rows):
        top = number * (_BAR + _GAP) + _GAP // 2
        length, filled = (room * value / most for value in (row.length, row.filled))
        name = row.name if len(row.name) <= _NAME_LETTERS else row.name[: _NAME_LETTERS - 1] + "…"
        told = plain(f"{row.name}: {row.note}")
        parts.append(f'<g class="c{number % COLOURS}"><title>{told}</title>')
        parts.append(f'<text class="y" x="{_NAME - 8}" y="{top + 14}">{plain(name)}</text>')
        parts.append(f'<rect class="pale" x="{_NAME}" y="{top}" width="{length:.1f}" height="{_BAR}"/>')
        parts.append(f'<rect x="{_NAME}" y="{top}" width="{filled:.1f}" height="{_BAR}"/>')
        parts.append(f'<text x="{_NAME + length + 6:.1f}" y="{top + 14}">{plain(row.note)}</text></g>')
    return "\n".join([*parts, "</svg>"])


def columns(title: str, counts: Mapping[str, int], below: str) -> str:
    """Columns beside each other, with their share above and their name below."""
    total = sum(counts.values())
    if not total:
        return ""
    height, floor = _CURVE_HEIGHT, _CURVE_HEIGHT - _BOTTOM
    step = (WIDTH - _LEFT - _RIGHT) / len(counts)
    most = max(counts.values())
    parts = [_open(title, height)]
    for number, (name, value) in enumerate(counts.items()):
        tall = (floor - _TOP - 16) * value / most
        x, middle = _LEFT + number * step + step * 0.15, _LEFT + (number + 0.5) * step
        parts.append(f'<g class="c0"><title>{plain(f"{name}: {value:,}")}</title>')
        parts.append(f'<rect x="{x:.1f}" y="{floor - tall:.1f}" width="{step * 0.7:.1f}" height="{tall:.1f}"/>')
        parts.append(f'<text class="x" x="{middle:.1f}" y="{floor - tall - 5:.1f}">{_share(value / total)}</text>')
        parts.append(f'<text class="x" x="{middle:.1f}" y="{floor + 15}">{plain(name)}</text></g>')
    parts.append(f'<text class="x" x="{WIDTH / 2:.0f}" y="{height - 3}">{plain(below)}</text>')
    return "\n".join([*parts, "</svg>"])


def ranks(title: str, points: Sequence[tuple[int, int]]) -> str:
    """How often the term of each rank was found, both axes logarithmic: a straight line where Zipf's law holds."""
    if len(points) < 2:
        return ""
    right = max(1.0, math.log10(points[-1][0]))
    top = max(1.0, math.log10(points[0][1]))
    across, up = WIDTH - _LEFT - _RIGHT, _CURVE_HEIGHT - _TOP - _BOTTOM

    def place(rank: float, count: float) -> tuple[float, float]:
        return _LEFT + across * math.log10(rank) / right, _TOP + up * (1 - math.log10(count) / top)

    parts = [_open(title, _CURVE_HEIGHT)]
    for power in range(int(top) + 1):
        _, y = place(1, 10**power)
        parts.append(f'<line class="grid" x1="{_LEFT}" y1="{y:.1f}" x2="{WIDTH - _RIGHT}" y2="{y:.1f}"/>')
        parts.append(f'<text class="y" x="{_LEFT - 6}" y="{y + 4:.1f}">{10**power:,}</text>')
    for power in range(int(right) + 1):
        x, _ = place(10**power, 1)
        parts.append(f'<text class="x" x="{x:.1f}" y="{_CURVE_HEIGHT - _BOTTOM + 16}">{10**power:,}</text>')
    parts.append(f'<text class="x" x="{_LEFT + across / 2:.0f}" y="{_CURVE_HEIGHT - 3}">rank of the term</text>')
    spots = [place(*point) for point in points]
    parts.append(f'<polyline class="c0" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in spots)}"/>')
    for (rank, count), (x, y) in zip(points, spots, strict=True):
        told = f"rank {rank:,}: {count:,} mentions"
        parts.append(f'<circle class="c0" cx="{x:.1f}" cy="{y:.1f}" r="2.6"><title>{told}</title></circle>')
    return "\n".join([*parts, "</svg>"])


def _open(title: str, height: int) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img"><title>{plain(title)}</title>'


def _share(share: float) -> str:
    """In percent, and never 0 for something.

    >>> _share(0.25), _share(0.00001)
    ('25%', '<0.1%')
    """
    if 0 < share < 0.001:
        return "<0.1%"
    return f"{100 * share:.1f}%" if share < 0.1 else f"{100 * share:.0f}%"
