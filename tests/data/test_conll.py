"""Columns."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gleanner.data.conll import read, write
from gleanner.data.files import ReadOptions
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

WORD = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \t\r\n\ufeff"), min_size=1, max_size=5),
    st.sampled_from(["#", "O", "New York", "\u3000", "\x85"]),
).filter(str.strip)


@st.composite
def sentence_of(draw):
    words = tuple(draw(st.lists(WORD, min_size=1, max_size=8)))
    spans, start = [], 0
    while start < len(words):
        end = draw(st.integers(start + 1, len(words)))
        if draw(st.booleans()):
            spans.append(Span(start, end, draw(st.sampled_from(["PER", "LOC", "A-B", "A B"]))))
        start = end
    meta = {"columns": [[draw(WORD), "_"] for _ in words]}
    if draw(st.booleans()):
        meta["docstart"] = "-DOCSTART- -X- O O"
    if draw(st.booleans()):
        meta["comments"] = ["# id 3", "# O"]
    return Sentence(words, tuple(spans), meta=meta)


def read_text(tmp_path, text, **options):
    path = tmp_path / "a.conll"
    path.write_text(text)
    return list(read(path, ReadOptions(**options)))


@pytest.mark.parametrize("ending", [".conll", ".bio", ".iob", ".bioes", ".bmes"])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(sentence_of(), max_size=4))
def test_there_and_back(tmp_path, ending, sentences):
    sentences = [*sentences, Sentence(("no", "hash"), meta={"columns": [["a", "b"]] * 2})]
    path, dropped = tmp_path / f"a{ending}", Counter()
    write(sentences, path, dropped)
    assert list(read(path, ReadOptions())) == sentences
    assert not dropped


def test_conll_2003(tmp_path):
    first, second = read_text(
        tmp_path,
        "-DOCSTART- -X- -X- O\n\nEU NNP I-NP I-ORG\nrejects VBZ I-VP O\n\n\nPeter NNP I-NP I-PER\nBob NNP I-NP B-PER",
    )
    assert first.words == ("EU", "rejects")
    assert first.spans == (Span(0, 1, "ORG"),)
    assert first.meta == {"docstart": "-DOCSTART- -X- -X- O", "columns": [["NNP", "I-NP"], ["VBZ", "I-VP"]]}
    assert second.spans == (Span(0, 1, "PER"), Span(1, 2, "PER"))
    assert not first.complete


def test_options(tmp_path):
    text = "Ada B-PER NNP O\nwrote O VBD O\n"
    for column in (1, -3):
        (sentence,) = read_text(tmp_path, text, column=column, complete=True)
        assert sentence.spans == (Span(0, 1, "PER"),)
        assert sentence.meta == {"columns": [["NNP", "O"], ["VBD", "O"]]}
        assert sentence.complete
    assert read_text(tmp_path, text)[0].spans == ()


def test_comments_and_words_that_look_like_them(tmp_path):
    text = "# id 3\n# O B-PER\n# O\nAda B-PER\n# O\n\n# B-X\n1 I-X\n"
    first, second = read_text(tmp_path, text)
    assert first.meta == {"comments": ["# id 3", "# O B-PER"]}
    assert first.words == ("#", "Ada", "#")
    assert second.words == ("#", "1")


def test_a_comment_in_a_file_with_tabs(tmp_path):
    (sentence,) = read_text(tmp_path, "# O\nAda\tB-PER\n")
    assert sentence.meta == {"comments": ["# O"]}


def test_windows_line_ends_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "a.conll"
    path.write_bytes(b"\xef\xbb\xbfAda\tB-PER\r\nwrote\tO\r\n\r\nBob\tO\r\n")
    assert [s.words for s in read(path, ReadOptions())] == [("Ada", "wrote"), ("Bob",)]


def test_what_is_written(tmp_path):
    sentence = Sentence(("New York", "and", "Ada"), (Span(2, 3, "PER"), Span(0, 1, "LOC")))
    write([sentence], tmp_path / "a.bioes", Counter())
    assert (tmp_path / "a.bioes").read_text() == "New York\tS-LOC\nand\tO\nAda\tS-PER\n\n"


def test_what_is_dropped(tmp_path):
    sentences = [
        Sentence(("a", "b\tc", " "), (Span(0, 2, "X"), Span(0, 1, "Y"), Span(1, 2, "O"), Span(2, 3, "?"))),
        Sentence(("a", "b"), (Span(0, 1, "X", "me"), Span(1, 2, "X", score=0.5)), True, "a b", ((0, 1), (2, 3))),
        Sentence(("a",), meta={"id": 3, "columns": [["N", "M"]], "comments": ["no hash"]}),
        Sentence(("a",), meta={"columns": "odd", "docstart": 7}),
    ]
    path, dropped = tmp_path / "a.io", Counter()
    write(sentences, path, dropped)
    assert path.read_text() == "a\tI-X\nb_c\tI-X\n_\tO\n\na\tI-X\nb\tI-X\n\na\tO\n\na\tO\n\n"
    assert dropped == {
        "nested entities": 1,
        "explicit negatives": 1,
        "explicit unknowns": 1,
        "white space in cells": 2,
        "sources of labels": 1,
        "scores of labels": 1,
        "borders between neighbours of one type": 1,
        "texts and character offsets": 1,
        "completeness of sentences": 1,
        "cells of further columns": 2,
        "metadata of sentences": 2,
    }


def test_a_word_that_reads_as_the_beginning_of_a_document_is_told(tmp_path):
    dropped = Counter()
    write([Sentence(("-DOCSTART-",)), Sentence(("a",))], tmp_path / "a.conll", dropped)
    assert dropped == {"words that read as a -DOCSTART- line": 1}


def test_missing_further_columns_are_filled(tmp_path):
    path = tmp_path / "a.conll"
    write([Sentence(("a",), meta={"columns": [["N"]]}), Sentence(("b",))], path, Counter())
    assert path.read_text() == "a\tN\tO\n\nb\t_\tO\n\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("Ada\nwrote\n", 1, "one column, 'Ada'"),
        ("Ada N B-PER\n\nwrote O\n", 3, "2 columns in .* where the lines before have 3"),
        ("Ada\tN\tB-PER\nwrote\t\tO\n", 2, "2 columns in .* where the lines before have 3"),
        ("Ada B-PER\nwrote X-PER\n", 2, "tag 'X-PER' is unknown"),
        ("Ada B-PER\nwrote B\n", 2, "tag 'B' is unknown"),
        ("# one\nAda B-PER\nwrote O\nit I-PER\n", 4, "tag 'I-PER' after 'O'"),
        ("Ada B-PER\nL E-PER\n\nBob B-PER\n\nof S-LOC\n", 4, "at the end of a sentence"),
    ],
)
def test_what_is_wrong_and_where(tmp_path, text, line, message):
    with pytest.raises(InputError, match=message) as caught:
        read_text(tmp_path, text)
    assert caught.value.line == line
    assert caught.value.remedy


@pytest.mark.parametrize("column", [0, 2, -2, 7, -9])
def test_a_column_that_cannot_be(tmp_path, column):
    with pytest.raises(
        InputError, match=f"column {column} cannot hold the labels: there are 2.*choose one from 1 to 1"
    ):
        read_text(tmp_path, "Ada B-PER\n", column=column)


def test_a_file_without_words(tmp_path):
    assert read_text(tmp_path, "\n# only a comment\n-DOCSTART- O\n\n") == []
