"""The report as one HTML file that needs nothing from outside, light or dark as the reader likes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape

from gleanner.benchmark.curves import Curve, drawn, highest, look
from gleanner.benchmark.summary import EXPLANATION, Summary

_LIGHT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#444444", "#b22222")
_DARK = ("#4fb0f0", "#ff9142", "#35d0a0", "#eb9cc8", "#e2c23c", "#9bd6ff", "#c8c8c8", "#ff7b7b")
"""After Okabe and Ito, whose colours can be told apart by nearly everybody."""

_LEGEND = "Thick lines are means over the seeds, thin ones seeds. Where a method trains several models, one follows the other."

_STYLE = """
:root { color-scheme: light dark; --text: #1c1c1c; --faint: #666; --line: #ddd; --back: #fff; --row: #f6f6f6; COLOURS }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e6e6; --faint: #9a9a9a; --line: #3a3a3a; --back: #161616; --row: #1f1f1f; DARK }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); max-width: 1180px;
  margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
p.fact { color: var(--faint); font-size: 13px; margin: .3rem 0; overflow-wrap: anywhere; }
code { font: 12px ui-monospace, monospace; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; margin: 1rem 0; }
th, td { padding: .25rem .6rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
th:first-child, td:first-child { text-align: left; }
tbody tr:nth-child(even) { background: var(--row); }
.charts { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { margin: 0; flex: 1 1 420px; max-width: 580px; }
figcaption { font-size: 13px; }
figcaption ul { list-style: none; margin: .2rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1rem; }
svg { width: 100%; height: auto; }
svg text { font-size: 11px; fill: var(--faint); }
svg text.y { text-anchor: end; } svg text.x { text-anchor: middle; }
svg .grid { stroke: var(--line); }
polyline { fill: none; stroke-width: 2.2; stroke: var(--c); }
polyline.seed { stroke-width: 1; opacity: .35; }
polyline.again, i.again { stroke-dasharray: 6 4; border-top-style: dashed; }
circle { fill: var(--c); }
figcaption i { display: inline-block; width: 1.6em; border-top: 3px solid var(--c); vertical-align: middle;
  margin-right: .4em; }
"""


def page(summaries: Sequence[Summary]) -> str:
    """The whole page."""
    contents = "".join(f'<li><a href="#t{n}">{escape(s.table.title)}</a></li>' for n, s in enumerate(summaries))
    body = "\n".join(_section(f"t{number}", summary) for number, summary in enumerate(summaries))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>Benchmark</title>
<style>{_style()}</style>
</head>
<body>
<h1>Benchmark</h1>
<p>Made by <code>gleanner benchmark</code>. {escape(EXPLANATION)}</p>
<ul>{contents}</ul>
{body}
</body>
</html>
"""


def _style() -> str:
    light, dark = (" ".join(f"--c{n}: {c};" for n, c in enumerate(colours)) for colours in (_LIGHT, _DARK))
    classes = "\n".join(f".c{number} {{ --c: var(--c{number}); }}" for number in range(len(_LIGHT)))
    return _STYLE.replace("COLOURS", light).replace("DARK", dark) + classes + "\n"


def _section(mark: str, summary: Summary) -> str:
    table = summary.table
    head = "".join(f"<th>{escape(column)}</th>" for column in summary.columns)
    lines = "\n".join(f"<tr>{''.join(map(_cell, line))}</tr>" for line in summary.cells)
    facts = "\n".join(f'<p class="fact">{_inline(fact)}</p>' for fact in summary.facts)
    top = highest(curve for curves in summary.curves.values() for curve in curves)
    charts = "\n".join(_figure(curves, name, top) for name, curves in summary.curves.items())
    return f"""<h2 id="{mark}">{escape(table.title)}</h2>
<p>{_inline(table.about.strip())}</p>
<div class="wide"><table>
<thead><tr>{head}</tr></thead>
<tbody>
{lines}
</tbody>
</table></div>
{facts}
{f'<h3>F1 on development data by epoch</h3><p class="fact">{_LEGEND}</p>' if charts else ""}
<div class="charts">
{charts}
</div>"""


def _figure(curves: Sequence[Curve], name: str, top: float) -> str:
    legend = "".join(
        f'<li><i class="{look(number)}"></i>{escape(curve.name)}</li>' for number, curve in enumerate(curves)
    )
    return f"<figure>{drawn(curves, name, top)}<figcaption><ul>{legend}</ul></figcaption></figure>"


def _cell(text: str) -> str:
    return f"<td>{escape(text)}</td>"


def _inline(text: str) -> str:
    """What Markdown writes in backticks."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text))
