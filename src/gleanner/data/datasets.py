"""Folders that `datasets.Dataset.save_to_disk` made: the columns "tokens" and "ner_tags", a row a sentence.

An "id" is kept, as a string; the column "complete", if there is one, says what silence means. Of a folder with several
splits name one: `folder:train`. Only data is loaded, never a loading script.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import batched
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gleanner.data.atomic import atomic_folder
from gleanner.data.characters import entities_alone
from gleanner.data.files import ReadOptions
from gleanner.data.lines import checked
from gleanner.data.tags import TagError, detect, spans, tags
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

if TYPE_CHECKING:
    from datasets import Dataset

ENDINGS: tuple[str, ...] = ()
