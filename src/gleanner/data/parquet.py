"""Parquet: the records of the format "jsonl" in columns, a row a sentence.

Columns "text", "tokens", "offsets", "entities", "complete" are what these keys are in JSON; a row has "text", "tokens" or both.
An entity is a struct of start, end, label, source and score. Metadata are a JSON object in the column "meta"; other columns
are metadata, too.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gleanner.data import jsonl
from gleanner.data.atomic import atomic
from gleanner.data.files import ReadOptions
from gleanner.data.lines import checked, readable
from gleanner.data.packed import stored
from gleanner.errors import InputError
from gleanner.types import Sentence

if TYPE_CHECKING:
    import pyarrow as pa

ENDINGS: tuple[str, ...] = (".parquet",)

_BATCH = 1000
_COLUMNS = ("text", "tokens", "offsets", "entities", "complete")


def read(path: str | Path, options: ReadOptions) -> Iterator[Sentence]:
    """One sentence a row."""
    arrow = _arrow(path)
    with readable(path), stored(path) as handle:
        with _undamaged(path):
            file = arrow.parquet.ParquetFile(handle)
        if not {"text", "tokens"} & set(file.schema_arrow.names):
            columns = ", ".join(map(repr, file.schema_arrow.names))
            what = f"neither a column 'text' nor 'tokens' among {columns}"
            raise InputError(what, path=path, remedy="rename one")
        for number, row in enumerate(_rows(file, path), start=1):
            try:
                sentence = jsonl.sentence_of(_record(row), options.complete)
            except ValueError as problem:
                raise InputError(f"row {number}: {problem}", path=path) from None
            yield checked(sentence, path)


def write(sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None:
    """All that jsonl holds."""
    arrow = _arrow(path)
    records = (jsonl.record_of(sentence, dropped) for sentence in sentences)
    with atomic(path, binary=True) as handle, arrow.parquet.ParquetWriter(handle, _schema()) as writer:
        while batch := list(islice(records, _BATCH)):
            writer.write_table(_table(batch))


def from_lines(lines: bytes) -> bytes:
    """Lines of the format "jsonl" as a stream of Arrow, ready for `join`."""
    arrow = _arrow("")
    sink = arrow.BufferOutputStream()
    table = _table(json.loads(line) for line in lines.splitlines())
    with arrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    data: bytes = sink.getvalue().to_pybytes()
    return len(data).to_bytes(8, "little") + data


def join(streams: Any, target: Any) -> None:
    """Writes what `from_lines` made, one after the other in an open file, as one Parquet file."""
    arrow = _arrow("")
    with arrow.parquet.ParquetWriter(target, _schema()) as writer:
        while size := streams.read(8):
            with arrow.ipc.open_stream(streams.read(int.from_bytes(size, "little"))) as stream:
                writer.write_table(stream.read_all())


def _rows(file: Any, path: str | Path) -> Iterator[dict[str, Any]]:
    batches = file.iter_batches(_BATCH)
    while True:
        with _undamaged(path):
            batch = next(batches, None)
            if batch is None:
                return
            rows = batch.to_pylist()
        yield from rows


def _record(row: dict[str, Any]) -> dict[str, Any]:
    """The row as a line of jsonl would say it: what is empty is not said."""
    record = {key: value for key, value in row.items() if value is not None and key != "meta"}
    if isinstance(record.get("entities"), list):
        record["entities"] = [_said(entity) for entity in record["entities"]]
    if row.get("meta") is not None:
        meta = row["meta"] if isinstance(row["meta"], dict) else _meta(row["meta"])
        record = {key: value for key, value in meta.items() if key not in record} | record
    return record


def _said(entity: Any) -> Any:
    return {key: value for key, value in entity.items() if value is not None} if isinstance(entity, dict) else entity


def _meta(text: Any) -> dict[str, Any]:
    try:
        meta = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        meta = None
    if not isinstance(meta, dict):
        raise ValueError(f"'meta' is {str(text)[:40]!r}, not a JSON object")  # noqa: TRY004
    return meta


def _table(records: Iterable[dict[str, Any]]) -> pa.Table:
    import pyarrow as pa

    rows = []
    for record in records:
        row = {key: record.get(key) for key in _COLUMNS}
        row["entities"] = [_struct(entity) for entity in record.get("entities", ())]
        rest = {key: value for key, value in record.items() if key not in _COLUMNS}
        row["meta"] = json.dumps(rest, ensure_ascii=False) if rest else None
        rows.append(row)
    return pa.Table.from_pylist(rows, schema=_schema())


def _struct(entity: Any) -> dict[str, Any]:
    if isinstance(entity, dict):
        return entity
    start, end, label = entity
    return {"start": start, "end": end, "label": label}


def _schema() -> pa.Schema:
    import pyarrow as pa

    entity = {
        "start": pa.int64(),
        "end": pa.int64(),
        "label": pa.string(),
        "source": pa.string(),
        "score": pa.float64(),
    }
    return pa.schema(
        {
            "text": pa.string(),
            "tokens": pa.list_(pa.string()),
            "offsets": pa.list_(pa.list_(pa.int64())),
            "entities": pa.list_(pa.struct(list(entity.items()))),
            "complete": pa.bool_(),
            "meta": pa.string(),
        }
    )


def _arrow(path: str | Path) -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        what = "Parquet needs the library pyarrow"
        raise InputError(what, path=path or None, remedy="pip install 'gleanner[ray]'") from error
    return pyarrow


@contextmanager
def _undamaged(path: str | Path) -> Iterator[None]:
    import pyarrow

    try:
        yield
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        reason = str(error).splitlines()[0]
        raise InputError(f"this is no Parquet file, or a damaged one: {reason}", path=path) from error
