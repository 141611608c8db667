import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.gazetteer.again import annotate_again
from gleanner.gazetteer.annotator import annotator
from gleanner.gazetteer.candidates import CandidateAnnotator
from gleanner.gazetteer.capitals import Capitals
from gleanner.gazetteer.changes import Changes
from gleanner.gazetteer.combine import Combined
from gleanner.gazetteer.from_dictionary import AMBIGUITIES, DictionaryAnnotator
from gleanner.gazetteer.given import annotate
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.term import Term
from gleanner.types import Sentence, Span


@annotator
def capital(text):
    return re.finditer(r"(?P<CAPITAL>\b[A-Z]\b)", text)


def sentence(text, *spans):
    return Sentence(tuple(text.split()), spans)


def again(corpus, old, new, make=DictionaryAnnotator):
    """The corpus annotated with the old lexicon and then again, that annotated anew, and how many were touched."""
    counts = Counter()
    before = list(annotate(corpus, make(old)))
    after = list(annotate_again(before, make(new), Changes.between(old, new), counts))
    assert counts["sentences"] == len(corpus)
    return after, list(annotate(corpus, make(new))), counts["annotated again"]


def compiled(*terms, rules=None):
    return Lexicon.compile(
        [("names.tsv", [Term(text, tuple(types), line) for line, text, *types in terms])], rules or Rules()
    )


def test_removing_a_term_annotates_only_the_sentences_that_it_touched():
    corpus = [sentence("New York Times"), sentence("Bath"), sentence("York"), sentence("nothing")]
    old = compiled((1, "Bath", "LOC"), (2, "New York Times", "ORG"), (3, "York", "LOC"))
    after, anew, touched = again(corpus, old, compiled((1, "Bath", "LOC"), (2, "York", "LOC")))
    assert after == anew
    assert touched == 1
    assert after[0].spans == (Span(1, 2, "LOC", "dictionary:names.tsv:2:York"),)
    assert after[2].spans == (Span(0, 1, "LOC", "dictionary:names.tsv:2:York"),)  # not annotated, but its line moved


def test_adding_a_term_finds_it_where_it_stands():
    corpus = [sentence("Ada of Bath"), sentence("Ada")]
    old = compiled((2, "Ada", "PER"))
    after, anew, touched = again(corpus, old, compiled((1, "Bath", "LOC"), (2, "Ada", "PER")))
    assert after == anew
    assert touched == 1
    assert [span.label for span in after[0].spans] == ["PER", "LOC"]


def test_a_second_type_makes_a_term_ambiguous_everywhere():
    corpus = [sentence("Lincoln"), sentence("lincoln")]
    after, anew, touched = again(
        corpus, compiled((1, "Lincoln", "LOC")), compiled((1, "Lincoln", "LOC"), (2, "Lincoln", "PER"))
    )
    assert after == anew
    assert (after[0].spans[0].label, touched) == ("?", 1)


def test_labels_of_others_stay():
    kept = Span(0, 1, "PER", "dictionary:other.tsv:1:Ada"), Span(1, 2, "O", "hand")
    corpus = [sentence("Ada of Bath", *kept), sentence("Ada", kept[0])]
    after, anew, _ = again(corpus, compiled((1, "Ada", "X"), (2, "Bath", "LOC")), compiled((1, "Bath", "ORG")))
    assert after == anew
    assert after[0].spans == (*kept, Span(2, 3, "ORG", "dictionary:names.tsv:1:Bath"))


def test_terms_that_became_common_words_are_changes_too():
    lexicon = compiled((1, "May", "MONTH"), (2, "June", "MONTH"))
    corpus = [sentence("May"), sentence("June")]
    before = annotate(corpus, DictionaryAnnotator(lexicon))
    new = DictionaryAnnotator(lexicon, common=frozenset(["May"]))
    counts = Counter()
    after = list(annotate_again(before, new, Changes.between(lexicon, lexicon, also=["May"]), counts))
    assert after == list(annotate(corpus, new))
    assert counts == {"sentences": 2, "annotated again": 1}


def test_sentences_are_read_as_they_are_needed():
    lexicon = compiled((1, "Ada", "PER"))
    endless = iter(lambda: sentence("Ada"), None)
    stream = annotate_again(endless, DictionaryAnnotator(lexicon), Changes.between(lexicon, lexicon), Counter())
    assert next(stream).words == ("Ada",)


word = st.sampled_from(["a", "A", "b", "B", "of"])
phrase = st.lists(word, min_size=1, max_size=3).map(" ".join)
entry = st.tuples(
    phrase, st.lists(st.sampled_from(["X", "Y"]), max_size=2, unique=True).map(tuple), st.sampled_from([1.0, 2.0])
)
lines = st.lists(st.none() | entry, max_size=6)
files = st.fixed_dictionaries({"a.tsv": lines, "b.tsv": lines})
bare = st.lists(word, min_size=1, max_size=6)
corpora = st.lists(st.tuples(bare, st.sampled_from([(), (Span(0, 1, "GIVEN", "hand"),)])), min_size=1, max_size=5)


def lexicon_of(dictionaries, rules):
    return Lexicon.compile(
        [
            (name, [Term(e[0], e[1], line, weight=e[2]) for line, e in enumerate(entries, 1) if e])
            for name, entries in dictionaries.items()
        ],
        rules,
    )


def edited(dictionaries, edits):
    """The dictionaries after lines were removed, replaced or put in."""
    new = {name: list(entries) for name, entries in dictionaries.items()}
    for name, line, how, entry in edits:
        place = min(line, len(new[name]))
        new[name][place : place + (how != "add")] = [] if how == "remove" else [entry]
    return new


edits = st.lists(
    st.tuples(
        st.sampled_from(["a.tsv", "b.tsv"]), st.integers(0, 6), st.sampled_from(["add", "remove", "replace"]), entry
    ),
    max_size=3,
)
makers = st.sampled_from(
    [lambda lexicon, rule=rule: DictionaryAnnotator(lexicon, rule) for rule in AMBIGUITIES]
    + [
        lambda lexicon: Combined((DictionaryAnnotator(lexicon), capital)),
        lambda lexicon: Combined((capital, DictionaryAnnotator(lexicon, "frequent")), "vote"),
        lambda lexicon: CandidateAnnotator(Capitals(), DictionaryAnnotator(lexicon)),
    ]
)


@settings(max_examples=150, deadline=None)
@given(files, edits, corpora, makers, st.sampled_from([Rules(), Rules(case="ignore")]))
def test_the_result_is_that_of_annotating_everything_anew(dictionaries, edits, corpus, make, rules):
    corpus = [Sentence(tuple(words), spans) for words, spans in corpus]
    after, anew, _ = again(
        corpus, lexicon_of(dictionaries, rules), lexicon_of(edited(dictionaries, edits), rules), make
    )
    assert after == anew
