"""What may be chosen by a name. It imports nothing, for the command line needs it before anything else."""

from __future__ import annotations

from typing import Literal

Ambiguity = Literal["drop", "priority", "frequent", "alternatives"]
"""What a term of several types becomes, see `DictionaryAnnotator`."""

By = Literal["priority", "vote"]
"""How several annotators become one, see `Combined`."""
