"""The rules by which dictionaries are compared with text: the options that make them, for every command that compares."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Signature, signature
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from gleanner.data.lines import lines
from gleanner.gazetteer.rules import Form, Hyphens, Rules
from gleanner.gazetteer.term import Case


def rules(
    case: Annotated[
        Case, typer.Option(help="Whether capitals matter; acronym: only in terms that are all capitals.")
    ] = "exact",
    ignore_above: Annotated[
        int, typer.Option(min=0, metavar="LENGTH", help="Terms of at most so many characters keep their case.")
    ] = 0,
    form: Annotated[Form, typer.Option(help="Unicode normalisation; nfkc takes ﬁ for fi too.")] = "nfc",
    width: Annotated[bool, typer.Option("--width", help="Take full-width letters for ordinary ones.")] = False,
    accents: Annotated[bool, typer.Option("--ignore-accents", help="Take é for e.")] = False,
    hyphens: Annotated[Hyphens, typer.Option(help="fold: all dashes are one; space: they are white space.")] = "fold",
    plural: Annotated[bool, typer.Option("--plural", help="Find English plurals of terms.")] = False,
    possessive: Annotated[bool, typer.Option("--possessive", help="Find terms with 's inside a given word.")] = False,
    distance: Annotated[
        int, typer.Option(min=0, help="Letters that may be wrong in long terms (needs rapidfuzz).")
    ] = 0,
    min_length: Annotated[int, typer.Option(min=1, help="Leave out shorter terms.")] = 1,
    stop_list: Annotated[Path | None, typer.Option(metavar="FILE", help="Terms to leave out, one a line.")] = None,
) -> Rules:
    """The rules that the options ask for."""
    return Rules(
        case=case,
        ignore_above=ignore_above,
        form=form,
        width=width,
        accents=accents,
        hyphens=hyphens,
        plural=plural,
        possessive=possessive,
        distance=distance,
        min_length=min_length,
        stop=() if stop_list is None else tuple(line.strip() for _, line in lines(stop_list) if line.strip()),
    )


def with_rules(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of `rules` in the place of its parameter of that name."""
    own, options = (signature(function, eval_str=True).parameters for function in (command, rules))

    @wraps(command)
    def asked(**given: Any) -> None:
        made = rules(**{name: given.pop(name) for name in options})
        command(**given, rules=made)

    keyword_only = [option.replace(kind=option.KEYWORD_ONLY) for option in options.values()]
    together = chain.from_iterable(keyword_only if name == "rules" else [one] for name, one in own.items())
    asked.__signature__ = Signature(list(together))  # type: ignore[attr-defined]  # what typer reads
    asked.__annotations__ = {}
    return asked
