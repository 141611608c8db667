"""Folders that `datasets.Dataset.save_to_disk` made: the columns "tokens" and "ner_tags", a row a sentence.

An "id" is kept, as a string; a column "complete", if there is one, says what silence means. Of a folder with several
splits name one: `folder:train`. Only data is loaded, never a loading script.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gleanner.data.atomic import atomic_folder
from gleanner.data.characters import entities_alone, outermost
from gleanner.data.files import ReadOptions
from gleanner.data.tags import TagError, detect, spans, tags
from gleanner.errors import InputError
from gleanner.types import Sentence

if TYPE_CHECKING:
    from datasets import Dataset

ENDINGS: tuple[str, ...] = ()

_BATCH = 1000
_STRINGS = ("string", "large_string")

_Row = tuple[tuple[str, ...], list[str], Any, bool]


def read(path: Path, options: ReadOptions) -> Iterator[Sentence]:
    """One sentence a row, in two passes: the first finds the scheme of the tags."""
    _import(path)
    rows = _load(path)
    names = _names(rows, path)
    scheme = detect(row_tags for _, row_tags, _, _ in _rows(rows, names, path))
    for number, (words, row_tags, id_, said) in enumerate(_rows(rows, names, path), 1):
        try:
            entities = spans(row_tags, scheme)
        except TagError as problem:
            what = f"row {number}, word {problem.index + 1}: {problem}"
            raise InputError(what, path=path, remedy="mend the tags and save the dataset again") from None
        meta = {} if id_ is None else {"id": str(id_)}
        complete = said if options.complete is None else options.complete
        yield Sentence(words, tuple(entities), complete, meta=meta)


def write(sentences: Iterable[Sentence], path: Path, dropped: Counter[str]) -> None:
    """A dataset with BIO tags as `ClassLabel`s, and whether each sentence is complete."""
    _import(path)
    import pyarrow as pa
    from datasets import ClassLabel, Dataset, Features, Sequence, Value

    numbers = {"O": 0}  # of the tags, in the order in which the types occur
    features = Features(
        tokens=Sequence(Value("string")), ner_tags=Sequence(Value("int64")), id=Value("string"), complete=Value("bool")
    )
    batches = []
    rows = (_row(sentence, numbers, dropped) for sentence in sentences)
    while batch := list(islice(rows, _BATCH)):
        batches.append(pa.RecordBatch.from_pylist(batch, schema=features.arrow_schema))
    table = pa.Table.from_batches(batches, schema=features.arrow_schema)
    features["ner_tags"] = Sequence(ClassLabel(names=list(numbers)))
    table = table.replace_schema_metadata(features.arrow_schema.metadata)
    with atomic_folder(path) as folder, _no_progress_bars():
        Dataset(table).save_to_disk(str(folder))


def _import(path: Path) -> None:
    try:
        import datasets  # noqa: F401
    except ImportError:
        raise InputError(
            "this format needs the library datasets", path=path, remedy="pip install 'gleanner[datasets]'"
        ) from None


def _load(path: Path) -> Dataset:
    from datasets import DatasetDict, load_from_disk

    folder, _, split = str(path).rpartition(":")
    if path.exists() or not folder:
        folder, split = str(path), ""
    try:
        with _no_progress_bars():
            loaded = load_from_disk(folder)
    except FileNotFoundError:
        remedy = "name a folder that Dataset.save_to_disk made"
        raise InputError("no saved dataset is there", path=path, remedy=remedy) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        first_line = str(error).partition("\n")[0]
        raise InputError(f"the dataset cannot be loaded: {first_line}", path=path, remedy="save it again") from None
    if isinstance(loaded, DatasetDict):
        if not split and len(loaded) == 1:
            return next(iter(loaded.values())).with_format(None)
        if split not in loaded:
            what = f"there is no split {split!r}" if split else "there are several splits"
            remedy = "name one: " + ", ".join(f"{folder}:{name}" for name in loaded)
            raise InputError(what, path=path, remedy=remedy)
        return loaded[split].with_format(None)
    if split:
        raise InputError(f"there is no split {split!r}: the dataset has none", path=path, remedy=f"name {folder}")
    return loaded.with_format(None)


def _names(rows: Dataset, path: Path) -> list[str] | None:
    """The names of the tags' numbers; None where the tags are strings."""
    from datasets import ClassLabel, Value

    for column in ("tokens", "ner_tags"):
        if column not in rows.features:
            what = f"there is no column {column!r} among {', '.join(map(repr, rows.features))}"
            raise InputError(what, path=path, remedy="rename the columns to 'tokens' and 'ner_tags'")
    words = getattr(rows.features["tokens"], "feature", None)
    if not (isinstance(words, Value) and words.dtype in _STRINGS):
        what = f"the column 'tokens' has {rows.features['tokens']!r}, not lists of strings"
        raise InputError(what, path=path, remedy="save the words of a sentence as a list")
    labels = getattr(rows.features["ner_tags"], "feature", None)
    if isinstance(labels, ClassLabel):
        return list(labels.names)
    if isinstance(labels, Value) and labels.dtype in _STRINGS:
        return None
    what = f"the column 'ner_tags' has {rows.features['ner_tags']!r}, neither strings nor ClassLabels with names"
    raise InputError(what, path=path, remedy="cast the column to Sequence(ClassLabel(names=[...]))")


def _rows(rows: Dataset, names: list[str] | None, path: Path) -> Iterator[_Row]:
    """The words and tags of each row, its id and whether it says that it is complete."""
    wanted = [column for column in ("tokens", "ner_tags", "id", "complete") if column in rows.features]
    for number, row in enumerate(rows.select_columns(wanted), 1):
        words, row_tags = row["tokens"] or [], row["ner_tags"] or []
        problem = ""
        if len(words) != len(row_tags):
            problem = f"{len(words)} tokens and {len(row_tags)} tags"
        elif not all(words):
            problem = "an empty token"
        elif bad := [tag for tag in row_tags if tag is None or (names is not None and not 0 <= tag < len(names))]:
            problem = f"the tag {bad[0]!r}, which has no name"
        if problem:
            remedy = "give every token one tag, and save the dataset again"
            raise InputError(f"row {number} has {problem}", path=path, remedy=remedy)
        named = row_tags if names is None else [names[tag] for tag in row_tags]
        yield tuple(words), named, row.get("id"), row.get("complete") is True


def _row(sentence: Sentence, numbers: dict[str, int], dropped: Counter[str]) -> dict[str, Any]:
    """What the columns hold of a sentence. New tags get the next numbers."""
    entities = entities_alone(sentence, dropped)
    kept = outermost(entities)
    for span in kept:
        for letter in "BI":
            numbers.setdefault(f"{letter}-{span.label}", len(numbers))
    if len(kept) < len(entities):
        dropped["nested spans"] += len(entities) - len(kept)
    if sentence.text is not None:
        dropped["texts"] += 1
    if sentence.meta.keys() - {"id"}:
        dropped["metadata of sentences"] += 1
    id_ = sentence.meta.get("id")
    return {
        "tokens": sentence.words,
        "ner_tags": [numbers[tag] for tag in tags(kept, len(sentence.words), "BIO")],
        "id": None if id_ is None else str(id_),
        "complete": sentence.complete,
    }


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    from datasets import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars

    were_disabled = are_progress_bars_disabled()
    disable_progress_bars()
    try:
        yield
    finally:
        if not were_disabled:
            enable_progress_bars()
