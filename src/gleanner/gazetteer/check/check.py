"""A dictionary against a text: what is wrong with it, or good to know, with the lines where to look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gleanner.gazetteer.check.findings import Report
from gleanner.gazetteer.check.spelling import spelling
from gleanner.gazetteer.check.usage import Usage, inside
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.report.words import words_of


def check(lexicon: Lexicon, blocks: Iterable[Sequence[Passage]], limit: int) -> Report:
    """Looks at every term, and at every sentence of the text once. Of each kind of finding `limit` are kept.

    >>> from gleanner.gazetteer.term import Term
    >>> terms = [Term("Bath", ("LOC",), 1), Term("Bath", ("PER",), 2)]
    >>> report = check(Lexicon.compile([("names.tsv", terms)]), [[Passage("He took the waters of Bath.")]], 10)
    >>> [(found.kind.name, found.first[0].note) for found in report.kinds if found.total]
    [('conflicts', 'LOC in names.tsv:1, PER in names.tsv:2')]
    """
    usage = Usage(lexicon)
    words = 0
    for passages in blocks:
        usage.add(passages)
        words += words_of(passages)
    encodings, duplicates, conflicts, similar = spelling(lexicon, limit)
    often, common, never, hidden = usage.findings(limit)
    kinds = (encodings, duplicates, conflicts, often, common, similar, never, hidden, inside(lexicon, limit))
    return Report(len(lexicon), usage.sentences, words, kinds)
