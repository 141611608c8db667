"""The report as one HTML file that needs nothing from outside, light or dark as the reader likes it."""

from __future__ import annotations

from collections.abc import Sequence

from gleanner.benchmark.curves import Curve, drawn, highest, look
from gleanner.benchmark.summary import EXPLANATION, Summary
from gleanner.html import document, inline, plain, table

_LEGEND = "Thick lines are means over the seeds, thin ones seeds. Where a method trains several models, one follows the other."

_STYLE = """
figcaption ul { list-style: none; margin: .2rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1rem; }
polyline.seed { stroke-width: 1; opacity: .35; }
polyline.again, i.again { stroke-dasharray: 6 4; border-top-style: dashed; }
figcaption i { display: inline-block; width: 1.6em; border-top: 3px solid var(--c); vertical-align: middle;
  margin-right: .4em; }
"""


def page(summaries: Sequence[Summary]) -> str:
    """The whole page."""
    contents = "".join(f'<li><a href="#t{n}">{plain(s.table.title)}</a></li>' for n, s in enumerate(summaries))
    about = f"<p>Made by <code>gleanner benchmark</code>. {plain(EXPLANATION)}</p>"
    sections = (_section(f"t{number}", summary) for number, summary in enumerate(summaries))
    return document("Benchmark", "\n".join([about, f"<ul>{contents}</ul>", *sections]), _STYLE)


def _section(mark: str, summary: Summary) -> str:
    about = summary.table
    cells = (tuple(map(plain, line)) for line in summary.cells)
    facts = "\n".join(f'<p class="fact">{inline(fact)}</p>' for fact in summary.facts)
    top = highest(curve for curves in summary.curves.values() for curve in curves)
    charts = "\n".join(_figure(curves, name, top) for name, curves in summary.curves.items())
    return f"""<h2 id="{mark}">{plain(about.title)}</h2>
<p>{inline(about.about.strip())}</p>
{table(summary.columns, cells)}
{facts}
{f'<h3>F1 on development data by epoch</h3><p class="fact">{_LEGEND}</p>' if charts else ""}
<div class="charts">
{charts}
</div>"""


def _figure(curves: Sequence[Curve], name: str, top: float) -> str:
    legend = "".join(
        f'<li><i class="{look(number)}"></i>{plain(curve.name)}</li>' for number, curve in enumerate(curves)
    )
    return f"<figure>{drawn(curves, name, top)}<figcaption><ul>{legend}</ul></figcaption></figure>"
