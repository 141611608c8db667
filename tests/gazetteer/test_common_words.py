import pytest

from gleanner.gazetteer.common_words import capitalised, common_words, count, counted, lexicon
from gleanner.gazetteer.matcher import Matcher
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term


def found(terms, *texts, share=0.5, rules=None):
    words = lexicon([("names.tsv", [Term(text, ("X",), line) for line, text in enumerate(terms, 1)])], rules or Rules())
    matcher = Matcher(words)
    cases = count([Passage(texts[0])], matcher) + count([Passage(text) for text in texts[1:]], matcher)
    return [(word.term, word.line, word.lower, word.capital) for word in common_words(cases, words, share)]


def test_terms_that_are_mostly_in_lower_case_are_found_the_commonest_first():
    texts = ["It may be nature.", "They may come in May, and may not.", "we read Nature and Science", "in Bath"]
    assert found(["Nature", "May", "Science", "Bath"], *texts) == [("May", 2, 3, 1), ("Nature", 1, 1, 1)]


def test_the_share_decides():
    texts = ["we read Nature, Nature, Nature by nature"]
    assert found(["Nature"], *texts, share=0.25) == [("Nature", 1, 1, 3)]
    assert found(["Nature"], *texts, share=0.26) == []


def test_a_capital_at_the_beginning_of_a_sentence_says_nothing():
    assert found(["May"], "May I?", "'May he?'", "you may", "may we") == [("May", 1, 2, 0)]


def test_what_stands_in_a_longer_term_is_not_counted():
    assert found(["May", "Theresa May"], "for Theresa May, who may") == [("May", 1, 1, 0)]


def test_terms_in_lower_case_are_no_matter():
    assert found(["aspirin", "Advil"], "take aspirin or advil") == [("Advil", 2, 1, 0)]
    assert [term.case for term in capitalised([Term("Us", ("LOC",), 1, case="exact")], Rules())] == ["ignore"]


@pytest.mark.parametrize(
    ("case", "rules", "counted"),
    [
        (None, Rules(), 0),
        (None, Rules(case="acronym"), 0),
        (None, Rules(case="ignore"), 1),
        (None, Rules(case="ignore", ignore_above=3), 0),
        ("ignore", Rules(), 1),
        ("exact", Rules(case="ignore"), 0),
    ],
)
def test_an_acronym_is_a_common_word_only_where_its_case_is_ignored(case, rules, counted):
    assert len(list(capitalised([Term("WHO", ("ORG",), 1, case=case)], rules))) == counted


def test_the_rules_of_the_dictionary_count_but_for_case():
    assert found(["US"], "they told us", rules=Rules(case="ignore", form="nfkc")) == [("US", 1, 1, 0)]
    assert found(["US"], "they told us", rules=Rules(case="ignore", min_length=3)) == []


def test_the_share_of_a_word():
    words = lexicon([("a.tsv", [Term("May", ("MONTH",), 1)])], Rules())
    (word,) = common_words(count([Passage("it may be May or May or may, may")], Matcher(words)), words)
    assert word.share == pytest.approx(3 / 5)
    assert (word.dictionary, word.line) == ("a.tsv", 1)


def test_a_stream_of_passages():
    words = lexicon([("a.tsv", [Term("May", ("MONTH",), 1)])], Rules())
    cases = counted((Passage("it may be May") for _ in range(5001)), words)
    assert (cases.lower.tolist(), cases.capital.tolist()) == ([5001], [5001])
    assert counted(iter([]), words).lower.tolist() == [0]
