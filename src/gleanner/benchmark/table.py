"""What is compared: rows, each a method and its settings, by seeds, on one training, development and test set."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PositiveInt, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from gleanner.benchmark.places import Places
from gleanner.errors import InputError
from gleanner.gazetteer.rules import Rules
from gleanner.methods.load import build
from gleanner.training.settings import STRICT, Settings, check, explained, override, read_yaml

_SECTIONS = ("method", "model", "training", "bilstm", "flat", "lexicon")
_HELP = "see docs/benchmark.md for the keys"


def _row_of(raw: Any) -> Any:
    """A row as it stands in the file, where its settings stand among its keys."""
    if not isinstance(raw, Mapping) or not isinstance(raw.get("settings", {}), Mapping):
        return raw
    dotted = {key: value for key, value in raw.items() if "." in str(key)}
    keys = {key: value for key, value in raw.items() if key not in dotted}
    return keys | {"settings": {**raw.get("settings", {}), **dotted}}


@dataclass(frozen=True, config=STRICT)
class Silver:
    """Labels of one's own for the training sentences, in the place of those of their file."""

    dictionaries: tuple[str, ...] = Field(min_length=1)
    """Files of terms, each as `gleanner annotate --dictionary` takes it."""
    rules: Rules = Rules()
    """How terms are found."""

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files, without what is said of them behind a colon."""
        return tuple(name.partition(":")[0] for name in self.dictionaries)


@dataclass(frozen=True, config=STRICT)
class Row:
    """One line of a table."""

    name: str = Field(min_length=1)
    """What it is called in the report."""
    train: str | None = None
    """Another training file than the table's."""
    encoder: str | None = None
    """Another encoder than the table's."""
    complete: bool | None = None
    """Whether silence in the training file means "not an entity"; when not given, what the file says, else no."""
    silver: Silver | None = None
    """Own labels: `{dictionaries: [drugs.tsv, "phrases.txt:?"], rules: {case: ignore}}` replaces those of the training file."""
    mask: float | None = Field(default=None, ge=0.0, le=1.0)
    """The share of the training entities that is hidden at random; the seed of the run decides which."""
    every: PositiveInt | None = None
    """Of the training sentences only every so many-th, instead of what the table says."""
    dictionary: str | None = None
    """No training: a file of lines `type<TAB>term`, whose terms are found in the development and the test set."""
    predictions: str | None = None
    """No training: a file with predictions of the test set, or of the development set where the table has no test set."""
    gold: str | None = None
    """For `predictions` of other sentences: the file to score them against."""
    baseline: str | None = None
    """The row that this one is compared with, instead of the table's. A row that others name here is compared with none."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """The row's own settings by dotted name, `null` for the default; or among its other keys: `method.rate: 0.5`."""

    @property
    def trains(self) -> bool:
        """Whether there is anything to learn, so that the seed matters."""
        return self.dictionary is None and self.predictions is None

    @property
    def slug(self) -> str:
        """The name as the name of a file."""
        return re.sub(r"[^\w.+-]+", "-", self.name)

    @property
    def key(self) -> dict[str, Any]:
        """What the row's numbers depend on, as it stands in the file."""
        plain = ("name", "train", "encoder", "complete", "mask", "every", "dictionary", "predictions", "gold")
        given = {name: getattr(self, name) for name in plain if getattr(self, name) is not None}
        if self.silver is not None:
            given["silver"] = json.loads(json.dumps(asdict(self.silver)))  # as a file gives it back
        return given | self.settings


@dataclass(frozen=True, config=STRICT)
class Table:
    """A comparison: what its YAML file says."""

    title: str
    """The heading in the report."""
    train: str
    """The training file. Files are looked up in `--data`, else in `GLEANNER_DATA`, else beside the YAML file."""
    dev: str
    """The development file, completely annotated: it chooses the epoch of every run."""
    rows: tuple[Annotated[Row, BeforeValidator(_row_of)], ...] = Field(min_length=1)
    """What is compared."""
    test: str | None = None
    """The test file, completely annotated, read once at the end of a run. Without one the development set is reported."""
    about: str = ""
    """What a reader of the report should know."""
    encoder: str = "minilm"
    """`minilm`, `bilstm`, `flat`, a folder of `--encoders`, any other folder, or a Hugging Face name."""
    seeds: tuple[Annotated[int, Field(ge=0, lt=2**32)], ...] = Field(default=(1, 2, 3), min_length=1)
    """Each row is trained once with each."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Settings of all rows by dotted name; a row may have others. In text `{data}` and `{encoders}` are these folders."""
    every: PositiveInt = 1
    """Of the training sentences only every so many-th, the same for all rows."""
    baseline: str | None = None
    """The row that the others are compared with; when not given, the first."""

    @property
    def key(self) -> dict[str, Any]:
        """What a run's numbers depend on, beside its row and seed."""
        return {name: getattr(self, name) for name in ("encoder", "train", "dev", "test", "settings", "every")}

    @property
    def judged(self) -> str:
        """Which set the rows are compared on."""
        return "dev" if self.test is None else "test"

    def seeds_of(self, row: Row) -> tuple[int, ...]:
        """A row that draws nothing at random has one run, of seed 0."""
        return self.seeds if row.trains else (0,)

    def baseline_of(self, row: Row) -> Row:
        """The row that a row is compared with; itself where it is one that others name."""
        named = row.name if any(other.baseline == row.name for other in self.rows) else None
        name = row.baseline or named or self.baseline or self.rows[0].name
        return next(other for other in self.rows if other.name == name)

    def files_of(self, row: Row) -> tuple[str, ...]:
        """The data that the row's numbers depend on."""
        own = (row.train or self.train,) if row.trains else (row.dictionary, row.predictions, row.gold)
        terms = () if row.silver is None else row.silver.files
        return tuple(dict.fromkeys(file for file in (*own, *terms, self.dev, self.test) if file is not None))

    def settings_of(self, row: Row, places: Places, seed: int) -> Settings:
        """Of a run, checked."""
        raw: dict[str, Any] = {"encoder": places.encoder(row.encoder or self.encoder), "seed": seed}
        given = self.settings | row.settings
        return check(override(raw, {name: places.filled(value) for name, value in given.items() if value is not None}))


_ADAPTER: TypeAdapter[Table] = TypeAdapter(Table)


def read(path: Path) -> Table:
    """A table from its file, or an InputError that names file and key."""
    return make(read_yaml(path), path)


def make(raw: Mapping[str, Any], path: Path | None = None) -> Table:
    """A table from nested mappings."""
    try:
        table = _ADAPTER.validate_python(dict(raw))
    except ValidationError as error:
        raise explained(error, path, _HELP) from error
    for number, row in enumerate(table.rows):
        if problem := _problem(table, row):
            raise InputError(f"rows.{number} ({row.name}): {problem}", path=path, remedy=_HELP)
    for what, names in (("seed", map(str, table.seeds)), ("row", (row.slug.lower() for row in table.rows))):
        if twice := [name for name, times in Counter(names).items() if times > 1]:
            raise InputError(f"there are two {what}s {twice[0]!r}", path=path, remedy="give each its own")
    if problem := _settings_problem(table.settings) or _baseline_problem(table, table.baseline):
        raise InputError(problem, path=path, remedy=_HELP)
    return table


def crossed(
    methods: Sequence[str], train: str, dev: str, test: str | None, encoder: str, settings: Mapping[str, Any]
) -> Table:
    """A table without a file: methods on one training, development and test set."""
    raw = {"title": f"Methods on {Path(train).name}", "train": train, "dev": dev, "test": test, "encoder": encoder}
    rows = [{"name": method, "method.name": method} for method in methods]
    return make(raw | {"settings": dict(settings), "rows": rows})


def _problem(table: Table, row: Row) -> str | None:
    """What is wrong with a row, in one phrase."""
    if row.dictionary is not None and row.predictions is not None:
        return "both a dictionary and predictions"
    if row.gold is not None and row.predictions is None:
        return "gold belongs to predictions"
    if not row.trains and (row.settings or row.train or row.encoder or row.silver or row.mask is not None):
        return "what is not trained has no settings, no training file, no labels of its own, no encoder and no mask"
    if row.trains and "method.name" not in table.settings | row.settings:
        return "no method; write method.name, dictionary or predictions"
    return _settings_problem(row.settings) or _baseline_problem(table, row.baseline)


def _settings_problem(settings: Mapping[str, Any]) -> str | None:
    wrong = [name for name in settings if name.partition(".")[0] not in _SECTIONS or "." not in name]
    return f"no setting of a table is called {wrong[0]!r}; there are {'.*, '.join(_SECTIONS)}.*" if wrong else None


def _baseline_problem(table: Table, name: str | None) -> str | None:
    if name is None or name in [row.name for row in table.rows]:
        return None
    return f"the baseline {name!r} is no row"


def check_settings(table: Table, row: Row, places: Places, path: Path | None) -> None:
    """That method and settings of a row exist and have values that they can have; this loads the method."""
    if row.trains:
        from gleanner.training.encoders import kind_of  # takes seconds, which a report need not wait

        try:
            settings = table.settings_of(row, places, 0)
            build(settings.method)
            kind_of(settings)
        except InputError as error:
            raise InputError(f"row {row.name!r}: {error.what}", path=path, remedy=error.remedy) from error


def check_encoder(name: str, path: Path | None) -> None:
    """That an encoder can be loaded: else all runs would fail one after the other."""
    if name not in ("bilstm", "flat"):
        from gleanner.model.transformer import Transformer  # takes seconds, which a report need not wait

        try:
            Transformer.load(name, "first")
        except InputError as error:
            remedy = "name the folder that it lies in with --encoders, or another encoder"
            raise InputError(error.what, path=path, remedy=remedy) from error
