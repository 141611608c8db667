import json

from gleanner.gazetteer.common_words import CommonWord
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.report.gold import Gold
from gleanner.gazetteer.report.summary import OfType, summarise
from gleanner.gazetteer.report.terms import Terms
from gleanner.types import Sentence, Span


def test_the_counts_by_type(tallied, terms):
    summary = summarise(tallied(), terms)
    assert summary.types == {"LOC": OfType(3, 2, 3), "DOSE": OfType(1, 0, 0), "PER": OfType(1, 1, 2)}
    assert (summary.mentions, summary.unknown, summary.denied, summary.labelled_sentences) == (5, 2, 0, 4)
    assert round(summary.per_thousand, 1) == round(5000 / 29, 1)


def test_top_and_ambiguous_terms_and_how_each_was_resolved(tallied, terms):
    summary = summarise(tallied(), terms)
    assert [(term.text, *term.places, term.labels) for term in summary.top] == [
        ("London", "places.tsv:1", {"LOC": 2}),
        ("Lincoln", "places.tsv:2", {"?": 1, "LOC": 1}),
        ("Abe", "people.tsv:1", {"PER": 1}),
        ("difference engine", "phrases.txt:1", {"?": 1}),
    ]
    assert summary.ambiguous_terms == 1
    assert [(term.places, term.types, term.mentions) for term in summary.ambiguous] == [
        (("places.tsv:2", "people.tsv:1"), ("LOC", "PER"), 2)
    ]
    assert summary.ranks == ((1, 2), (2, 2), (3, 1), (4, 1))


def test_terms_never_seen_have_their_lines(tallied, terms):
    summary = summarise(tallied(), terms)
    assert (summary.terms, summary.seen_terms, summary.unseen_terms) == (6, 5, 1)
    assert [(term.text, term.places) for term in summary.unseen] == [("Bath", ("places.tsv:3",))]


def test_the_gold_and_all_of_it_as_json(tallied, terms):
    words = ("Abe", "saw", "London", ".")
    gold = Gold([Sentence(words, (Span(0, 1, "PER"),), complete=True)])
    common = (CommonWord("Bath", "places.tsv", 3, 9, 1),)
    summary = summarise(tallied(gold=gold), terms, gold, common)
    assert summary.gold.report.micro.precision == 0.5
    plain = json.loads(json.dumps(summary.to_dict()))
    assert plain["gold"]["scores"]["micro"]["recall"] == 1.0
    assert plain["common"] == [{"term": "Bath", "dictionary": "places.tsv", "line": 3, "lower": 9, "capital": 1}]
    assert plain["unseen_terms"] == 1
    assert plain["examples"]["DOSE"][0]["text"] == "He took 5 mg of it."


def test_nothing_at_all():
    from gleanner.gazetteer.report.tally import Tally

    terms = Terms(Lexicon.compile([]))
    summary = summarise(Tally(terms), terms)
    assert (summary.sentences, summary.per_thousand, summary.types, summary.ranks) == (0, 0.0, {}, ())
