import json
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from gleanner.data.inspect import Ambiguity, Distribution, Gap, inspect
from gleanner.types import Corpus, Sentence, Span


def sentence(text, *spans, complete=False):
    return Sentence(tuple(text.split()), tuple(Span(*span) for span in spans), complete)


def test_counts():
    found = inspect(
        Corpus(
            [
                sentence("Ada Lovelace wrote", (0, 2, "PER", "dictionary"), complete=True),
                sentence("University of London", (0, 3, "ORG"), (2, 3, "LOC"), complete=True),
                sentence("I saw it", (0, 1, "O"), (1, 2, "?")),
                sentence("I saw it"),
            ]
        )
    )
    assert (found.sentences, found.complete_sentences, found.words, found.entities) == (4, 2, 12, 3)
    assert found.types == {"LOC": 1, "ORG": 1, "PER": 1}
    assert (found.explicit_negatives, found.unknowns, found.nested, found.duplicate_sentences) == (1, 1, 1, 1)
    assert found.sources == {"": 4, "dictionary": 1}
    assert found.entities_per_100_words == 25
    assert found.share_without_entities == 0.5
    assert found.sentence_lengths == Distribution(3, 3.0, 3, 3, 3)
    assert found.entity_lengths == Distribution(1, 2.0, 2, 3, 3)
    assert found.distinct_mentions == 3
    assert found.common_mentions == {
        "LOC": [("London", 1)],
        "ORG": [("University of London", 1)],
        "PER": [("Ada Lovelace", 1)],
    }


def test_a_phrase_of_two_types_is_listed_with_an_example_each():
    found = inspect(
        Corpus(
            [sentence("Paris x", (0, 1, "LOC")), sentence("Paris y", (0, 1, "PER")), sentence("Paris z", (0, 1, "LOC"))]
        )
    )
    assert found.ambiguous_phrases == 1
    assert found.ambiguous == [Ambiguity("Paris", {"LOC": 2, "PER": 1}, {"LOC": "Paris x", "PER": "Paris y"})]


def test_the_longest_phrase_is_bare_and_nothing_inside_a_listed_span():
    found = inspect(
        Corpus(
            [
                sentence("from New York to York", (1, 3, "LOC"), (4, 5, "LOC")),
                sentence("New York and York"),
                sentence("York Minster", (0, 2, "ORG")),
                sentence("not York", (1, 2, "O")),
            ]
        )
    )
    assert found.gaps == [Gap("New York", 1, 1, "New York and York"), Gap("York", 1, 1, "New York and York")]
    assert (found.phrases_with_gaps, found.bare_occurrences) == (2, 2)


def test_gaps_are_ranked_by_the_smaller_of_the_two_counts():
    sentences = [sentence("a b", (0, 1, "X"), (1, 2, "X")), sentence("b", (0, 1, "X")), sentence("a a a a b b")]
    assert [(gap.phrase, gap.labelled, gap.bare) for gap in inspect(Corpus(sentences)).gaps] == [
        ("b", 2, 2),
        ("a", 1, 4),
    ]


def test_lists_are_cut_but_their_totals_are_not():
    labelled = [sentence(word, (0, 1, "X")) for word in "abc"]
    found = inspect(Corpus([*labelled, sentence("a b b c c c")]), top=2)
    assert [(gap.phrase, gap.bare) for gap in found.gaps] == [("c", 3), ("b", 2)]
    assert (found.phrases_with_gaps, found.bare_occurrences) == (3, 6)
    assert found.common_mentions == {"X": [("a", 1), ("b", 1)]}


def test_the_lines_of_a_dictionary_are_one_source():
    sources = ["dictionary:a.tsv:1", "dictionary:a.tsv:2", "dictionary:b.tsv:1", "annotator:1", "annotator:2"]
    spans = [(place, place + 1, "X", source) for place, source in enumerate(sources)]
    found = inspect(Corpus([sentence("a b c d e", *spans)]))
    assert found.sources == {"dictionary:a.tsv": 2, "annotator:1": 1, "annotator:2": 1, "dictionary:b.tsv": 1}


def test_the_terms_of_a_dictionary_are_one_source_with_what_agrees_beside():
    sources = ["dictionary:a.tsv:1:Ada: a:7:b", "dictionary:a.tsv:2:Lee", "dictionary:a.tsv:3:Kim | rule:names"]
    spans = [(place, place + 1, "X", source) for place, source in enumerate(sources)]
    found = inspect(Corpus([sentence("a b c", *spans)]))
    assert found.sources == {"dictionary:a.tsv": 2, "dictionary:a.tsv | rule:names": 1}


def test_examples_of_long_sentences_are_cut_around_the_phrase():
    words = [f"w{place}" for place in range(200)]
    words[100] = "Ada"
    labelled = sentence("Ada wrote", (0, 1, "PER"))
    (gap,) = inspect(Corpus([labelled, Sentence(tuple(words))])).gaps
    assert gap.example == f"… {' '.join(words[70:131])} …"


def test_an_empty_corpus_has_no_numbers_but_a_shape():
    found = inspect(Corpus([]))
    assert found.sentence_lengths == Distribution(0, 0.0, 0, 0, 0)
    assert (found.entities_per_100_words, found.share_without_entities) == (0, 0)


def test_json_holds_it():
    found = inspect(Corpus([sentence("Ada wrote to Ada", (0, 1, "PER"))]))
    again = json.loads(json.dumps(found.to_dict()))
    assert again["gaps"] == [{"phrase": "Ada", "labelled": 1, "bare": 1, "example": "Ada wrote to Ada"}]
    assert again["entity_lengths"]["max"] == 1


@given(st.lists(st.integers(0, 30), min_size=1, max_size=60))
def test_quantiles_are_those_of_the_sorted_list(values):
    found = Distribution.of(Counter(values))
    ordered = sorted(values)
    assert found.median == ordered[(len(values) + 1) // 2 - 1]
    assert found.p95 == ordered[-(-len(values) * 95 // 100) - 1]
    assert (found.min, found.max) == (ordered[0], ordered[-1])
    assert found.mean == sum(values) / len(values)
