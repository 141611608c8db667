import json
from collections import Counter

import pytest

from gleanner.data import label_studio
from gleanner.data.files import ReadOptions
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

TEXT = "Ada wrote"


def region(start, end, text, label="PER"):
    return {"start": start, "end": end, "text": text, "labels": [label]}


def result(*args, **changes):
    return {"id": "x", "from_name": "label", "to_name": "text", "type": "labels", "value": region(*args)} | changes


def task(*annotations, **changes):
    return {"id": 1, "data": {"text": TEXT}, "annotations": list(annotations)} | changes


@pytest.fixture
def read(tmp_path):
    def read(*tasks, complete=None):
        path = tmp_path / "in.json"
        path.write_text("[" + ",\n".join(map(json.dumps, tasks)) + "]")
        return list(label_studio.read(path, ReadOptions(complete=complete)))

    return read


@pytest.fixture
def write(tmp_path):
    def write(*sentences):
        path, dropped = tmp_path / "out.json", Counter()
        label_studio.write(sentences, path, dropped)
        return json.loads(path.read_text(encoding="utf-8")), dropped

    return write


def test_a_task(read):
    assert read(task({"result": [result(0, 3, "Ada")]}, predictions=[{"model_version": "m"}])) == [
        Sentence(
            ("Ada", "wrote"),
            (Span(0, 1, "PER"),),
            text=TEXT,
            offsets=((0, 3), (4, 9)),
            meta={"id": 1, "predictions": [{"model_version": "m"}]},
        )
    ]


def test_the_first_annotation_that_was_not_cancelled_counts(read):
    cancelled = {"was_cancelled": True, "result": []}
    first, second = {"result": [result(0, 3, "Ada")]}, {"result": [result(4, 9, "wrote")]}
    (sentence,) = read(task(cancelled, first, second, second))
    assert sentence.spans == (Span(0, 1, "PER"),)
    assert sentence.meta["label_studio"] == {"other_annotations": 2}


@pytest.mark.parametrize("annotations", [[], [{"was_cancelled": True, "result": [result(0, 3, "Ada")]}]])
def test_a_task_that_nobody_annotated_is_never_complete(read, annotations):
    (sentence,) = read(task(*annotations), complete=True)
    assert (sentence.spans, sentence.complete) == ((), False)
    assert read(task({"result": []}), complete=True)[0].complete


def test_json_min_counts_the_first_of_the_records_of_a_task(read):
    record = {"id": 1, "text": TEXT, "annotator": 1, "created_at": "2024", "ner": [region(0, 3, "Ada")]}
    first, second = read(record, {**record, "ner": []}, {**record, "id": 2, "annotator": 2})
    assert first.spans == second.spans == (Span(0, 1, "PER"),)
    assert first.meta == {"id": 1, "annotator": 1, "created_at": "2024", "label_studio": {"other_annotations": 1}}
    assert second.meta == {"id": 2, "annotator": 2, "created_at": "2024"}


@pytest.mark.parametrize(("start", "end"), [(2, 5), (3, 6)])
def test_utf_16_units_are_told_from_code_points_by_the_quoted_text(read, start, end):
    (sentence,) = read(task({"result": [result(start, end, "Ada")]}, data={"text": "\U0001f4a9 Ada"}))
    assert sentence.phrase(sentence.spans[0]) == "Ada"


def test_white_space_and_escapes_in_the_quoted_text_do_not_matter(read):
    (sentence,) = read(task({"result": [result(0, 7, "Ada\\nB.")]}, data={"text": "Ada\nB. x"}))
    assert sentence.phrase(sentence.spans[0]) == "Ada\nB."


def test_writing_and_reading_is_the_identity(read, write):
    names = {"from_name": "ner", "to_name": "body"}
    sentences = read(
        task({"result": [result(0, 3, "Ada", **names)]}, data={"body": "Ada é", "complete": True, "year": 1843}),
        task(),
    )
    written, dropped = write(*sentences)
    assert written[0]["data"] == {"body": "Ada é", "complete": True, "year": 1843}
    assert written[0]["annotations"][0]["result"][0]["from_name"] == "ner"
    assert read(*written) == sentences
    assert not dropped


def test_nothing_is_an_empty_array(write):
    assert write() == ([], {})


def test_losses_are_counted(read, write):
    relation = {"type": "relation", "from_id": "x", "to_id": "y"}
    (sentence,) = read(task({"result": [result(0, 3, "Ada"), relation]}, {"result": []}))
    _, dropped = write(sentence, Sentence(("a",), (Span(0, 1, "?"),)))
    assert dropped == {
        "annotations of further annotators": 1,
        "results that are no labels": 1,
        "explicit unknowns": 1,
    }


@pytest.mark.parametrize(
    ("bad", "phrase"),
    [
        (3, "a task must be an object, not 3"),
        (task(data=[]), "'data' must be an object, not []"),
        (task(data={"a": "x", "b": "y"}), "as its only string; the keys are 'a', 'b'"),
        (task(annotations=3), "'annotations' must be an array, not 3"),
        (task({"result": [3]}), "what is in 'result' must be an object, not 3"),
        (task({"result": [result(0, 3, "wrote")]}), "quotes 'wrote', but the text there is 'Ada'"),
        (task({"result": [result("/div[1]", 3, "Ada")]}), "only plain text can be read"),
        (task({"result": [result(0, 2, "Ad")]}), "cuts the word 'Ada'"),
        (task({"result": [result(0, 3, "Ada"), result(0, 3, "Ada", "LOC")]}), "labelled twice: PER and LOC"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(read, bad, phrase):
    with pytest.raises(InputError) as error:
        read(task(), bad)
    assert phrase in str(error.value)
    assert error.value.line == 2
