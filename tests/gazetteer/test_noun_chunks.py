import pickle
import sys

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.candidates import CandidateAnnotator
from gleanner.gazetteer.from_dictionary import DictionaryAnnotator
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.noun_chunks import NounChunks
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.term import Term
from gleanner.types import Sentence

spacy = pytest.importorskip("spacy")

PARSES = {
    "the severe renal failure came": [
        ("DET", "det", 3),
        ("ADJ", "amod", 3),
        ("ADJ", "amod", 3),
        ("NOUN", "nsubj", 4),
        ("VERB", "ROOT", 4),
    ],
    "it helps aspirin": [("PRON", "nsubj", 1), ("VERB", "ROOT", 1), ("NOUN", "dobj", 1)],
}
"""For each word its part of speech, its relation and the place of its head."""


@spacy.Language.component("gleanner_known_parses")
def parse(doc):
    """In the place of a model: parses that are known."""
    for token, (pos, dep, head) in zip(doc, PARSES.get(" ".join(token.text for token in doc), ()), strict=True):
        token.pos_, token.dep_, token.head = pos, dep, doc[head]
    return doc


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """The folder of a pipeline without weights."""
    folder = tmp_path_factory.mktemp("spacy") / "model"
    pipeline = spacy.blank("en")
    pipeline.add_pipe("gleanner_known_parses")
    pipeline.to_disk(folder)
    return str(folder)


def passages():
    return [Passage.of(Sentence(tuple(text.split()))) for text in PARSES]


def test_chunks_without_articles_and_pronouns_with_the_parts_that_hold_the_head(model):
    given = passages()
    first, second = NounChunks(model)(given)
    text = given[0].text
    assert [(text[c.start : c.end], [text[a:b] for a, b in c.parts]) for c in first] == [
        ("severe renal failure", ["renal failure", "failure"])
    ]
    assert [(given[1].text[c.start : c.end], c.parts) for c in second] == [("aspirin", ())]


def test_the_terms_among_them_get_a_type(model):
    terms = [Term("renal failure", ("Disease",), 1), Term("renal", ("Organ",), 2), Term("helps", ("Verb",), 3)]
    annotator = CandidateAnnotator(NounChunks(model), DictionaryAnnotator(Lexicon.compile([("a.tsv", terms)])))
    for one in (annotator, pickle.loads(pickle.dumps(annotator))):
        found = [[(label.type, label.source) for label in labels] for labels in one(passages())]
        assert found == [[("Disease", "dictionary:a.tsv:1:renal failure")], [("?", "candidates:noun-chunks")]]


def test_words_keep_their_places(model):
    text = "it  helps\naspirin"
    passage = Passage(text, ((0, 2), (4, 9), (10, 17)))
    ((candidate,),) = NounChunks(model)([passage])
    assert (candidate.start, candidate.end) == (10, 17)


def test_a_passage_without_words(model, monkeypatch):
    monkeypatch.setitem(PARSES, "", [])
    assert NounChunks(model)([Passage("")]) == [[]]


def test_a_model_without_a_parser_is_refused(tmp_path):
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="finds no noun chunks; choose one with a parser"):
        NounChunks(str(tmp_path / "blank"))(passages())


def test_a_model_that_is_not_there():
    with pytest.raises(
        InputError, match="there is no spaCy model 'no_such_model'; python -m spacy download no_such_model"
    ):
        NounChunks("no_such_model")(passages())


def test_without_spacy_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(InputError, match=r"noun chunks need spaCy; pip install 'gleanner\[spacy\]'"):
        NounChunks("en_core_web_sm")(passages())
