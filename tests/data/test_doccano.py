import json
from collections import Counter

import pytest

from gleanner.data import doccano
from gleanner.data.files import ReadOptions
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

TEXT = "Ada wrote"
SENTENCE = Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),), text=TEXT, offsets=((0, 3), (4, 9)), meta={"id": 4})


@pytest.fixture
def read(tmp_path):
    def read(*records, complete=None):
        path = tmp_path / "in.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return list(doccano.read(path, ReadOptions(complete=complete)))

    return read


@pytest.mark.parametrize(
    "record",
    [
        {"id": 4, "text": TEXT, "label": [[0, 3, "PER"]]},
        {"id": 4, "text": TEXT, "labels": [[0, 3, "PER"]]},
        {"id": 4, "data": TEXT, "label": [[0, 3, "PER"]]},
        {"id": 4, "text": TEXT, "entities": [{"id": 1, "label": "PER", "start_offset": 0, "end_offset": 3}]},
    ],
)
def test_every_shape(read, record):
    assert read(record) == [SENTENCE]


def test_writing_and_reading_is_the_identity_and_losses_are_counted(read, tmp_path):
    kept = Sentence(SENTENCE.words, SENTENCE.spans, True, TEXT, SENTENCE.offsets, {"Comments": ["sic"]})
    lossy = Sentence(
        ("Ada", "wrote"),
        (Span(0, 1, "PER", "me", 0.5), Span(1, 2, "O")),
        text=TEXT,
        offsets=SENTENCE.offsets,
        meta={"id": 4, "relations": [{"from_id": 1, "to_id": 2}]},
    )
    path, dropped = tmp_path / "out.jsonl", Counter()
    doccano.write([kept, lossy], path, dropped)
    assert list(doccano.read(path, ReadOptions())) == [kept, SENTENCE]
    assert dropped == {"explicit negatives": 1, "sources of labels": 1, "scores of labels": 1, "relations": 1}


@pytest.mark.parametrize(
    ("record", "phrase"),
    [
        ({"label": []}, "needs its text under 'text' or 'data'; the keys are 'label'"),
        ({"text": TEXT, "label": ["positive"]}, '"positive" is no span'),
        ({"text": TEXT, "label": [[0, 2, "X"]]}, "cuts the word 'Ada'"),
        ({"text": TEXT, "label": [[0, 99, "X"]]}, "out of range"),
        ({"text": TEXT, "label": [[0.0, 3, "X"]]}, "not a whole number"),
        ({"text": 1}, "'text' must be a string, not 1"),
        (["text"], 'the line must be an object, not ["text"]'),
    ],
)
def test_what_is_wrong_is_said_with_its_line(read, record, phrase):
    with pytest.raises(InputError) as error:
        read({"text": TEXT}, record)
    assert phrase in str(error.value)
    assert error.value.line == 2


def test_malformed_json_is_said_with_line_and_column(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"text": "a"}\r\n\n{"text": }\n')
    with pytest.raises(InputError, match=r"in\.jsonl:3: malformed JSON at column 10"):
        list(doccano.read(path, ReadOptions()))
