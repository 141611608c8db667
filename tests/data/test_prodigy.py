import json
from collections import Counter

import pytest

from gleanner.data import prodigy
from gleanner.data.files import ReadOptions
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

RECORD = {
    "text": "Ada  Lovelace wrote",
    "_input_hash": -7,
    "meta": {"source": "letters"},
    "tokens": [
        {"text": "Ada", "start": 0, "end": 3, "id": 0, "ws": True},
        {"text": " ", "start": 4, "end": 5, "id": 1, "ws": False},
        {"text": "Lovelace", "start": 5, "end": 13, "id": 2, "ws": True},
        {"text": "wrote", "start": 14, "end": 19, "id": 3, "ws": False},
    ],
    "spans": [
        {"start": 0, "end": 13, "token_start": 0, "token_end": 2, "label": "PER", "source": "model", "score": 0.5}
    ],
    "answer": "accept",
}


@pytest.fixture
def read(tmp_path):
    def read(*records, complete=None):
        path = tmp_path / "in.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return list(prodigy.read(path, ReadOptions(complete=complete)))

    return read


@pytest.fixture
def write(tmp_path):
    def write(*sentences):
        path, dropped = tmp_path / "out.jsonl", Counter()
        prodigy.write(sentences, path, dropped)
        return [json.loads(line) for line in path.read_text().splitlines()], dropped

    return write


def test_a_record_with_tokens(read):
    assert read(RECORD) == [
        Sentence(
            ("Ada", "Lovelace", "wrote"),
            (Span(0, 2, "PER", "model", 0.5),),
            text="Ada  Lovelace wrote",
            offsets=((0, 3), (5, 13), (14, 19)),
            meta={"_input_hash": -7, "meta": {"source": "letters"}},
        )
    ]


def test_a_record_of_text_alone(read):
    (sentence,) = read({"text": "Ada wrote."})
    assert (sentence.words, sentence.spans, sentence.complete) == (("Ada", "wrote", "."), (), False)


def test_one_rejected_span_is_no_entity_and_several_are_unknown(read):
    one = {**RECORD, "answer": "reject"}
    two = {**one, "spans": [*RECORD["spans"], {"start": 14, "end": 19, "label": "ORG"}]}
    first, second = read(one, two, complete=True)
    assert [span.label for span in first.spans] == ["O"]
    assert [span.label for span in second.spans] == ["?", "?"]
    assert not first.complete and not second.complete


def test_ignored_records_are_passed_over(read):
    assert read({**RECORD, "answer": "ignore"}, RECORD) == read(RECORD)


@pytest.mark.parametrize(
    ("said", "option", "complete"), [(True, None, True), (True, False, False), (False, True, True)]
)
def test_the_option_overrides_what_the_record_says_of_silence(read, said, option, complete):
    assert read({**RECORD, "complete": said}, complete=option)[0].complete is complete


@pytest.mark.parametrize("answer", ["accept", "reject"])
@pytest.mark.parametrize("complete", [True, False])
def test_writing_and_reading_is_the_identity(read, write, answer, complete):
    sentences = read({**RECORD, "answer": answer, "complete": complete})
    written, dropped = write(*sentences)
    assert read(*written) == sentences
    assert not dropped
    assert written[0]["spans"][0]["label"] == "PER"
    assert written[0]["answer"] == answer


def test_what_prodigy_cannot_say_is_counted(write):
    sentence = Sentence(("a", "b", "c"), (Span(0, 1, "X"), Span(1, 2, "O"), Span(2, 3, "?")))
    (record,), dropped = write(sentence)
    assert [span["label"] for span in record["spans"]] == ["X"]
    assert record["text"] == "a b c"
    assert dropped == {"explicit negatives": 1, "explicit unknowns": 1}


@pytest.mark.parametrize(
    ("change", "phrase"),
    [
        ({"text": None}, "'text' must be a string, not null"),
        ({"spans": 3}, "'spans' must be an array, not 3"),
        ({"spans": [3]}, "a span must be an object, not 3"),
        ({"spans": [{"start": 0, "end": 2, "label": "X"}]}, "cuts the word 'Ada'"),
        ({"spans": [{"start": True, "end": 3, "label": "X"}]}, "not a whole number"),
        ({"spans": [{"start": 0, "end": 3, "label": 3}]}, "not a string"),
        ({"spans": [{"start": 0, "end": 3, "label": "X", "score": 2}]}, "has the score 2"),
        ({"tokens": [{"start": 0, "end": 3, "text": "Bob"}]}, "is 'Bob', but the text there is 'Ada'"),
        ({"tokens": [{"start": 0}]}, "not a whole number"),
        ({"answer": "perhaps"}, "the answer 'perhaps' is none of"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(read, change, phrase):
    with pytest.raises(InputError) as error:
        read(RECORD, {**RECORD, **change})
    assert phrase in str(error.value)
    assert error.value.line == 2
