"""Files of any format."""

import errno
import io
import json
import logging
import os
from importlib import import_module
from pathlib import Path

import pytest

from gleanner.data.files import FORMATS, ReadOptions, corpus, detect, read, write
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

SENTENCES = [Sentence(("Ada", "wrote", "."), (Span(0, 1, "PER"),)), Sentence(("It", "rained", "."))]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_a_module(name):
    module = import_module(f"gleanner.data.{name.replace('-', '_')}")
    assert isinstance(module.ENDINGS, tuple)
    assert callable(module.read)
    assert callable(module.write)


def test_no_ending_means_two_formats():
    endings = [
        ending for name in FORMATS for ending in import_module(f"gleanner.data.{name.replace('-', '_')}").ENDINGS
    ]
    assert len(endings) == len(set(endings))


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("a.jsonl", "jsonl"),
        ("a.CONLL", "conll"),
        ("a.bmes", "conll"),
        ("a.spacy", "spacy"),
        ("a.json", "label-studio"),
        ("a.txt", "text"),
    ],
)
def test_endings(name, format_):
    assert detect(name, for_writing=True) == format_


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"tokens": ["a"], "entities": []}, "jsonl"),
        ({"text": "a", "entities": [[0, 1, "A"]]}, "jsonl"),
        ({"tokens": ["a"], "label": "x"}, "jsonl"),
        ({"tokens": ["a"], "entities": [], "text": "a", "_input_hash": 5, "answer": "accept"}, "jsonl"),
        ({"text": "a", "spans": [{"start": 0, "end": 1, "label": "A"}]}, "prodigy"),
        ({"text": "a", "tokens": [{"text": "a", "start": 0, "end": 1}]}, "prodigy"),
        ({"text": "a", "answer": "accept"}, "prodigy"),
        ({"text": "a", "label": []}, "doccano"),
        ({"data": "a", "labels": [[0, 1, "A"]]}, "doccano"),
        ({"text": "a", "entities": [{"id": 1, "start_offset": 0, "end_offset": 1, "label": "A"}]}, "doccano"),
        ([1], "jsonl"),
    ],
)
def test_records_tell_the_format(tmp_path, record, name):
    path = tmp_path / "a.jsonl"
    path.write_text("\n" + json.dumps(record))
    assert detect(path, for_writing=False) == name


@pytest.mark.parametrize("content", ["", "{", "\n\n"])
def test_without_a_record_the_format_is_our_own(tmp_path, content):
    (tmp_path / "a.jsonl").write_text(content)
    assert detect(tmp_path / "a.jsonl", for_writing=False) == "jsonl"


def test_folders_tell_the_format(tmp_path):
    with pytest.raises(InputError, match=r"neither \.ann files"):
        detect(tmp_path, for_writing=False)
    (tmp_path / "state.json").touch()
    assert detect(tmp_path, for_writing=False) == "datasets"
    assert detect(f"{tmp_path}:train", for_writing=False) == "datasets"
    (tmp_path / "a.ann").touch()
    assert detect(tmp_path, for_writing=False) == "brat"


@pytest.mark.parametrize("name", ["a.tsv", "a"])
def test_an_ending_that_tells_nothing(tmp_path, name):
    (tmp_path / name).touch()
    for for_writing in (True, False):
        with pytest.raises(InputError, match="name the format: jsonl, conll, spacy"):
            detect(tmp_path / name, for_writing=for_writing)


def test_no_such_format(tmp_path):
    with pytest.raises(InputError, match="there is no format 'xml'; choose one of jsonl, conll"):
        write([], tmp_path / "a.jsonl", "xml")


@pytest.mark.parametrize("name", ["a.jsonl", "a.conll"])
def test_there_and_back(tmp_path, name):
    path = tmp_path / name
    assert not write(SENTENCES, path)
    assert list(read(path)) == SENTENCES
    assert list(read(str(path), options=ReadOptions(complete=True)))[1].complete


def test_a_format_by_name(tmp_path):
    write(SENTENCES, tmp_path / "a.tsv", "conll")
    assert list(read(tmp_path / "a.tsv", "conll")) == SENTENCES


def test_write_says_what_it_dropped(tmp_path):
    assert write(SENTENCES, tmp_path / "a.txt") == {"labels": 1}


def test_a_corpus_of_several_files_is_read_anew(tmp_path):
    paths = [tmp_path / "a.jsonl", tmp_path / "b.conll"]
    for path in paths:
        write(SENTENCES, path)
    both = corpus(paths)
    assert list(both) == list(both) == SENTENCES * 2
    with pytest.raises(InputError, match="no such file"):
        corpus([tmp_path / "a.jsonl", tmp_path / "c.jsonl"])
    with pytest.raises(InputError, match="no file is given"):
        corpus([])


@pytest.mark.parametrize("name", ["a.jsonl", "a.conll", "a.txt"])
def test_bytes_that_are_not_utf_8(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"\n\n\xe9t\xe9\n")
    with pytest.raises(InputError, match=r":3: byte 0xe9 is not UTF-8; convert"):
        list(read(path))


@pytest.mark.parametrize("name", ["a.jsonl", "a.conll", "a.txt"])
@pytest.mark.parametrize("content", ["", "\n \r\n"])
def test_a_file_without_a_sentence(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match="no sentence in it;"):
        list(read(tmp_path / name))


def test_sentences_without_words_are_counted(tmp_path, caplog):
    path = tmp_path / "a.jsonl"
    path.write_text('{"tokens": []}\n{"text": " "}\n')
    with pytest.raises(InputError, match="no sentence in it, only 2 without words"):
        list(read(path))
    path.write_text('{"tokens": []}\n{"tokens": ["a"]}\n')
    with caplog.at_level(logging.WARNING):
        assert len(list(read(path))) == 1
    assert "sentences without words, which were skipped: 1" in caplog.text


def test_missing_files_and_folders_are_told_at_once(tmp_path):
    for name in (None, "jsonl"):
        with pytest.raises(InputError, match=r"b\.jsonl: no such file; check the name"):
            read(tmp_path / "b.jsonl", name)
    with pytest.raises(InputError, match="a folder, not a file"):
        read(tmp_path, "jsonl")


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("a")

    def fail(*_, **__):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "open", fail)  # root may read everything
    with pytest.raises(InputError, match="no permission to read it"):
        list(read(tmp_path / "a.txt"))


@pytest.mark.parametrize("name", ["a.jsonl", "a.conll", "a.txt"])
def test_a_disk_that_fills_up(tmp_path, monkeypatch, name):
    path = tmp_path / name
    path.write_text("old")

    class Full(io.StringIO):
        def write(self, _):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def writelines(self, _):
            self.write("")

    make = Path.open

    def full(self, *args, **kwargs):
        make(self, *args, **kwargs).close()
        return Full()

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", full)
        with pytest.raises(InputError, match="No space left on device; free some space"):
            write(SENTENCES, path)
    assert path.read_text() == "old"
    assert [found.name for found in tmp_path.iterdir()] == [name]


def test_an_error_of_the_input_leaves_no_output(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"tokens": ["a"]}\n{')
    with pytest.raises(InputError, match=r"a\.jsonl:2: malformed"):
        write(read(tmp_path / "a.jsonl"), tmp_path / "b.conll")
    assert not (tmp_path / "b.conll").exists()
