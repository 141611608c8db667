"""What a user wants annotated by whom, in a form that is small and the same in every process."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from gleanner.errors import InputError
from gleanner.gazetteer.annotator import Annotator, FunctionAnnotator, load
from gleanner.gazetteer.candidates import CandidateAnnotator, finder
from gleanner.gazetteer.choices import Ambiguity, By
from gleanner.gazetteer.combine import Combined, Precision, precisions
from gleanner.gazetteer.from_dictionary import DictionaryAnnotator
from gleanner.gazetteer.store import load as load_lexicon
from gleanner.types import Sentence


@dataclass(frozen=True)
class Recipe:
    """How an annotator is made."""

    lexicons: tuple[Path, ...] = ()
    """Folders of compiled dictionaries. Several are annotators of their own, in this order."""
    functions: tuple[str, ...] = ()
    """Further annotators, each as `file.py:name` or `package.module:name`."""
    functions_first: bool = False
    """Whether they come before the dictionaries."""
    ambiguity: Ambiguity = "drop"
    """What a term of several types becomes, see `DictionaryAnnotator`."""
    order: tuple[str, ...] = ()
    """Types, for `priority`."""
    common: frozenset[str] = frozenset()
    """Terms that are common words too and stay unknown."""
    candidates: str = ""
    """What finds the candidates that a term must be one of, see `gleanner.gazetteer.candidates.finder`; empty: nothing."""
    by: By = "priority"
    """How several annotators become one, see `Combined`."""
    weights: tuple[Precision, ...] = ()
    """For a vote: one for each annotator."""

    def annotators(self) -> list[Annotator]:
        """All of them, the first the most important."""
        functions = [load(place) for place in self.functions]
        found = finder(self.candidates) if self.candidates else None
        dictionaries: list[Annotator] = []
        for folder in self.lexicons:
            terms = DictionaryAnnotator(load_lexicon(folder, check=False), self.ambiguity, self.order, self.common)
            dictionaries.append(terms if found is None else CandidateAnnotator(found, terms))
        if found is not None and not dictionaries:
            raise InputError("candidates without a dictionary", remedy="give a dictionary, or leave them out")
        return [*functions, *dictionaries] if self.functions_first else [*dictionaries, *functions]

    def annotator(self) -> Annotator:
        """All of them as one."""
        return Combined(tuple(self.annotators()), self.by, self.weights)

    def weighed(self, gold: Iterable[Sentence]) -> Recipe:
        """The recipe with the weights that a gold sample gives its annotators."""
        return replace(self, weights=tuple(precisions(self.annotators(), gold)))

    @property
    def fingerprint(self) -> str:
        """A text that changes when the labels would: with a choice, a dictionary, or a file of functions.

        The folders of lexicons have names that tell their content.
        """
        choices = replace(self, lexicons=tuple(Path(folder.name) for folder in self.lexicons), common=frozenset())
        total = hashlib.sha256(repr((choices, sorted(self.common))).encode())
        for place in self.functions:
            made = load(place)
            path = inspect.getsourcefile(made.function if isinstance(made, FunctionAnnotator) else type(made))
            total.update(Path(path or "").read_bytes() if path else b"")
        return total.hexdigest()
