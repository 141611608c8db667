import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.errors import InputError
from gleanner.gazetteer.annotator import annotator
from gleanner.gazetteer.from_dictionary import DictionaryAnnotator
from gleanner.gazetteer.given import annotate
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.term import Term
from gleanner.types import NOT_ENTITY, UNKNOWN, Sentence, Span


def dictionary(*terms):
    return DictionaryAnnotator(
        Lexicon.compile([("names.tsv", [Term(text, (kind,), line) for line, (kind, text) in enumerate(terms, 1)])])
    )


def test_labels_that_are_there_stay_and_terms_between_them_are_found():
    kept = (Span(0, 1, NOT_ENTITY), Span(3, 5, "ORG", "hand", 1.0), Span(3, 4, "LOC"), Span(6, 7, UNKNOWN))
    sentence = Sentence(("Young", "Ada", "at", "Oxford", "Museum", "in", "Bath"), kept, complete=True, meta={"id": 7})
    terms = dictionary(("PER", "Young"), ("PER", "Young Ada"), ("PER", "Ada"), ("LOC", "Oxford"), ("LOC", "Bath"))
    (found,) = annotate([sentence], terms)
    ada = Span(1, 2, "PER", "dictionary:names.tsv:3:Ada")
    assert found == Sentence(sentence.words, (kept[0], ada, *kept[1:]), meta={"id": 7})
    assert found.problem() is None


def test_a_text_and_the_places_of_its_words_stay():
    text = "Ada Lovelace  (Bath)"
    sentence = Sentence(("Ada", "Lovelace", "Bath"), text=text, offsets=((0, 3), (4, 12), (15, 19)))
    (found,) = annotate([sentence], dictionary(("LOC", "Bath")))
    assert (found.text, found.offsets) == (text, sentence.offsets)
    assert [found.phrase(span) for span in found.spans] == ["Bath"]


def test_sentences_are_read_as_they_are_needed():
    endless = iter(lambda: Sentence(("Ada",)), None)
    assert len(next(annotate(endless, dictionary(("PER", "Ada")))).spans) == 1


def test_nothing_makes_an_annotator_label_what_is_labelled():
    whole = annotator(lambda passage: [(0, len(passage.text), "X")])
    sentence = Sentence(("a", "b"), (Span(1, 2, "Y"),))
    assert list(annotate([sentence], whole)) == [sentence]


spans = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 3)), max_size=4)


@given(spans, spans, st.sampled_from(["a", "ab", "東"]))
def test_the_result_never_crosses(taken, wanted, word):
    given_spans, after = [], 0
    for start, width in sorted(taken):
        if start >= after and start + width <= 8:
            after = start + width
            given_spans.append(Span(start, after, "GIVEN"))
    sentence = Sentence((word,) * 8, tuple(given_spans))
    words = Passage.of(sentence).words
    rule = annotator(lambda text: [(words[s][0], words[min(s + w, 8) - 1][1], "NEW") for s, w in wanted])
    (found,) = annotate([sentence], rule)
    assert found.problem() is None
    assert [span for span in found.spans if span.label == "GIVEN"] == given_spans


def test_a_string_is_a_sentence():
    found, nothing = annotate(["Ada  in Bath.", ""], dictionary(("LOC", "Bath")))
    assert (found.text, found.words) == ("Ada  in Bath.", ("Ada", "in", "Bath", "."))
    assert [found.phrase(span) for span in found.spans] == ["Bath"]
    assert nothing.words == ()
    with pytest.raises(InputError, match="one string"):
        next(annotate("Ada in Bath.", dictionary(("LOC", "Bath"))))
