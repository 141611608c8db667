"""The report as Markdown, with the tables of GitHub."""

from __future__ import annotations

from collections.abc import Sequence

from gleanner.benchmark.summary import EXPLANATION, Summary


def markdown(summaries: Sequence[Summary]) -> str:
    """The whole page."""
    parts = ["# Benchmark", "", "Made by `gleanner benchmark`. " + EXPLANATION, ""]
    for summary in summaries:
        parts += [f"## {summary.table.title}", ""]
        parts += [line for text in (summary.table.about.strip(), *summary.facts) if text for line in (text, "")]
        parts += [_line(summary.columns), "|---" * len(summary.columns) + "|", *map(_line, summary.cells), ""]
    return "\n".join(parts)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
