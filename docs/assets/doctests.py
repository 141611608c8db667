"""For mkdocstrings: the doctests of a docstring become code blocks. In Markdown `>>>` would be a quotation in a quotation."""

import re
from typing import Any

import griffe

DOCTEST = re.compile(r"^>>> .*(?:\n.*\S.*)*", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts fences around them."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Each docstring, once it is read."""
        if obj.docstring is not None:
            obj.docstring.value = DOCTEST.sub(lambda doctest: f"\n```pycon\n{doctest[0]}\n```\n", obj.docstring.value)
