from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.data.text import sentences
from gleanner.gazetteer.dictionary import Dictionary, Entry
from gleanner.gazetteer.plain import Matcher
from gleanner.types import NOT_ENTITY, UNKNOWN, Sentence, Span


def dictionary(*lines):
    terms = {}
    for number, (label, term) in enumerate(lines, start=1):
        terms[term] = (*terms.get(term, ()), Entry(label, number))
    return Dictionary("names.tsv", terms)


def phrases(text, *lines):
    """The phrases that the terms label in a text, with their types."""
    found = Matcher(dictionary(*lines)).annotate(sentence for _, sentence in sentences(text))
    return [(sentence.phrase(span), span.label) for sentence in found for span in sentence.spans]


def test_labels_carry_their_provenance_and_silence_becomes_unknown():
    sentence = Sentence(("Ada", "met", "Mary"), complete=True, meta={"id": 7})
    (found,) = Matcher(dictionary(("LOC", "Bath"), ("PER", "Mary"))).annotate([sentence])
    assert found == Sentence(sentence.words, (Span(2, 3, "PER", "dictionary:names.tsv:2"),), meta={"id": 7})


def test_only_whole_words_in_the_same_case():
    terms = [("PER", "Newton"), ("LOC", "Bath"), ("LOC", "New")]
    assert phrases("Newtonian baths at New Bath, a newton, Newton's.", *terms) == [
        ("New", "LOC"),
        ("Bath", "LOC"),
        ("Newton", "PER"),
    ]


def test_leftmost_then_longest():
    terms = [("LOC", "New York"), ("ORG", "York University"), ("LOC", "York"), ("ORG", "New York University")]
    assert phrases("New York University. New York Times. York University.", *terms) == [
        ("New York University", "ORG"),
        ("New York", "LOC"),
        ("York University", "ORG"),
    ]


def test_a_match_inside_words_hides_nothing():
    """An automaton that searches leftmost-longest by itself takes "on Ada" in "Babylon Ada", and misses "Ada"."""
    assert phrases("Babylon Ada", ("PER", "Ada"), ("PER", "on Ada")) == [("Ada", "PER")]


def test_terms_that_are_cut_into_several_words():
    terms = [("ORG", "King's College"), ("PER", "Gay-Lussac"), ("ORG", "Glass, Elliot & Co."), ("LOC", "東京")]
    text = "Gay-Lussac left King's College for Glass, Elliot & Co. and 東京大学."
    assert [phrase for phrase, _ in phrases(text, *terms)] == [
        "Gay-Lussac",
        "King's College",
        "Glass, Elliot & Co.",
        "東京",
    ]
    without_text = Sentence(("King's", "College", "and", "Gay", "-", "Lussac"))
    (found,) = Matcher(dictionary(*terms)).annotate([without_text])
    assert [(span.start, span.end) for span in found.spans] == [(0, 2), (3, 6)]


def test_a_name_may_run_over_a_line_break():
    assert phrases(
        "It was for the most part, they say, the work of Ada\nLovelace, who took no credit for it in her lifetime.",
        ("PER", "Ada Lovelace"),
    ) == [("Ada\nLovelace", "PER")]


def test_existing_labels_win():
    kept = (Span(0, 1, NOT_ENTITY), Span(3, 5, "ORG", "hand", 1.0), Span(3, 4, "LOC"), Span(6, 7, UNKNOWN))
    sentence = Sentence(("Young", "Ada", "at", "Oxford", "Museum", "in", "Bath"), kept)
    terms = [("PER", "Young"), ("PER", "Young Ada"), ("PER", "Ada"), ("LOC", "Oxford"), ("LOC", "Bath")]
    (found,) = Matcher(dictionary(*terms)).annotate([sentence])
    assert found.spans == (kept[0], Span(1, 2, "PER", "dictionary:names.tsv:3"), *kept[1:])
    assert found.problem() is None


def test_an_ambiguous_term_takes_its_words_and_labels_nothing():
    terms = [("PER", "Abraham Lincoln"), ("LOC", "Abraham Lincoln"), ("LOC", "Lincoln"), ("LOC", "Bath")]
    assert phrases("Abraham Lincoln in Bath. Lincoln.", *terms) == [("Bath", "LOC"), ("Lincoln", "LOC")]


def test_two_spellings_that_meet_when_cut_are_one_ambiguous_term():
    assert phrases("at King's", ("ORG", "King's"), ("LOC", "King 's")) == []


def test_sentences_are_matched_one_by_one():
    endless = iter(lambda: Sentence(("Ada",)), None)
    assert len(next(Matcher(dictionary(("PER", "Ada"))).annotate(endless)).spans) == 1


word = st.sampled_from(["a", "b", "ab", "ba", "é", "𝒜"])
phrase = st.lists(word, min_size=1, max_size=3).map(" ".join)


@settings(max_examples=200)
@given(
    st.lists(word, max_size=12),
    st.lists(st.tuples(st.sampled_from(["PER", "LOC"]), phrase), min_size=1, max_size=8, unique=True),
    st.sets(st.integers(0, 11), max_size=3),
)
def test_a_search_by_brute_force_finds_the_same(words, lines, labelled):
    names = dictionary(*lines)
    existing = {index for index in labelled if index < len(words)}
    sentence = Sentence(tuple(words), tuple(Span(index, index + 1, "ORG") for index in sorted(existing)))
    expected = list(sentence.spans)
    start = 0
    while start < len(words):
        for end in range(len(words), start, -1):
            entries = names.terms.get(" ".join(words[start:end]))
            if entries and existing.isdisjoint(range(start, end)):
                if len(entries) == 1:
                    expected.append(Span(start, end, entries[0].type, f"dictionary:names.tsv:{entries[0].line}"))
                start = end
                break
        else:
            start += 1
    (found,) = Matcher(names).annotate([sentence])
    assert found.spans == tuple(sorted(expected, key=lambda span: span.start))
