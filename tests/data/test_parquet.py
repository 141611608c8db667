"""Parquet: all that jsonl holds, foreign columns, and what is wrong with its row."""

from collections import Counter
from io import BytesIO

import pytest

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

from gleanner import Sentence, Span, read, write  # noqa: E402
from gleanner.data import jsonl, parquet  # noqa: E402
from gleanner.errors import InputError  # noqa: E402

SENTENCES = [
    Sentence(("Ada", "wrote"), (Span(0, 1, "PER", "dictionary:a.tsv:1:Ada", 0.5), Span(1, 2, "O")), complete=True),
    Sentence(("Ada", "."), (Span(0, 1, "PER"),), text="Ada.", offsets=((0, 3), (3, 4)), meta={"id": 7, "x": [None]}),
    Sentence(("naïve",), meta={"meta": "of its own"}),
]


def test_everything_comes_back(tmp_path):
    path = tmp_path / "a.parquet"
    assert write(SENTENCES, path) == {}
    assert list(read(path)) == SENTENCES


def test_lines_in_parts(tmp_path):
    blocks = ["".join(jsonl.rendered(part, Counter())).encode() for part in (SENTENCES[:2], SENTENCES[2:])]
    blocks.append(b'{"text": "Ada wrote", "entities": [[0, 3, "PER"]]}\n')
    path = tmp_path / "a.parquet"
    with path.open("wb") as handle:
        parquet.join(BytesIO(b"".join(map(parquet.from_lines, blocks))), handle)
    *first, last = read(path)
    assert first == SENTENCES
    assert (last.words, last.spans) == (("Ada", "wrote"), (Span(0, 1, "PER"),))
    assert pq.ParquetFile(path).num_row_groups == 3


def test_a_foreign_table(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["Ada wrote.", "It rained."], "url": ["a", None]}), path)
    found = list(read(path))
    assert [sentence.words for sentence in found] == [("Ada", "wrote", "."), ("It", "rained", ".")]
    assert [sentence.meta for sentence in found] == [{"url": "a"}, {}]


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ({"body": ["x"]}, "neither a column 'text' nor 'tokens' among 'body'"),
        ({"text": ["x", None]}, "row 2: neither 'tokens' nor 'text'"),
        ({"text": [3]}, "row 1: 'text' must be a string"),
        ({"text": ["x"], "meta": ["{"]}, "row 1: 'meta' is '{', not a JSON object"),
    ],
)
def test_a_wrong_table(tmp_path, table, what):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table(table), path)
    with pytest.raises(InputError, match=what):
        list(read(path))


def test_a_damaged_file(tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match="no Parquet file, or a damaged one"):
        list(read(path))
