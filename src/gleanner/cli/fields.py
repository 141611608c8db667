"""Settings explained: name, type, default and docstring of the fields of a pydantic dataclass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from rich.table import Table

from gleanner.cli.render import row, table
from gleanner.named import Named, name_of


class Setting(NamedTuple):
    """One field; its name is dotted where it is a field of a field."""

    name: str
    type: str
    default: str
    doc: str


def settings(kind: type[Any], prefix: str = "") -> Iterator[Setting]:
    """All fields, those of nested dataclasses in their place.

    >>> from gleanner.training.settings import Settings
    >>> next(s for s in settings(Settings) if s.name == "training.epochs")
    Setting(name='training.epochs', type='int', default='10', doc='Times that the training data is read.')
    """
    chosen = parts(kind)
    for name, field in kind.__pydantic_fields__.items():
        if hasattr(field.annotation, "__pydantic_fields__"):
            yield from settings(field.annotation, f"{prefix}{name}.")
        else:
            default = "needed" if field.is_required() else _default(field.get_default(call_default_factory=True))
            doc = " ".join((field.description or "").split())
            shown = chosen[name].kind if name in chosen else readable(field.annotation)
            yield Setting(prefix + name, shown, default, doc)


def parts(kind: type[Any]) -> dict[str, Named[Any]]:
    """The fields of a method that are chosen by name, such as its sampler, and from what."""
    fields = kind.__pydantic_fields__.items()
    return {name: found for name, field in fields for found in field.metadata if isinstance(found, Named)}


def readable(kind: Any) -> str:
    """A type as people read it.

    >>> readable(Literal["flat", "nested"] | None), readable(tuple[str, ...])
    ('flat | nested | none', 'list of str')
    """
    if kind is NoneType:
        return "none"
    if get_origin(kind) is Annotated:
        return readable(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return " | ".join(map(str, get_args(kind)))
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(map(readable, get_args(kind)))
    if get_origin(kind) in (tuple, list):
        return f"list of {readable(get_args(kind)[0])}"
    if get_origin(kind) is dict:
        return "mapping"
    return str(getattr(kind, "__name__", kind))


def settings_table(found: Iterator[Setting]) -> Table:
    """A row a setting."""
    made = table("setting", "type", "default", "meaning", text=("type", "default", "meaning"))
    for setting in found:
        row(made, *setting)
    return made


def _default(value: Any) -> str:
    if value is None or value in ((), "", {}):
        return "none"
    if is_dataclass(value):
        return name_of(value)
    if isinstance(value, dict):
        return ", ".join(map(str, value.values()))
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
