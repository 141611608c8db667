"""Named-entity recognisers from incomplete annotations.

    from gleanner import Tagger, evaluate, read, train

Everything here is loaded when it is first used: to import gleanner does not load torch.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gleanner.api import train
    from gleanner.data.files import read, write
    from gleanner.errors import GleannerError, InputError
    from gleanner.evaluation.report import evaluate
    from gleanner.gazetteer.from_dictionary import DictionaryAnnotator
    from gleanner.gazetteer.given import annotate
    from gleanner.model.tagger import Tagger
    from gleanner.types import Corpus, Sentence, Span

    __version__: str

__all__ = [
    "Corpus",
    "DictionaryAnnotator",
    "GleannerError",
    "InputError",
    "Sentence",
    "Span",
    "Tagger",
    "__version__",
    "annotate",
    "evaluate",
    "read",
    "train",
    "write",
]

_HOMES = {
    "Corpus": "types",
    "DictionaryAnnotator": "gazetteer.from_dictionary",
    "GleannerError": "errors",
    "InputError": "errors",
    "Sentence": "types",
    "Span": "types",
    "Tagger": "model.tagger",
    "annotate": "gazetteer.given",
    "evaluate": "evaluation.report",
    "read": "data.files",
    "train": "api",
    "write": "data.files",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("gleanner")
    if name not in _HOMES:
        raise AttributeError(f"module 'gleanner' has no attribute {name!r}")
    return getattr(import_module(f"gleanner.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
