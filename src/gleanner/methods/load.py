"""A method's name is its module's: `negative-sampling` is `gleanner.methods.negative_sampling`. There is no registry."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import ValidationError

import gleanner.methods as package
from gleanner.errors import InputError

if TYPE_CHECKING:
    from gleanner.training.stage import Method


def names() -> list[str]:
    """All methods.

    >>> "plain" in names()
    True
    """
    return sorted(m.name.replace("_", "-") for m in pkgutil.iter_modules(package.__path__) if m.name != "load")


def load(name: str) -> type[Method]:
    """The class in that module."""
    if name not in names():
        raise InputError(f"no method is called {name!r}", remedy=f"choose one of: {', '.join(names())}")
    module = importlib.import_module(f"{package.__name__}.{name.replace('-', '_')}")
    own = (v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__)
    return cast("type[Method]", next(cls for cls in own if hasattr(cls, "fit")))


def summary(name: str) -> str:
    """The first line of a method's docstring, read from its source: to import it would take seconds.

    >>> summary("plain")
    'Cross entropy on every unit; silence counts as "not an entity". The method of choice for complete annotations.'
    """
    source = Path(package.__path__[0]) / f"{name.replace('-', '_')}.py"
    classes = (node for node in ast.parse(source.read_text(encoding="utf-8")).body if isinstance(node, ast.ClassDef))
    method = next(c for c in classes if any(isinstance(d, ast.FunctionDef) and d.name == "fit" for d in c.body))
    return (ast.get_docstring(method) or "").partition("\n")[0]


def build(options: Mapping[str, Any]) -> Method:
    """A method from `{"name": ..., hyperparameter: value, ...}`.

    >>> build({"name": "negative-sampling", "rate": 0.5})
    NegativeSampling(rate=0.5, head='interaction')
    """
    name = str(options.get("name", "negative-sampling"))
    chosen = {key: value for key, value in options.items() if key != "name"}
    method = load(name)
    try:
        return method(**chosen)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        known = ", ".join(method.__dataclass_fields__)
        if first["type"] == "unexpected_keyword_argument":
            raise InputError(f"{name} has no setting 'method.{key}'", remedy=f"it has: {known}") from error
        reason = first["msg"][0].lower() + first["msg"][1:]
        raise InputError(f"method.{key}: {reason}, not {first['input']!r}", remedy="mend the value") from error
