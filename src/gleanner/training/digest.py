"""Short names of what a run depends on: two runs with the same digests read the same data and models."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gleanner.model.examples import Examples


def of_run(settings: dict[str, Any], data: str, models: Sequence[str], arithmetic: tuple[str, int]) -> str:
    """Of all that decides a run's weights: `data` and `models` are digests, `arithmetic` is precision and processes."""
    stated = settings | {"models": models, "arithmetic": arithmetic}
    stated["data"] = {"complete": settings["data"]["complete"]}  # the words count, not where the files lie
    return hashlib.blake2b((json.dumps(stated, sort_keys=True) + data).encode(), digest_size=8).hexdigest()


def of_examples(examples: Examples) -> str:
    """Of words, labels and annotations."""
    digest = hashlib.blake2b("\n".join(examples.vocabulary.words).encode("utf-8", "surrogatepass"), digest_size=8)
    digest.update(json.dumps(examples.labels).encode())
    arrays = (examples.words, examples.starts, examples.complete, examples.span_starts)
    for array in (*arrays, examples.span_start, examples.span_end, examples.span_label):
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def of_source(name: str) -> str:
    """Of a file, or of the weights in a folder; of a name on a hub nothing is known but the name."""
    digest, source = hashlib.blake2b(digest_size=8), Path(name)
    if not source.exists():
        digest.update(name.encode("utf-8", "surrogatepass"))
    for file in [source] if source.is_file() else sorted(source.glob("*.safetensors")):
        with file.open("rb") as handle:
            digest.update(hashlib.file_digest(handle, "blake2b").digest())
    return digest.hexdigest()
