r"""What gives labels to passages: anything with a name that can be called; any Python function.

    @annotator
    def dosage(text):
        yield from re.finditer(r"(?P<DOSE>\d+ mg)", text)

On the command line a function is named by its place, `rules.py:dosage` or `package.module:dosage`. To find it, Python runs
that file: name only files that you would run yourself.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
import traceback
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from operator import itemgetter
from pathlib import Path
from pickle import PicklingError
from types import ModuleType
from typing import Any, Literal, Protocol, overload, runtime_checkable

from gleanner.errors import InputError
from gleanner.gazetteer.origin import Origin
from gleanner.gazetteer.passage import Label, Passage

Found = tuple[int, int, str] | re.Match[str]
"""What a function yields: first character, the one after the last, type; or a match, whose named groups are types."""

Cutting = Literal["error", "widen", "skip"]

Function = Callable[[Any], Iterable[Found]]

_QUOTED = 60
"""Characters of a passage that an error quotes."""


@runtime_checkable
class Annotator(Protocol):
    """Gives labels to passages. Those of one passage are in order, lie on its words and do not overlap.

    It can be pickled, so that other processes can have it too.
    """

    @property
    def name(self) -> str:
        """What it is called in messages."""
        ...

    def __call__(self, passages: Sequence[Passage]) -> list[list[Label]]:
        """The labels of each passage."""
        ...


@dataclass(frozen=True)
class FunctionAnnotator:
    """A Python function as an annotator. Of labels that overlap, the leftmost counts, and of those the longest."""

    function: Function
    type: str = ""
    """The type of a match without a named group."""
    cutting: Cutting = "error"
    """What happens to a label that begins or ends inside a word."""
    place: str = field(default="", compare=False)
    """Where it is found, as `load` takes it; empty where only this process knows it."""

    @property
    def name(self) -> str:
        """That of the function."""
        return self.function.__name__

    def __call__(self, passages: Sequence[Passage]) -> list[list[Label]]:
        """What the function yields, as labels on whole words."""
        whole = _parameter(self.function) == "passage"
        source = str(Origin("rule", self.name))
        return [self._labels(passage, passage if whole else passage.text, source) for passage in passages]

    def __reduce__(self) -> tuple[Callable[[str, str, Cutting], FunctionAnnotator], tuple[str, str, Cutting]]:
        # The function's name leads to this object, not to the function, so pickle cannot find the function by itself.
        if not self.place:
            raise PicklingError(f"{self.name!r} is not at the top of a module; other processes could not find it")
        return _again, (self.place, self.type, self.cutting)

    def _labels(self, passage: Passage, argument: Passage | str, source: str) -> list[Label]:
        try:
            found = [place for item in self.function(argument) for place in self._places(item)]
        except InputError:
            raise
        except Exception as error:
            what = f"fails at {_quoted(passage.text)}: {_reason(error)}"
            raise InputError(
                f"{self.name} {what}", path=_file(self.function), line=_line(error, self.function)
            ) from error
        placed = [(self._on_words(passage, *place), place[2]) for place in found]
        labels = [Label(*words, kind, source) for words, kind in placed if words]
        return flat(labels) if len(labels) > 1 else labels

    def _places(self, item: Found) -> Iterator[tuple[int, int, str]]:
        if isinstance(item, re.Match):
            groups = [name for name, text in item.groupdict().items() if text]
            for name in groups:
                yield (*item.span(name), name)
            if not groups and self.type:
                yield (*item.span(), self.type)
            elif not groups:
                raise self._error(
                    f"yields the match {item[0]!r} without a type",
                    remedy="name a group of the expression after the type, or write @annotator(type=...)",
                )
            return
        match item:
            case (int(start), int(end), str(label)) if label:
                yield start, end, label
            case _:
                raise self._error(
                    f"yields {item!r}", remedy="yield (start, end, type) in characters, or matches of an expression"
                )

    def _on_words(self, passage: Passage, start: int, end: int, label: str) -> tuple[int, int] | None:
        """The characters from the first word's beginning to the last word's end; None for what is skipped."""
        text = passage.text
        if not 0 <= start < end <= len(text):
            what = f"yields [{start}, {end}) {label} of {_quoted(text)}, which has {len(text)} characters"
            raise self._error(what, remedy="yield characters of the text, the end exclusive")
        words = passage.cut()
        first = bisect_right(words, start, key=itemgetter(1))
        last = bisect_left(words, end, key=itemgetter(0)) - 1
        if first > last:
            raise self._error(f"labels {text[start:end]!r} {label}, which holds no word", remedy="label words")
        (left, left_end), (right, right_end) = words[first], words[last]
        if self.cutting == "widen" or (start <= left and right_end <= end):
            return left, right_end
        if self.cutting == "skip":
            return None
        a, b = (left, left_end) if left < start else (right, right_end)
        raise self._error(
            f"labels {text[start:end]!r} {label} in {_quoted(text, start)}, which cuts the word {text[a:b]!r}",
            remedy='yield whole words, or write @annotator(cutting="skip") or "widen"',
        )

    def _error(self, what: str, *, remedy: str) -> InputError:
        return InputError(f"{self.name} {what}", path=_file(self.function), remedy=remedy)


@overload
def annotator(function: Function, /) -> FunctionAnnotator: ...
@overload
def annotator(*, type: str = "", cutting: Cutting = "error") -> Callable[[Function], FunctionAnnotator]: ...
def annotator(
    function: Function | None = None,
    /,
    *,
    type: str = "",  # noqa: A002
    cutting: Cutting = "error",
) -> FunctionAnnotator | Callable[[Function], FunctionAnnotator]:
    r"""Makes an annotator of a function, whose one parameter says what it wants: `text`, or `passage` with its words.

    It yields (start, end, type) in characters of the text, or matches of a regular expression. A match's named groups are
    labels with their names as types; without one, the whole match has the `type` that is given here. A label is made of
    whole words, white space at its edges aside. What cuts a word is by `cutting` an error, takes the whole word ("widen")
    or is no label ("skip").

    >>> @annotator(type="YEAR")
    ... def years(text):
    ...     yield from re.finditer(r"\b1[89]\d\d\b", text)
    >>> years([Passage("Lovelace wrote in 1843.")])
    [[Label(start=18, end=22, type='YEAR', source='rule:years', score=None)]]
    """

    def make(function: Function) -> FunctionAnnotator:
        _parameter(function)
        return FunctionAnnotator(function, type, cutting, _place(function))

    return make if function is None else make(function)


def load(place: str) -> Annotator:
    """The annotator at `file.py:name` or `package.module:name`. This runs the file, as `python file.py` would."""
    module, colon, name = place.rpartition(":")
    if not colon or not module or not name:
        raise InputError(f"{place!r} names no annotator", remedy="write file.py:function or package.module:function")
    found = _module(module)
    thing = getattr(found, name, None)
    if thing is None:
        known = [key for key, value in vars(found).items() if isinstance(value, FunctionAnnotator)]
        raise InputError(f"no {name!r} in it", path=module, remedy=f"it has: {', '.join(known) or 'no annotator'}")
    if isinstance(thing, Annotator) and not isinstance(thing, type):
        return thing
    if inspect.isfunction(thing):
        _parameter(thing)
        return FunctionAnnotator(thing, place=place)
    raise InputError(f"{name!r} is no annotator but {thing!r}", path=module, remedy="write @annotator over a function")


def _again(place: str, kind: str, cutting: Cutting) -> FunctionAnnotator:
    """The function of another process, in this one."""
    found = load(place)
    if not isinstance(found, FunctionAnnotator):
        raise InputError(f"{place!r} is another thing here than where it came from", remedy="use the same files")
    return found if (found.type, found.cutting) == (kind, cutting) else replace(found, type=kind, cutting=cutting)


def flat(labels: Iterable[Label]) -> list[Label]:
    """Labels in order, none overlapping another: the leftmost counts, and of those that begin together the longest."""
    kept: list[Label] = []
    for label in sorted(labels, key=lambda label: (label.start, -label.end)):
        if not kept or label.start >= kept[-1].end:
            kept.append(label)
    return kept


def _parameter(function: Function) -> str:
    names = [name for name, p in inspect.signature(function).parameters.items() if p.default is p.empty]
    if names not in (["text"], ["passage"]):
        raise InputError(
            f"{function.__name__}({', '.join(names)}) takes neither text nor passage",
            path=_file(function),
            remedy="give it one parameter, `text` or `passage`",
        )
    return names[0]


def _place(function: Function) -> str:
    """Where another process finds a function; empty for one inside another, or typed into an interpreter."""
    if "<locals>" in function.__qualname__:
        return ""
    module = sys.modules.get(function.__module__)
    file = getattr(module, "__file__", None)
    known = function.__module__ if function.__module__ != "__main__" and not _is_ours(module) else file
    return f"{known}:{function.__qualname__}" if known else ""


def _module(name: str) -> ModuleType:
    """A module by its name, or by its file, which is run once in a process."""
    if not name.endswith(".py"):
        try:
            return import_module(name)
        except ModuleNotFoundError as error:
            if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
                raise InputError(
                    f"there is no module {name!r}", remedy="name the file: path/to/file.py:function"
                ) from None
            raise InputError(f"{name} cannot be imported: {_reason(error)}", remedy="install it, or mend it") from error
        except Exception as error:
            raise InputError(f"{name} cannot be imported: {_reason(error)}", remedy="mend it") from error
    path = Path(name).resolve()
    key = f"gleanner_annotators_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    if key in sys.modules:
        return sys.modules[key]
    spec = spec_from_file_location(key, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise InputError("no such file", path=name, remedy="check the name")
    module = module_from_spec(spec)
    sys.modules[key] = module  # before it runs: dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[key]
        if isinstance(error, InputError) or not isinstance(error, Exception):
            raise
        line = error.lineno if isinstance(error, SyntaxError) else _line(error, str(path))
        raise InputError(_reason(error), path=name, line=line, remedy="mend the file") from error
    return module


def _is_ours(module: ModuleType | None) -> bool:
    """Whether a module came from `_module` by its file: another process does not know its name."""
    return module is not None and module.__name__.startswith("gleanner_annotators_")


def _file(function: Function) -> str | None:
    """The file that a function stands in, for errors."""
    try:
        return inspect.getsourcefile(inspect.unwrap(function))
    except TypeError:
        return None  # it is made of something else than Python's text


def _line(error: BaseException, place: Function | str) -> int | None:
    """The deepest line of a file, or of a function's file, on the way to where an error arose."""
    path = place if isinstance(place, str) else _file(place)
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == path), None)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"


def _quoted(text: str, around: int = 0) -> str:
    start = max(0, min(around - _QUOTED // 2, len(text) - _QUOTED))
    return repr(("…" if start else "") + text[start : start + _QUOTED] + ("…" if start + _QUOTED < len(text) else ""))
