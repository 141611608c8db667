"""Classes found by their names: `negative-sampling` is what stands in `negative_sampling.py`. There is no registry."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar, cast

from pydantic import ValidationError
from pydantic_core import core_schema

from gleanner.errors import InputError

T = TypeVar("T")


@dataclass(frozen=True)
class Named(Generic[T]):
    """The classes of a package, one a module.

    In an annotation, `Annotated[Sampler, SAMPLERS]`, it makes a field of a method that is set by a mapping: `name`, and the
    settings of what has this name.
    """

    package: ModuleType
    kind: str
    """What one of them is called in messages."""
    verb: str
    """The method by which the class is told from others in its module."""
    beside: tuple[str, ...] = ()
    """Modules of the package that hold none."""

    def names(self) -> list[str]:
        """All of them, in order."""
        found = pkgutil.iter_modules(self.package.__path__)
        return sorted(module.name.replace("_", "-") for module in found if module.name not in self.beside)

    def load(self, name: str) -> type[T]:
        """The class in the module of that name."""
        if name not in self.names():
            raise InputError(
                f"no {self.kind} is called {name!r}", remedy=f"choose one of: {', '.join(self.names()) or 'none'}"
            )
        module = importlib.import_module(f"{self.package.__name__}.{name.replace('-', '_')}")
        own = (v for v in vars(module).values() if isinstance(v, type) and v.__module__ == module.__name__)
        return cast("type[T]", next(cls for cls in own if any(self.verb in vars(base) for base in cls.__mro__)))

    def summary(self, name: str) -> str:
        """The first line of a class's docstring, read from its source: to import it would take seconds."""
        source = Path(self.package.__path__[0]) / f"{name.replace('-', '_')}.py"
        tree = ast.parse(source.read_text(encoding="utf-8"))
        classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
        found = next(c for c in classes if any(isinstance(d, ast.FunctionDef) and d.name == self.verb for d in c.body))
        return (ast.get_docstring(found) or "").partition("\n")[0]

    def build(self, options: Mapping[str, Any], place: str) -> T:
        """One from `{"name": ..., setting: value, ...}`; `place` is where in the configuration that stands."""
        if "name" not in options:
            raise InputError(f"{place} has no name", remedy=f"choose one: {place}.name={'|'.join(self.names())}")
        name = str(options["name"])
        cls = self.load(name)
        try:
            return cls(**{str(key): value for key, value in options.items() if key != "name"})
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(str(part) for part in first["loc"])
            if first["type"] == "unexpected_keyword_argument":
                known = ", ".join(field.name for field in fields(cast("Any", cls))) or "none"
                raise InputError(f"{name} has no setting '{place}.{key}'", remedy=f"it has: {known}") from error
            reason = first["msg"][0].lower() + first["msg"][1:]
            raise InputError(f"{place}.{key}: {reason}, not {first['input']!r}", remedy="mend the value") from error

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> core_schema.CoreSchema:
        return core_schema.with_info_plain_validator_function(self._field)

    def _field(self, given: Any, info: core_schema.ValidationInfo[Any]) -> T:
        """What a field holds: built from a mapping, or as it was made in Python."""
        place = f"method.{info.field_name}"
        if isinstance(given, Mapping):
            return self.build(given, place)
        if isinstance(given, str):  # a name alone stands for its defaults
            return self.build({"name": given}, place)
        if isinstance(given, type) or not hasattr(given, self.verb):
            raise InputError(
                f"{place}: {given!r} is no {self.kind}", remedy=f"choose one of: {', '.join(self.names())}"
            )
        if not is_dataclass(given):  # see `described`
            raise InputError(
                f"{place}: {given!r} is no dataclass, so the run's record could not say what it is",
                remedy="make it a frozen dataclass whose fields are its settings",
            )
        return cast("T", given)


def name_of(thing: object) -> str:
    """The name by which its class is found."""
    return type(thing).__module__.rpartition(".")[2].replace("_", "-")


def described(thing: Any) -> dict[str, Any]:
    """What `build` would make it of, every setting written out: defaults may change, records may not.

    Among the values, the dataclasses that can be called are parts of a method, which have names themselves.
    """
    values = {field.name: getattr(thing, field.name) for field in fields(thing)}
    return {"name": name_of(thing)} | {
        name: described(value) if is_dataclass(value) and callable(value) else value for name, value in values.items()
    }
