"""Packages that are verbs: `gleanner.train` holds the parts of training, and `gleanner.train(...)` trains."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Verb(ModuleType):
    _function: tuple[str, str]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        module, name = self._function
        return getattr(import_module(module), name)(*args, **kwargs)


def make_callable(package: str, module: str, function: str) -> None:
    """Lets a package be called like a function, which is imported at the first call."""
    verb = sys.modules[package]
    verb.__class__ = _Verb
    verb.__dict__["_function"] = (module, function)
