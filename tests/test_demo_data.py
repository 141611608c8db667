from collections import Counter
from dataclasses import replace

import pytest

from gleanner import DictionaryAnnotator, annotate, demo_data
from gleanner.data.text import sentences, words
from gleanner.types import UNKNOWN, Sentence

PARTS = {"train": demo_data.train_gold, "dev": demo_data.dev, "test": demo_data.test}


@pytest.fixture(scope="module")
def parts():
    return {name: list(corpus()) for name, corpus in PARTS.items()}


@pytest.fixture(scope="module")
def names():
    return DictionaryAnnotator.read(demo_data.dictionary_path())


def test_there_are_enough_sentences(parts):
    assert len(parts["train"]) >= 500
    assert len(parts["dev"]) >= 150
    assert len(parts["test"]) >= 150


def test_the_raw_text_gives_back_the_training_sentences(parts):
    assert [sentence.words for _, sentence in sentences(demo_data.raw())] == [s.words for s in parts["train"]]


def test_the_raw_text_has_no_markup():
    assert not set("[]|<>{}#*_") & set(demo_data.raw())


@pytest.mark.parametrize("name", PARTS)
def test_the_annotation_is_complete_and_of_whole_words(parts, name):
    for sentence in parts[name]:
        assert sentence.complete
        assert sentence.problem() is None
        assert [(word, *span) for word, span in zip(sentence.words, sentence.offsets, strict=True)] == words(
            sentence.text
        )
        for span in sentence.spans:
            assert span.label in {"PER", "LOC", "ORG"}
            outside = ("the ", "Sir ", "Professor ") if span.label == "PER" else ("the ",)
            assert not sentence.phrase(span).startswith(outside)


def test_no_sentence_occurs_twice_and_no_article_in_two_parts(parts):
    texts = Counter(sentence.text for part in parts.values() for sentence in part)
    assert max(texts.values()) == 1
    articles = [{sentence.meta["article"] for sentence in part} for part in parts.values()]
    assert len(set.union(*articles)) == sum(map(len, articles)) == 96


@pytest.mark.parametrize("name", PARTS)
def test_the_term_list_finds_half_of_the_names_and_errs_now_and_then(parts, names, name):
    gold = [{(s.start, s.end, s.label) for s in sentence.entities} for sentence in parts[name]]
    bare = (replace(sentence, spans=()) for sentence in parts[name])
    found = [{(s.start, s.end, s.label) for s in sentence.entities} for sentence in annotate(bare, names)]
    right = sum(len(a & b) for a, b in zip(gold, found, strict=True))
    assert 0.45 <= right / sum(map(len, gold)) <= 0.55
    assert 0.85 <= right / sum(map(len, found)) <= 0.93


def test_the_term_list_has_ambiguous_terms(names):
    (lincoln,) = next(annotate([Sentence(("Lincoln",))], names)).spans
    assert lincoln.label == UNKNOWN
