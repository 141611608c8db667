"""How every page looks that is written for a browser: one file that needs nothing from outside, light or dark."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from xml.sax.saxutils import escape

_LIGHT = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#444444", "#b22222")
_DARK = ("#4fb0f0", "#ff9142", "#35d0a0", "#eb9cc8", "#e2c23c", "#9bd6ff", "#c8c8c8", "#ff7b7b")
"""After Okabe and Ito, whose colours can be told apart by nearly everybody."""

COLOURS = len(_LIGHT)
"""How many there are, as classes `c0`, `c1` ... that set the variable `--c`."""

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
th:first-child, td:first-child, th.text, td.text { text-align: left; }
tbody tr:nth-child(even) { background: var(--row); }
.charts { display: flex; flex-wrap: wrap; gap: 1.5rem; }
figure { margin: 0; flex: 1 1 420px; max-width: 580px; }
figcaption { font-size: 13px; }
svg { width: 100%; height: auto; }
svg text { font-size: 11px; fill: var(--faint); }
svg text.y { text-anchor: end; } svg text.x { text-anchor: middle; }
svg .grid { stroke: var(--line); }
polyline { fill: none; stroke-width: 2.2; stroke: var(--c); }
circle { fill: var(--c); }
"""

_INVISIBLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def document(title: str, body: str, style: str = "") -> str:
    """The whole page; `style` is what only this one needs."""
    light, dark = (" ".join(f"--c{n}: {c};" for n, c in enumerate(colours)) for colours in (_LIGHT, _DARK))
    classes = "\n".join(f".c{number} {{ --c: var(--c{number}); }}" for number in range(COLOURS))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<title>{plain(title)}</title>
<style>{_STYLE.replace("COLOURS", light).replace("DARK", dark)}{style}{classes}
</style>
</head>
<body>
<h1>{plain(title)}</h1>
{body}
</body>
</html>
"""


def plain(text: str) -> str:
    """Any text as a page may hold it: marks of HTML are shown, and what no page may hold is a replacement character.

    >>> plain('<b> & "c"'), plain("a" + chr(0))
    ('&lt;b&gt; &amp; &quot;c&quot;', 'a\ufffd')
    """
    return escape(_INVISIBLE.sub("\ufffd", text), {'"': "&quot;"})


def inline(text: str) -> str:
    """The same, with `<code>` for what Markdown writes in backticks."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", plain(text))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], text: Collection[str] = ()) -> str:
    """Columns hold numbers, to the right, but for the first and those named in `text`; cells are HTML already."""
    left = [' class="text"' if column in text else "" for column in columns]
    head = "".join(f"<th{side}>{plain(column)}</th>" for column, side in zip(columns, left, strict=True))
    lines = "\n".join(
        f"<tr>{''.join(f'<td{side}>{cell}</td>' for cell, side in zip(row, left, strict=True))}</tr>" for row in rows
    )
    return f"""<div class="wide"><table>
<thead><tr>{head}</tr></thead>
<tbody>
{lines}
</tbody>
</table></div>"""
