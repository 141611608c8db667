"""Files by name and by pattern, and their blocks."""

import pytest

from gleanner.data.files import read
from gleanner.engine.inputs import SENTENCES, Cut, blocks, sources
from gleanner.errors import InputError


def test_names_and_patterns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("b.txt", "a.txt", "c.jsonl", "d.unknown", "e.jsonl.gz"):
        (tmp_path / name).write_text('{"tokens": ["x"]}\n')
    (tmp_path / "e.jsonl.gz").write_bytes(__import__("gzip").compress(b'{"tokens": ["x"]}\n'))
    found = sources(["c.jsonl", "*.txt", "d.unknown", "e.*"])
    assert [(source.path, source.format) for source in found] == [
        ("c.jsonl", "jsonl"),
        ("a.txt", "text"),
        ("b.txt", "text"),
        ("d.unknown", "text"),
        ("e.jsonl.gz", "jsonl"),
    ]
    assert sources(["c.jsonl"], "text")[0].is_text


@pytest.mark.parametrize(
    ("names", "what"),
    [([], "no file is given"), (["*.txt"], "no file matches"), (["x.txt"], "no such file"), (["."], "folder")],
)
def test_what_is_not_there(tmp_path, monkeypatch, names, what):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=what):
        sources(names)


def test_what_is_not_there_is_not_the_folder_where_one_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.txt").write_text("a")
    with pytest.raises(InputError, match=r"x.txt: no such file"):
        sources(["x.txt"], "text")


def test_twice(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    with pytest.raises(InputError, match="given twice"):
        sources([tmp_path / "a.txt", tmp_path / "*.txt"])


def test_another_content_is_another_version(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("a")
    before = sources([path])
    assert sources([path]) == before
    path.write_text("ab")
    assert sources([path]) != before


def test_sentences_in_blocks(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f'{{"tokens": ["w{k}"], "entities": [[0, 1, "X"]]}}\n' for k in range(SENTENCES * 2 + 3)))
    (source,) = sources([path])
    found = list(blocks(source, 4, Cut(100)))
    assert [(block.file, block.number, len(block.sentences)) for block in found] == [
        (4, 0, SENTENCES),
        (4, 1, SENTENCES),
        (4, 2, 3),
    ]
    assert [sentence for block in found for sentence in block.sentences] == list(read(path))
    assert 0.9 * source.size < sum(block.read for block in found) <= source.size
    assert [block.number for block in blocks(source, 4, Cut(100), first=1, last=2)] == [1]
