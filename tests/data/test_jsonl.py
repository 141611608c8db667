"""The canonical format."""

import json
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gleanner.data.files import ReadOptions
from gleanner.data.jsonl import read, write
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

CHARACTERS = st.characters(exclude_categories=["Cs"])
WORD = st.text(CHARACTERS, min_size=1, max_size=5)
LABEL = st.sampled_from(["PER", "O", "?", "a b"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(CHARACTERS),
    lambda values: st.lists(values, max_size=2) | st.dictionaries(st.text(CHARACTERS), values, max_size=2),
    max_leaves=4,
)


@st.composite
def sentence_of(draw):
    words = draw(st.lists(WORD, min_size=1, max_size=6))
    spans, inside = [], range(len(words) + 1)
    for start, end in sorted({tuple(sorted(draw(st.tuples(*[st.sampled_from(inside)] * 2)))) for _ in range(4)}):
        span = Span(start, end, draw(LABEL), draw(st.text(CHARACTERS, max_size=3)), draw(st.none() | st.floats(0, 1)))
        if Sentence(tuple(words), (*spans, span)).problem() is None:
            spans.append(span)
    text = offsets = None
    if draw(st.booleans()):
        text, offsets = "", ()
        for word in words:
            text += draw(st.sampled_from(["", " ", "\n"]))
            offsets += ((len(text), len(text) + len(word)),)
            text += word
    keys = st.text(CHARACTERS).filter(
        lambda key: key not in ("tokens", "text", "entities", "spans", "offsets", "complete")
    )
    meta = draw(st.dictionaries(keys, JSON, max_size=2))
    return Sentence(tuple(words), tuple(spans), draw(st.booleans()), text, offsets, meta)


def read_text(tmp_path, text, options=None):
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    return list(read(path, options or ReadOptions()))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(sentence_of(), max_size=3))
def test_there_and_back(tmp_path, sentences):
    path, dropped = tmp_path / "a.jsonl", Counter()
    write(sentences, path, dropped)
    assert list(read(path, ReadOptions())) == sentences
    assert not dropped


def test_the_shapes(tmp_path):
    expected = Sentence(("Ada", "Lovelace", "wrote"), (Span(0, 2, "PER"),))
    text, *others = read_text(
        tmp_path,
        """
        {"text": "Ada Lovelace wrote", "spans": [{"start": 0, "end": 12, "label": "PER"}]}
        {"text": "Ada Lovelace wrote", "entities": [[0, 12, "PER"]]}

        {"tokens": ["Ada", "Lovelace", "wrote"], "entities": [[0, 2, "PER"]]}
        {"tokens": ["Ada", "Lovelace", "wrote"], "entities": [{"start": 0, "end": 2, "label": "PER"}]}
        """,
    )
    assert others[1:] == [expected, expected]
    assert others[0] == text
    assert (text.words, text.spans, text.offsets) == (expected.words, expected.spans, ((0, 3), (4, 12), (13, 18)))


def test_what_is_written(tmp_path):
    sentence = Sentence(("Ada",), (Span(0, 1, "PER"),))
    sourced = Sentence(("Ada",), (Span(0, 1, "PER", "list.tsv:3", 0.5),), complete=True, meta={"id": "é"})
    write([sentence, sourced], tmp_path / "a.jsonl", Counter())
    assert (tmp_path / "a.jsonl").read_text() == (
        '{"tokens": ["Ada"], "entities": [[0, 1, "PER"]]}\n'
        '{"tokens": ["Ada"], "entities": [{"start": 0, "end": 1, "label": "PER", "source": "list.tsv:3", "score": 0.5}], '
        '"complete": true, "id": "é"}\n'
    )


def test_complete(tmp_path):
    text = '{"tokens": ["a"]}\n{"tokens": ["a"], "complete": true}\n{"text": "a", "complete": false}'
    assert [s.complete for s in read_text(tmp_path, text)] == [False, True, False]
    for said in (True, False):
        assert {s.complete for s in read_text(tmp_path, text, ReadOptions(complete=said))} == {said}


def test_metadata_that_cannot_be_kept(tmp_path):
    dropped = Counter()
    write([Sentence(("a",), meta={"spans": 3, "id": 4})], tmp_path / "a.jsonl", dropped)
    assert dropped == {"metadata named 'spans'": 1}
    assert next(read(tmp_path / "a.jsonl", ReadOptions())).meta == {"id": 4}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"tokens": ["a"', "malformed JSON at column 16: Expecting ',' delimiter"),
        ("not json", "malformed JSON at column 1"),
        ("[1, 2]", "must be an object, not"),
        ('{"tokens": ["a"], "n": NaN}', "NaN is not a number of JSON"),
        ('{"tokens": ["\\ud83d"]}', "half of a surrogate pair"),
        ('{"tokens": ["a"], "n": ' + "[" * 10_000 + "]" * 10_000 + "}", "recursion"),
        ('{"words": ["a"]}', "neither 'tokens' nor 'text' among the keys 'words'"),
        ('{"tokens": "a b"}', "'tokens' must be an array"),
        ('{"tokens": ["a", 3]}', "3 is among the 'tokens'"),
        ('{"tokens": ["a", ""]}', "'' is among the 'tokens'"),
        ('{"text": 3}', "'text' must be a string"),
        ('{"tokens": ["a"], "complete": "yes"}', "'complete' must be true or false, not 'yes'"),
        ('{"tokens": ["a"], "complete": 1}', "'complete' must be true or false, not 1"),
        ('{"tokens": ["a"], "entities": {}}', "'entities' must be an array"),
        ('{"tokens": ["a"], "entities": [[0, 1]]}', r"\[0, 1\] is no entity"),
        ('{"tokens": ["a"], "entities": [{"start": 0, "end": 1}]}', "is no entity"),
        ('{"tokens": ["a"], "entities": [[false, 1, "PER"]]}', "not a whole number"),
        ('{"tokens": ["a"], "entities": [[0, 1.0, "PER"]]}', "not a whole number"),
        ('{"tokens": ["a"], "entities": [["0", 1, "PER"]]}', "not a whole number"),
        ('{"text": "a", "entities": [[true, 1, "PER"]]}', "not a whole number"),
        ('{"tokens": ["a"], "entities": [[0, 1, 5]]}', "label must be a string, not 5"),
        ('{"tokens": ["a"], "entities": [[0, 1, ""]]}', "empty label"),
        (
            '{"tokens": ["a"], "entities": [{"start": 0, "end": 1, "label": "A", "source": 5}]}',
            "source must be a string",
        ),
        ('{"tokens": ["a"], "entities": [{"start": 0, "end": 1, "label": "A", "score": 2}]}', "from 0 to 1"),
        ('{"tokens": ["a"], "entities": [{"start": 0, "end": 1, "label": "A", "score": true}]}', "from 0 to 1"),
        ('{"tokens": ["a"], "entities": [[0, 2, "PER"]]}', "out of range: the sentence has 1 words"),
        ('{"tokens": ["a"], "entities": [[-1, 1, "PER"]]}', "out of range"),
        ('{"tokens": ["a"], "entities": [[1, 0, "PER"]]}', "reversed or empty"),
        (
            '{"tokens": ["a", "b", "c"], "entities": [[0, 2, "A"], [1, 3, "B"]]}',
            "overlap and neither contains the other",
        ),
        ('{"tokens": ["a"], "entities": [[0, 1, "A"], [0, 1, "B"]]}', "labelled twice"),
        ('{"tokens": ["a"], "spans": []}', "'spans' beside 'tokens'"),
        ('{"text": "a", "spans": [], "entities": []}', "'spans' beside 'tokens' or 'entities'"),
        ('{"text": "Ada wrote", "entities": [[0, 2, "PER"]]}', "cuts the word 'Ada'"),
        ('{"text": "Ada wrote", "entities": [[0, 12, "PER"]]}', "out of range"),
        ('{"text": "Ada wrote", "entities": [[3, 0, "PER"]]}', "reversed"),
        ('{"text": "a", "offsets": [[0, 1]]}', "'offsets' without 'tokens'"),
        ('{"tokens": ["a"], "text": "a", "offsets": [[0, 1.5]]}', "among the 'offsets'"),
        ('{"tokens": ["a"], "text": "a", "offsets": [3]}', "3 is among the 'offsets'"),
        ('{"tokens": ["a"], "text": "b", "offsets": [[0, 1]]}', "not the word 'a'"),
        ('{"tokens": ["b"], "text": "ab", "offsets": [[-1, 2]]}', "outside the text"),
        ('{"tokens": ["b", "a"], "text": "ab", "offsets": [[1, 2], [0, 1]]}', "begins before the token in front"),
        ('{"tokens": ["a"], "offsets": [[0, 1]]}', "offsets without a text"),
    ],
)
def test_what_is_wrong_and_where(tmp_path, line, message):
    with pytest.raises(InputError, match=message) as caught:
        read_text(tmp_path, '{"tokens": ["fine"]}\n\n' + line + "\n")
    assert caught.value.line == 3
    assert "\n" not in str(caught.value)


def test_windows_line_ends_and_a_byte_order_mark(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps({"tokens": ["a"]}).encode() + b"\r\n\r\n")
    assert list(read(path, ReadOptions())) == [Sentence(("a",))]


def test_tags_are_not_taken_for_silence(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"tokens": ["Ada"], "ner_tags": ["B-PER"]}\n')
    with pytest.raises(InputError, match="'ner_tags' but no 'entities'"):
        list(read(path, ReadOptions()))
