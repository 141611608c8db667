"""The report as one HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from gleanner.data.atomic import atomic
from gleanner.gazetteer.report.gold import Comparison
from gleanner.gazetteer.report.names import labels, name
from gleanner.gazetteer.report.pictures import Bar, bars, columns, ranks
from gleanner.gazetteer.report.sample import Example
from gleanner.gazetteer.report.summary import Listed, OfType, Summary
from gleanner.html import COLOURS, document, plain, table

_STYLE = """
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(125px, 1fr)); gap: 1rem; margin: 1.5rem 0;
  padding: 0; list-style: none; }
.facts b { display: block; font-size: 26px; line-height: 1.2; font-weight: 600; }
.facts span { color: var(--faint); font-size: 13px; }
figcaption { margin-bottom: .5rem; font-weight: 600; }
figcaption small { font-weight: 400; color: var(--faint); }
svg rect { fill: var(--c); } svg rect.pale { opacity: .25; }
ul.examples { list-style: none; padding: 0; }
ul.examples li { margin: .45rem 0; overflow-wrap: anywhere; }
ul.examples code { color: var(--faint); margin-left: .6em; }
mark { color: inherit; background: color-mix(in srgb, var(--c) 22%, transparent); border-bottom: 2px solid var(--c);
  padding: 0 .15em; }
td bdi { overflow-wrap: anywhere; }
td:has(bdi) { white-space: normal; min-width: 8em; } td code { white-space: nowrap; }
details summary { cursor: pointer; color: var(--faint); }
"""

_BARS = 20
"""Types that are drawn; the table has all."""

_OPEN = 15
"""Rows of a list that are seen at once; the others unfold."""

_MOST_LABELS = 6
"""Columns of mentions a sentence; the last is that many or more."""


def write(summary: Summary, path: Path) -> None:
    """Writes the page, whole or not at all."""
    with atomic(path) as handle:
        handle.write(page(summary))


def page(summary: Summary, title: str = "Annotation") -> str:
    """The whole page."""
    parts = (
        f"<p>Made by <code>gleanner annotate</code>.</p>{_facts(summary)}",
        _pictures(summary),
        _gold(summary.gold),
        _types(summary),
        _terms("Most frequent terms", "", summary.top, len(summary.top)),
        _terms(
            "Ambiguous terms",
            "Terms that were found and that the dictionaries give several types, and what became of them in the text.",
            summary.ambiguous,
            summary.ambiguous_terms,
        ),
        _common(summary),
        _examples(summary),
        _unseen(summary),
    )
    return document(title, "\n".join(part for part in parts if part), _STYLE)


def _facts(summary: Summary) -> str:
    share = summary.labelled_sentences / summary.sentences if summary.sentences else 0.0
    facts = {
        "sentences": f"{summary.sentences:,}",
        "words": f"{summary.words:,}",
        "mentions": f"{summary.mentions:,}",
        "mentions a 1,000 words": f"{summary.per_thousand:.1f}",
        "of the sentences have one": f"{share:.1%}",
        "unknown spans": f"{summary.unknown:,}",
        f"of {summary.terms:,} terms were found": f"{summary.seen_terms:,}",
    }
    items = "".join(f"<li><b>{value}</b><span>{name}</span></li>" for name, value in facts.items())
    return f'<ul class="facts">{items}</ul>'


def _pictures(summary: Summary) -> str:
    drawn_types = dict(islice(summary.types.items(), _BARS))
    found = [Bar(name, of.mentions, of.mentions, f"{of.mentions:,}") for name, of in drawn_types.items()]
    coverage = [
        Bar(name, 1.0, of.terms / of.in_dictionaries, f"{of.terms:,} of {of.in_dictionaries:,}")
        for name, of in drawn_types.items()
        if of.in_dictionaries
    ]
    less = f"the first {_BARS} of {len(summary.types):,}" if len(summary.types) > _BARS else ""
    pictures = (
        ("Mentions by type", less, bars("Mentions by type", found)),
        ("Terms that were found", "of those in the dictionaries", bars("Terms that were found", coverage)),
        ("How often each term was found", "most frequent first, both axes logarithmic", ranks("Ranks", summary.ranks)),
        ("Sentences by mentions", "", columns("Sentences by mentions", _sizes(summary.by_labels), "mentions")),
    )
    figures = (
        f"<figure><figcaption>{name} <small>{more}</small></figcaption>{drawn}</figure>"
        for name, more, drawn in pictures
        if drawn
    )
    return f'<div class="charts">{"".join(figures)}</div>'


def _sizes(by_labels: Mapping[int, int]) -> dict[str, int]:
    counts = {str(size): by_labels.get(size, 0) for size in range(_MOST_LABELS)}
    counts[f"{_MOST_LABELS}+"] = sum(count for size, count in by_labels.items() if size >= _MOST_LABELS)
    return counts


def _gold(gold: Comparison | None) -> str:
    if gold is None:
        return ""
    head = f"<h2>Against the gold sample</h2><p>{gold.found:,} of its {gold.gold:,} sentences are in the text"
    if gold.report is None:
        return f"{head}, so nothing can be said.</p>"
    report = gold.report
    scores = {**report.types, "all (micro)": report.micro, "words only, any type": report.boundaries}
    rows = (
        (
            plain(name),
            *(f"{100 * share:.2f}" for share in (score.precision, score.recall, score.f1)),
            f"{score.gold:,}",
            f"{score.predicted:,}",
        )
        for name, score in scores.items()
    )
    return f"{head}; the scores are of these.</p>" + table(("type", "P", "R", "F1", "gold", "annotated"), rows)


def _types(summary: Summary) -> str:
    def cells(name: str, of: OfType) -> tuple[str, ...]:
        share = f"{of.terms / of.in_dictionaries:.1%}" if of.in_dictionaries else ""
        return (_isolated(name), f"{of.mentions:,}", f"{of.terms:,}", f"{of.in_dictionaries:,}", share)

    made = table(
        ("type", "mentions", "distinct terms", "in the dictionaries", "found"),
        (cells(name, of) for name, of in summary.types.items()),
    )
    makers = table(("label made by", "labels"), ((_isolated(name), f"{n:,}") for name, n in summary.makers.items()))
    return f"<h2>Types</h2>{made}{makers}"


def _terms(name: str, about: str, terms: Sequence[Listed], total: int) -> str:
    if not terms:
        return ""
    columns = ("term", "mentions", "labelled", "may be", "where it stands")

    def cells(term: Listed) -> tuple[str, ...]:
        types = ", ".join(term.types) or "a phrase"
        return (
            _isolated(term.text),
            f"{term.mentions:,}",
            plain(labels(term.labels)),
            plain(types),
            "<br/>".join(f"<code>{_isolated(place)}</code>" for place in term.places),
        )

    heading = f"<h2>{name}{f' ({total:,})' if total > len(terms) else ''}</h2>"
    rows = [cells(term) for term in terms]
    return f"{heading}{f'<p>{about}</p>' if about else ''}{_folded(columns, rows, total, columns[2:])}"


def _common(summary: Summary) -> str:
    if not summary.common:
        return ""
    columns = ("term", "in lower case", "with a capital", "where it stands")
    rows = [
        (
            _isolated(word.term),
            f"{word.lower:,}",
            f"{word.capital:,}",
            f"<code>{_isolated(f'{word.dictionary}:{word.line}')}</code>",
        )
        for word in summary.common
    ]
    about = "Terms that the text often has in lower case, too, as common words: they are left unknown."
    return f"<h2>Common words</h2><p>{about}</p>{_folded(columns, rows, len(rows), columns[3:])}"


def _unseen(summary: Summary) -> str:
    if not summary.unseen:
        return ""
    rows = [
        (_isolated(term.text), plain(", ".join(term.types)), f"<code>{_isolated(term.places[0])}</code>")
        for term in summary.unseen
    ]
    columns = ("term", "type", "where it stands")
    about = f"{summary.unseen_terms:,} of {summary.terms:,} terms gave no label; the first, in the order of the files."
    return f"<h2>Terms never seen</h2><p>{about}</p>{_folded(columns, rows, summary.unseen_terms, columns[1:])}"


def _examples(summary: Summary) -> str:
    if not summary.examples:
        return ""
    colours = {name: number % COLOURS for number, name in enumerate(summary.types)}
    parts = ["<h2>Examples</h2><p>A sample of the sentences, the same each time.</p>"]
    for label, examples in summary.examples.items():
        items = "".join(_example(example, colours.get(label, COLOURS - 2)) for example in examples)
        parts.append(f'<h3>{_isolated(name(label))}</h3><ul class="examples">{items}</ul>')
    return "\n".join(parts)


def _example(example: Example, colour: int) -> str:
    before, mention, after = (
        plain(part)
        for part in (
            example.text[: example.start],
            example.text[example.start : example.end],
            example.text[example.end :],
        )
    )
    text = f'<bdi>{before}<mark class="c{colour}">{mention}</mark>{after}</bdi>'
    return f"<li>{text} <code>{_isolated(example.source)}</code></li>"


def _folded(columns: Sequence[str], rows: Sequence[Sequence[str]], total: int, text: Sequence[str]) -> str:
    """A table of which the first rows are seen, the others unfold, and those that are not there are counted."""
    made = table(columns, rows[:_OPEN], text)
    if rows[_OPEN:]:
        made += f"<details><summary>{len(rows) - _OPEN:,} more</summary>{table(columns, rows[_OPEN:], text)}</details>"
    return made + (f'<p class="fact">and {total - len(rows):,} more</p>' if total > len(rows) else "")


def _isolated(text: str) -> str:
    """Any text, whose direction of writing ends with it."""
    return f"<bdi>{plain(text)}</bdi>"
