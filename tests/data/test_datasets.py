from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.data import datasets as datasets_format
from gleanner.data.files import ReadOptions
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

library = pytest.importorskip("datasets")

NAMES = ["O", "B-PER", "I-PER"]
TAGS = library.Features(
    tokens=library.Sequence(library.Value("string")), ner_tags=library.Sequence(library.ClassLabel(names=NAMES))
)


@pytest.fixture(autouse=True)
def quiet():
    library.disable_progress_bars()
    yield
    library.enable_progress_bars()


def dataset(tokens, tags, features=TAGS):
    return library.Dataset.from_dict({"tokens": tokens, "ner_tags": tags}, features=features)


@pytest.fixture
def read(tmp_path):
    def read(data, split="", complete=None):
        path = tmp_path / "saved"
        data.save_to_disk(str(path))
        return list(datasets_format.read(tmp_path / f"saved{split}", ReadOptions(complete=complete)))

    return read


ADA = dataset([["Ada", "Lovelace", "wrote"]], [[1, 2, 0]])
SENTENCE = Sentence(("Ada", "Lovelace", "wrote"), (Span(0, 2, "PER"),))


def test_class_labels(read):
    assert read(ADA) == [SENTENCE]
    assert read(ADA, complete=True)[0].complete


def test_tags_that_are_strings_in_another_scheme_and_an_id(read):
    data = library.Dataset.from_dict(
        {"id": [7], "tokens": [["Ada", "Lovelace", "wrote"]], "ner_tags": [["B-PER", "E-PER", "O"]]}
    )
    assert read(data) == [Sentence(SENTENCE.words, SENTENCE.spans, meta={"id": "7"})]


def test_one_split_is_taken_and_several_must_be_named(read):
    assert read(library.DatasetDict(train=ADA)) == [SENTENCE]
    both = library.DatasetDict(train=ADA, test=dataset([["x"]], [[0]]))
    assert read(both, ":test")[0].words == ("x",)
    with pytest.raises(InputError, match=r"there are several splits; name one: .*saved:train, .*saved:test"):
        read(both)
    with pytest.raises(InputError, match=r"there is no split 'dev'; name one: .*saved:train"):
        read(both, ":dev")


def test_a_dataset_has_no_splits(read):
    with pytest.raises(InputError, match="there is no split 'train': the dataset has none"):
        read(ADA, ":train")


def test_what_is_written_has_class_labels(tmp_path):
    datasets_format.write([SENTENCE], tmp_path / "out", Counter())
    written = library.load_from_disk(str(tmp_path / "out"))
    assert written.features["ner_tags"].feature.names == NAMES
    assert written[0] == {"tokens": list(SENTENCE.words), "ner_tags": [1, 2, 0], "id": None, "complete": False}


def test_losses_are_counted(tmp_path):
    sentence = Sentence(
        ("University", "of", "London", "x"),
        (Span(0, 3, "ORG", "me", 0.5), Span(2, 3, "LOC"), Span(3, 4, "O")),
        text="University of London x",
        meta={"id": "a", "year": 1836},
    )
    dropped = Counter()
    datasets_format.write([sentence], tmp_path / "out", dropped)
    (again,) = datasets_format.read(tmp_path / "out", ReadOptions())
    assert (again.spans, again.meta) == ((Span(0, 3, "ORG"),), {"id": "a"})
    assert dropped == {
        "nested spans": 1,
        "explicit negatives": 1,
        "sources of labels": 1,
        "scores of labels": 1,
        "texts": 1,
        "metadata of sentences": 1,
    }


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_writing_and_reading_is_the_identity(tmp_path_factory, data):
    sentences = []
    for number in range(data.draw(st.integers(1, 4))):
        edges = sorted(data.draw(st.sets(st.integers(0, 6), max_size=6)))
        found = tuple(
            Span(start, end, data.draw(st.sampled_from(["X", "Y"])))
            for start, end in zip(edges[::2], edges[1::2], strict=False)
        )
        sentences.append(Sentence(tuple("abcdef"), found, data.draw(st.booleans()), meta={"id": str(number)}))
    path = tmp_path_factory.mktemp("datasets") / "out"
    datasets_format.write(sentences, path, Counter())
    assert list(datasets_format.read(path, ReadOptions())) == sentences


def test_more_than_one_batch(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets_format, "_BATCH", 2)
    sentences = [Sentence((str(number),), (Span(0, 1, f"T{number}"),)) for number in range(5)]
    datasets_format.write(iter(sentences), tmp_path / "out", Counter())
    assert list(datasets_format.read(tmp_path / "out", ReadOptions())) == sentences


@pytest.mark.parametrize(
    ("data", "phrase"),
    [
        (library.Dataset.from_dict({"words": [["a"]], "ner_tags": [["O"]]}), "no column 'tokens' among 'words'"),
        (
            library.Dataset.from_dict({"tokens": [["a"]], "tags": [["O"]]}),
            "no column 'ner_tags' among 'tokens', 'tags'",
        ),
        (library.Dataset.from_dict({"tokens": ["a"], "ner_tags": [["O"]]}), "'tokens' has .* not lists of strings"),
        (library.Dataset.from_dict({"tokens": [["a"]], "ner_tags": [[3]]}), "neither strings nor ClassLabels"),
        (dataset([["a"], ["b"]], [[0], [0, 0]]), "row 2 has 1 tokens and 2 tags"),
        (dataset([["a", ""]], [[0, 0]]), "row 1 has an empty token"),
        (dataset([["a"]], [[-1]]), "row 1 has the tag -1, which has no name"),
        (dataset([["b", "a"]] * 3, [[1, 0], [1, 0], [0, 2]]), "row 3, word 2: tag 'I-PER' after 'O'"),
    ],
)
def test_what_is_wrong_is_said(read, data, phrase):
    with pytest.raises(InputError, match=phrase):
        read(data)


def test_a_folder_that_is_no_dataset_is_said(tmp_path):
    with pytest.raises(InputError, match="no saved dataset is there"):
        list(datasets_format.read(tmp_path, ReadOptions()))
    (tmp_path / "state.json").write_text("{")
    (tmp_path / "dataset_info.json").write_text("{")
    with pytest.raises(InputError, match="the dataset cannot be loaded"):
        list(datasets_format.read(tmp_path, ReadOptions()))


def test_without_the_library_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "datasets", None)
    with pytest.raises(InputError, match=r"pip install 'gleanner\[datasets\]'"):
        datasets_format.write([], tmp_path / "out", Counter())
