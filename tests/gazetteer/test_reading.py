"""Passages of any files: text cut into sentences, annotated sentences with their words."""

import gzip

from gleanner.engine.inputs import sources
from gleanner.gazetteer.reading import passages


def test_text_and_annotated_sentences_packed_or_not(tmp_path):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"Ada ran. She won.\n"))
    (tmp_path / "b.jsonl").write_text(
        '{"tokens": ["Ada", "Lee"], "entities": [{"start": 0, "end": 1, "label": "PER"}]}\n'
    )
    found = list(passages(sources([tmp_path / "a.txt.gz", tmp_path / "b.jsonl"])))
    assert [[(one.text, one.words) for one in block] for block in found] == [
        [("Ada ran.", None), ("She won.", None)],
        [("Ada Lee", ((0, 3), (4, 7)))],
    ]


def test_a_watcher_is_told_bytes_and_passages(tmp_path):
    (tmp_path / "a.txt").write_text("Ada ran. She won.\n")
    (tmp_path / "b.txt").write_text("\n")
    told = []
    list(passages(sources([tmp_path / "a.txt", tmp_path / "b.txt"]), lambda *count: told.append(count)))
    assert told == [(18, 2), (1, 0)]
