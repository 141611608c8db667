"""A method's name is its module's: `negative-sampling` is `gleanner.methods.negative_sampling`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gleanner.methods as package
from gleanner.named import Named

if TYPE_CHECKING:
    from gleanner.training.stage import Method

METHODS: Named[Method] = Named(package, "method", "fit", beside=("load",))


def names() -> list[str]:
    """All methods.

    >>> "plain" in names()
    True
    """
    return METHODS.names()


def load(name: str) -> type[Method]:
    """The class in that module."""
    return METHODS.load(name)


def summary(name: str) -> str:
    """The first line of a method's docstring.

    >>> summary("plain")
    'Cross entropy on every unit; silence counts as "not an entity". The method of choice for complete annotations.'
    """
    return METHODS.summary(name)


def build(options: Mapping[str, Any]) -> Method:
    """A method from `{"name": ..., hyperparameter: value, ...}`; that its head exists is known now, before anything is trained.

    >>> build({"name": "negative-sampling", "rate": 0.5})
    NegativeSampling(rate=0.5, head='interaction')
    """
    from gleanner.model.heads.head import head_class  # it needs torch, as methods do; their names do not

    method = METHODS.build({"name": "negative-sampling"} | dict(options), "method")
    if (head := getattr(method, "head", None)) is not None:
        head_class(head)
    return method
