"""What a user may set of a run: a YAML file with dotted overrides, or keyword arguments; checked before anything starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    NonNegativeFloat,
    PositiveFloat,
    PositiveInt,
    TypeAdapter,
    ValidationError,
)
from pydantic.dataclasses import dataclass

from gleanner.errors import InputError
from gleanner.model.choices import BiLSTMOptions, Decoding, FlatOptions, LexiconOptions, Pooling, Precision, Scheme

STRICT = ConfigDict(extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


@dataclass(frozen=True, config=STRICT)
class Data:
    """The files."""

    train: Annotated[tuple[str, ...], BeforeValidator(lambda given: (given,) if isinstance(given, str) else given)] = ()
    """Annotated files to learn from."""
    dev: str | None = None
    """A completely annotated file that chooses the best epoch. Never the test file."""
    format: str | None = None
    """The files' format; found from their ending and content when not given."""
    complete: bool | None = None
    """Whether silence in the training files means "not an entity"; when not given, what each file says, else no."""


@dataclass(frozen=True, config=STRICT)
class Model:
    """The model, beside what the method decides."""

    max_width: PositiveInt = 8
    """Longest span that span heads consider, in words."""
    pooling: Pooling | None = None
    """Which pieces stand for a word; when not given, what the head prefers."""
    scheme: Scheme | None = None
    """Tags of token heads; when not given, what the method prefers, mostly BIO."""
    decode: Decoding = "flat"
    """Whether predicted spans may overlap."""
    threshold: float = Field(default=0.0, ge=0.0, le=1.0)
    """Predictions less probable than this are left out."""
    dropout: float | None = Field(default=None, ge=0.0, lt=1.0)
    """The head's dropout; when not given, its own."""


@dataclass(frozen=True, config=STRICT)
class Training:
    """The loop."""

    epochs: PositiveInt = 10
    """Times that the training data is read."""
    batch_size: PositiveInt = 16
    """Sentences a batch, on each process."""
    accumulate: PositiveInt = 1
    """Batches whose gradients are added up for one step."""
    encoder_lr: PositiveFloat | None = None
    """Learning rate of the encoder; when not given, 2e-4 if it is at most 512 wide, else 3e-5; 1e-3 for `bilstm` and `flat`."""
    head_lr: PositiveFloat = 5e-4
    """Learning rate of the head, and of what a lexicon adds to a pre-trained encoder."""
    warmup: float = Field(default=0.1, ge=0.0, lt=1.0)
    """Share of the steps in which the learning rates rise from 0."""
    decay: Literal["linear", "cosine", "none"] = "linear"
    """How they fall after it."""
    weight_decay: NonNegativeFloat = 0.01
    """Of AdamW, on weight matrices; never on embeddings, biases and norms."""
    clip: PositiveFloat = 1.0
    """Longest gradient."""
    evaluate_every: PositiveFloat = 1.0
    """Epochs between evaluations on the development data."""
    patience: PositiveInt | None = None
    """Evaluations without a better score after which training stops; when not given, it never stops early."""
    precision: Precision = "auto"
    """bf16 where the hardware has it, else fp32; or one of the two by name."""
    checkpoint_minutes: NonNegativeFloat = 5.0
    """Longest time between checkpoints; one is written at each evaluation anyway. 0: at every step."""


@dataclass(frozen=True, config=STRICT)
class Settings:
    """A run. The same settings on the same data, machine and versions give the same weights, bit for bit."""

    data: Data = field(default_factory=Data)
    method: dict[str, Any] = field(default_factory=lambda: {"name": "negative-sampling"})
    """`name`, and the method's hyperparameters."""
    encoder: str = "minilm"
    """`minilm` (embedded), `bilstm`, `flat`, a Hugging Face name, or a folder."""
    model: Model = field(default_factory=Model)
    training: Training = field(default_factory=Training)
    bilstm: BiLSTMOptions = field(default_factory=BiLSTMOptions)
    """Only for `encoder: bilstm`; `hidden`, `layers` and `dropout` also for `lexicon.way: attention`."""
    flat: FlatOptions = field(default_factory=FlatOptions)
    """Only for `encoder: flat`."""
    lexicon: LexiconOptions = field(default_factory=LexiconOptions)
    """Only for `encoder: flat`, and for Hugging Face encoders with `lexicon.way`."""
    seed: int = Field(default=0, ge=0, lt=2**32)
    """Of everything random."""


_ADAPTER: TypeAdapter[Settings] = TypeAdapter(Settings)


def check(raw: Mapping[str, Any], *, path: str | Path | None = None) -> Settings:
    """Settings from nested mappings, or an InputError that names the key.

    >>> check({"training": {"epochs": 3}}).training.epochs
    3
    """
    try:
        return _ADAPTER.validate_python(dict(raw))
    except ValidationError as error:
        raise explained(error, path, "see `gleanner train --help`") from error


def dump(settings: Settings) -> dict[str, Any]:
    """As nested dictionaries, ready for YAML or JSON."""
    dumped: dict[str, Any] = _ADAPTER.dump_python(settings, mode="json")
    return dumped


def read_yaml(path: str | Path) -> dict[str, Any]:
    """A configuration file."""
    try:
        raw = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the configuration: {error}", path=path, remedy="check the path") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        reason = getattr(error, "problem", None) or "not YAML"
        raise InputError(f"malformed YAML: {reason}", path=path, line=line, remedy="mend that line") from error
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise InputError("a configuration is a mapping", path=path, remedy="write 'key: value' lines")
    return raw


def assignments(texts: Sequence[str]) -> dict[str, Any]:
    """`key.sub=value` as people type it on a command line; values are read as YAML.

    >>> assignments(["training.epochs=20", "training.encoder_lr=1e-4"])
    {'training.epochs': 20, 'training.encoder_lr': 0.0001}
    """
    found: dict[str, Any] = {}
    for assignment in texts:
        dotted, equals, text = assignment.partition("=")
        if not equals or not dotted:
            raise InputError(
                f"{assignment!r} is not an override", remedy="write key.sub=value, e.g. training.epochs=20"
            )
        try:
            value = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise InputError(f"{assignment!r}: the value is not YAML", remedy="quote it") from error
        if isinstance(value, str) and _is_number(value):
            value = float(value)  # YAML 1.1 reads 1e-4 as text
        found[dotted] = value
    return found


def override(raw: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The nested mapping with values put in their dotted places.

    >>> override({"training": {"epochs": 3}}, {"training.epochs": 20, "method.rate": 0.35})
    {'training': {'epochs': 20}, 'method': {'rate': 0.35}}
    """
    merged = {key: dict(value) if isinstance(value, dict) else value for key, value in raw.items()}
    for dotted, value in values.items():
        *parents, last = dotted.split(".")
        place = merged
        for parent in parents:
            below = place.get(parent)
            place[parent] = dict(below) if isinstance(below, dict) else {}
            place = place[parent]
        place[last] = value
    return merged


def flat(nested: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Dotted names, as the command line and trackers have them.

    >>> flat({"seed": 1, "method": {"name": "compose", "loss": {"name": "nrces", "w": 2.0}}})
    {'seed': 1, 'method.name': 'compose', 'method.loss.name': 'nrces', 'method.loss.w': 2.0}
    """
    found: dict[str, Any] = {}
    for key, value in nested.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[prefix + key] = value if isinstance(value, int | float | str | bool) else str(value)
    return found


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def explained(error: ValidationError, path: str | Path | None, keys: str) -> InputError:
    """The first thing that is wrong, with its key; `keys` says where to find those that exist."""
    first = error.errors()[0]
    key = ".".join(str(part) for part in first["loc"])
    if first["type"] in ("unexpected_keyword_argument", "extra_forbidden"):
        return InputError(f"no setting is called {key!r}", path=path, remedy=keys)
    if first["type"] == "missing":
        return InputError(f"{key} is missing", path=path, remedy=keys)
    given = first.get("input")
    return InputError(
        f"{key}: {first['msg'][0].lower()}{first['msg'][1:]}, not {given!r}", path=path, remedy="mend the value"
    )
