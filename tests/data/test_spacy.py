from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.data import spacy as spacy_format
from gleanner.data.files import ReadOptions
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

pytest.importorskip("spacy")

from spacy.tokens import Doc, DocBin
from spacy.tokens import Span as DocSpan
from spacy.vocab import Vocab


def document(*words):
    return Doc(Vocab(), words=list(words), spaces=[True] * (len(words) - 1) + [False])


@pytest.fixture
def read(tmp_path):
    def read(*documents, complete=None):
        path = tmp_path / "in.spacy"
        DocBin(docs=documents, store_user_data=True).to_disk(path)
        return list(spacy_format.read(path, ReadOptions(complete=complete)))

    return read


@pytest.fixture
def write(tmp_path):
    def write(*sentences):
        path, dropped = tmp_path / "out.spacy", Counter()
        spacy_format.write(sentences, path, dropped)
        return list(DocBin().from_disk(path).get_docs(Vocab())), dropped

    return write


def test_entities_set_the_usual_way_make_a_complete_sentence(read):
    doc = document("Ada", "Lovelace", "wrote")
    doc.ents = [DocSpan(doc, 0, 2, label="PER")]
    (sentence,) = read(doc)
    assert (sentence.words, sentence.spans, sentence.complete) == (
        ("Ada", "Lovelace", "wrote"),
        (Span(0, 2, "PER"),),
        True,
    )
    assert sentence.text == "Ada Lovelace wrote"


def test_a_document_without_annotation_is_incomplete(read):
    (sentence,) = read(document("Ada", "wrote"))
    assert (sentence.spans, sentence.complete) == ((), False)


def test_outside_and_blocked_tokens_among_missing_ones_are_no_entities(read):
    doc = document("Ada", "saw", "it", "there")
    doc.set_ents(
        [DocSpan(doc, 0, 1, label="PER")], outside=[doc[1:2]], blocked=[doc[2:3]], missing=[doc[3:4]], default="missing"
    )
    (sentence,) = read(doc)
    assert (sentence.spans, sentence.complete) == ((Span(0, 1, "PER"), Span(1, 2, "O"), Span(2, 3, "O")), False)
    assert read(doc, complete=True)[0].spans == (Span(0, 1, "PER"),)


def test_the_option_overrides_what_the_file_says(read):
    doc = document("Ada", "wrote")
    doc.ents = [DocSpan(doc, 0, 1, label="PER")]
    (sentence,) = read(doc, complete=False)
    assert (sentence.spans, sentence.complete) == ((Span(0, 1, "PER"),), False)


def test_the_group_of_the_span_categoriser_is_read(read):
    doc = document("University", "of", "London")
    doc.ents = [DocSpan(doc, 0, 3, label="ORG")]
    doc.spans["sc"] = [DocSpan(doc, 0, 3, label="ORG"), DocSpan(doc, 2, 3, label="LOC")]
    assert read(doc)[0].spans == (Span(0, 3, "ORG"), Span(2, 3, "LOC"))


def test_white_space_tokens_are_no_words_and_the_text_stays(write, tmp_path):
    text = " Ada \n Lovelace  wrote\n"
    sentence = Sentence(("Ada", "Lovelace", "wrote"), (Span(0, 2, "PER"),), True, text, ((1, 4), (7, 15), (17, 22)))
    (doc,), dropped = write(sentence)
    assert doc.text == text
    assert [entity.text for entity in doc.ents] == ["Ada \n Lovelace"]
    assert not dropped
    assert list(spacy_format.read(tmp_path / "out.spacy", ReadOptions())) == [sentence]


def test_what_is_unknown_is_missing(write):
    spans = (Span(0, 1, "PER"), Span(1, 2, "?"))
    (complete, incomplete), dropped = write(
        Sentence(("a", "b", "c"), spans, complete=True),
        Sentence(("a", "b", "c"), (*spans, Span(2, 3, "O"))),
    )
    assert [token.ent_iob for token in complete] == [3, 0, 2]
    assert [token.ent_iob for token in incomplete] == [3, 0, 2]
    assert dropped == {"explicit unknowns": 1}


def test_losses_are_counted(write):
    sentence = Sentence(
        ("a", "b", "c"), (Span(0, 1, "X", "me", 0.5), Span(1, 3, "O")), text="a-b c", offsets=((0, 1), (2, 3), (4, 5)),
        meta={"id": 1},
    )  # fmt: skip
    (doc,), dropped = write(sentence)
    assert doc.text == "a b c"
    assert dropped == {
        "sources of labels": 1,
        "scores of labels": 1,
        "explicit negatives": 1,
        "metadata of sentences": 1,
        "characters between words": 1,
    }


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_writing_and_reading_is_the_identity(tmp_path_factory, data):
    sentences = []
    for _ in range(data.draw(st.integers(1, 4))):
        count = data.draw(st.integers(1, 6))
        edges = sorted(data.draw(st.sets(st.integers(0, count), min_size=2))) if count > 1 else [0, 1]
        chosen = [
            Span(a, b, data.draw(st.sampled_from(["X", "Y"]))) for a, b in zip(edges[::2], edges[1::2], strict=False)
        ]
        if data.draw(st.booleans()) and len(edges) > 2:
            chosen.append(Span(edges[0], edges[-1], "OUTER"))
        words = tuple("abcdef"[:count])
        offsets = tuple((2 * i, 2 * i + 1) for i in range(count))
        sentences.append(Sentence(words, tuple(chosen), True, " ".join(words), offsets))
    path = tmp_path_factory.mktemp("spacy") / "a.spacy"
    spacy_format.write(sentences, path, Counter())
    for got, expected in zip(spacy_format.read(path, ReadOptions()), sentences, strict=True):
        assert set(got.spans) == set(expected.spans)
        assert (got.words, got.text, got.offsets, got.complete) == (
            expected.words,
            expected.text,
            expected.offsets,
            True,
        )


@pytest.mark.parametrize("content", [b"", b"nonsense", b"half"])
def test_a_file_that_is_no_docbin_is_said(tmp_path, content):
    path = tmp_path / "bad.spacy"
    whole = DocBin(docs=[document("a", "b")]).to_bytes()
    path.write_bytes(whole[: len(whole) // 2] if content == b"half" else content)
    with pytest.raises(InputError, match="is not a whole spaCy DocBin"):
        list(spacy_format.read(path, ReadOptions()))


def test_crossing_spans_are_said_with_their_document(read):
    doc = document("a", "b", "c")
    doc.spans["sc"] = [DocSpan(doc, 0, 2, label="X"), DocSpan(doc, 1, 3, label="Y")]
    with pytest.raises(InputError, match=r"document 2: spans .* overlap"):
        read(document("a"), doc)


def test_without_spacy_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "spacy.tokens", None)
    with pytest.raises(InputError, match=r"pip install 'gleanner\[spacy\]'"):
        spacy_format.write([], tmp_path / "a.spacy", Counter())
