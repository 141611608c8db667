"""What the commands that annotate ask about annotators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gleanner.errors import InputError
from gleanner.gazetteer.choices import Ambiguity, By
from gleanner.types import Sentence

if TYPE_CHECKING:
    from gleanner.gazetteer.recipe import Recipe

AmbiguityOption = Annotated[
    Ambiguity,
    typer.Option(
        "--ambiguity",
        help="A term of several types: left unknown (drop), the first of --type-order or of the dictionaries (priority), the "
        "type of most entries (frequent), unknown with all its types named (alternatives).",
    ),
]
TypeOrder = Annotated[
    str | None, typer.Option(metavar="TYPE,TYPE", help="Types, the most important first, for --ambiguity priority.")
]
Functions = Annotated[
    list[str] | None,
    typer.Option(
        "--annotator",
        metavar="FILE.py:NAME",
        help="A Python function that annotates too; may be given several times. The file is run: name only your own.",
    ),
]
FunctionsFirst = Annotated[
    bool, typer.Option("--annotators-first", help="By priority, functions come before dictionaries.")
]
Combine = Annotated[
    By,
    typer.Option(
        "--combine",
        help="Where annotators differ, the first wins (priority), or the most (vote; each dictionary has a voice, weighted by "
        "its precision where --gold is given).",
    ),
]
Candidates = Annotated[
    str | None,
    typer.Option(
        metavar="capitals|spacy:MODEL",
        help="Label only terms that look like names; what looks so and is no term becomes unknown.",
    ),
]
Common = Annotated[
    float | None,
    typer.Option(
        "--common",
        min=0,
        max=1,
        metavar="SHARE",
        help="Leave terms unknown that the text has in lower case at least this share of the time, such as May at 0.5. "
        "The text is read twice.",
    ),
]


def recipe(
    lexicons: Sequence[Path],
    *,
    ambiguity: Ambiguity,
    type_order: str | None,
    functions: Sequence[str] | None,
    functions_first: bool,
    combine: By,
    candidates: str | None,
    common: Iterable[str] = (),
    gold: Iterable[Sentence] | None = None,
) -> Recipe:
    """What these options ask for. What is wrong in them is told before any text is read."""
    from gleanner.gazetteer.annotator import load
    from gleanner.gazetteer.candidates import finder
    from gleanner.gazetteer.from_dictionary import check
    from gleanner.gazetteer.recipe import Recipe

    order = tuple(name.strip() for name in (type_order or "").split(",") if name.strip())
    check(ambiguity, order)
    for place in functions or ():
        load(place)
    if candidates is not None:
        finder(candidates)
        if not lexicons:
            raise InputError("--candidates without a dictionary", remedy="give --dictionary, or leave it out")
    made = Recipe(
        lexicons=tuple(lexicons),
        functions=tuple(functions or ()),
        functions_first=functions_first,
        ambiguity=ambiguity,
        order=order,
        common=frozenset(common),
        candidates=candidates or "",
        by=combine,
    )
    return made if gold is None or combine != "vote" else made.weighed(gold)
