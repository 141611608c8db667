import pickle

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.annotator import Annotator
from gleanner.gazetteer.candidates import CandidateAnnotator, finder
from gleanner.gazetteer.capitals import Capitals
from gleanner.gazetteer.from_dictionary import DictionaryAnnotator
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term
from gleanner.types import Sentence


def candidates(text):
    """The candidates of a text: phrases, each with its parts where it has some."""
    (found,) = Capitals()([Passage(text)])
    return found and [
        (text[c.start : c.end], *([[text[a:b] for a, b in c.parts]] if c.parts else [])) for c in found if not c.weak
    ]


def dictionary(*terms, case="ignore"):
    listed = [Term(text, (kind,), line) for line, (kind, text) in enumerate(terms, 1)]
    return DictionaryAnnotator(Lexicon.compile([("names.tsv", listed)], Rules(case=case)))


def labelled(text, *terms):
    passage = Passage(text)
    (found,) = CandidateAnnotator(Capitals(), dictionary(*terms))([passage])
    assert passage.sentence(found).problem() is None
    return [(text[label.start : label.end], label.type) for label in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("she met Ada Lovelace at sea", [("Ada Lovelace",)]),
        ("Ada Lovelace went to Bath.", [("Ada Lovelace", ["Lovelace"]), ("Bath",)]),
        ("The Beatles and their friends", [("Beatles",)]),
        ("'In Paris he fell ill', she said", [("Paris",)]),
        ("a Boeing 747 and 3 of the PS5 and p53 or 12", [("Boeing 747",), ("PS5 and p53", ["PS5", "p53"])]),
        ("near Stratford-upon-Avon - Anglo-saxon land", [("Stratford-upon-Avon",), ("Anglo-saxon",)]),
        ("a well-known post-Soviet state", [("post-Soviet",)]),
        ("from St. Ives to J. Smith. He", [("St. Ives",), ("J. Smith. He",)]),
        ("for Ludwig van Beethoven, in Vienna", [("Ludwig van Beethoven", ["Beethoven", "Ludwig"]), ("Vienna",)]),
        ("Results show", []),
        ("nothing here", []),
        ("ACME SHARES FALL", None),
        ("東京に行く", None),
        ("Ada", None),
        ("", None),
        ("1984 !", None),
    ],
)
def test_candidates_by_capitals(text, expected):
    found = candidates(text)
    assert (found if found is None else [(c[0], *(sorted(p) for p in c[1:])) for c in found]) == expected


def test_parts_are_all_sequences_of_what_is_joined_the_longest_first():
    text = "at the University of Bath and Wells"
    ((whole, parts),) = candidates(text)
    assert whole == "University of Bath and Wells"
    assert parts == ["University of Bath", "Bath and Wells", "University", "Bath", "Wells"]


def test_a_list_of_many_names_has_only_its_names_as_parts():
    ((_, parts),) = candidates("with " + " and ".join("ABCDEFGHIJ"))
    assert sorted(parts) == list("ABCDEFGHIJ")


def test_the_words_may_be_given():
    sentence = Sentence(("met", "Jean-Luc", "in", "St", ".", "Ives"))
    passage = Passage.of(sentence)
    (found,) = Capitals()([passage])
    assert [passage.text[c.start : c.end] for c in found] == ["Jean-Luc in St", "Ives"]


def test_a_term_is_labelled_only_where_it_is_a_candidate_and_other_candidates_are_unknown():
    text = "we read Nature by nature, not Science"
    assert labelled(text, ("JOURNAL", "Nature")) == [("Nature", "JOURNAL"), ("Science", "?")]


def test_a_candidate_that_is_no_term_hides_no_term_in_its_parts():
    terms = (("LOC", "Bath"), ("ORG", "University of Bath"))
    assert labelled("the University of Bath and Wells", *terms) == [("University of Bath", "ORG"), ("Wells", "?")]
    assert labelled("the Friends of Wells and York", *terms) == [("Friends of Wells and York", "?")]


def test_a_term_inside_a_phrase_without_joiners_is_none():
    assert labelled("the New York Times", ("LOC", "York"), ("LOC", "New York")) == [("New York Times", "?")]


def test_the_first_word_of_a_sentence_is_labelled_but_not_left_unknown():
    terms = (("DRUG", "aspirin"), ("PER", "Lincoln"))
    assert labelled("Aspirin helps", *terms) == [("Aspirin", "DRUG")]
    assert labelled("Results help", *terms) == []
    assert labelled("Yesterday Lincoln spoke", *terms) == [("Lincoln", "PER")]
    assert labelled("Yesterday Hooke spoke", *terms) == [("Yesterday Hooke", "?")]


def test_where_capitals_tell_nothing_every_term_counts():
    terms = (("LOC", "japan"), ("LOC", "東京"), ("ORG", "東京大学"))
    assert labelled("JAPAN BEAT SYRIA", *terms) == [("JAPAN", "LOC")]
    assert labelled("東京大学と東京", *terms) == [("東京大学", "ORG"), ("東京", "LOC")]
    assert labelled("the app 東京 of Sony", *terms) == [("東京", "LOC"), ("Sony", "?")]


def test_sources():
    passage = Passage("with Ada and Lee")
    (found,) = CandidateAnnotator(Capitals(), dictionary(("PER", "Ada")))([passage])
    assert [label.source for label in found] == ["dictionary:names.tsv:1:Ada", "candidates:capitals"]


def test_it_is_an_annotator_that_can_be_pickled():
    annotator = CandidateAnnotator(Capitals(), dictionary(("PER", "Ada")))
    passages = [Passage("with Ada"), Passage("")]
    assert isinstance(annotator, Annotator)
    assert annotator.name == "names.tsv among capitals"
    assert pickle.loads(pickle.dumps(annotator))(passages) == annotator(passages)


def test_finders_by_name():
    assert finder("capitals") == Capitals()
    for name in ("nouns", "spacy", "spacy:"):
        with pytest.raises(InputError, match=f"candidates cannot be found by '{name}'; choose capitals or spacy:MODEL"):
            finder(name)
