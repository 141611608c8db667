"""Prediction as a task of the engine: a model's entities in lines of text, or in sentences whose words stay."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gleanner.data.jsonl import rendered
from gleanner.engine.inputs import Block, Cut
from gleanner.engine.job import Made

if TYPE_CHECKING:
    from gleanner.model.tagger import Tagger


@dataclass(frozen=True)
class Predicting:
    """The task. Each process loads the model, and works on one processor, so that results do not depend on their number."""

    model: str
    """A folder, or a name on the hub."""
    threshold: float | None = None
    """In the place of the model's own."""
    prepare: Callable[[], object] = bool
    """Called in each process before the model is loaded."""

    @property
    def cut(self) -> Cut:
        """A line is a text. A block takes a model seconds."""
        return Cut(1 << 16, whole_lines=True)

    @property
    def fingerprint(self) -> str:
        """Of a folder also when its files were written."""
        paths = sorted(path for path in Path(self.model).rglob("*") if path.is_file())
        files = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in paths]
        return repr((self.model, self.threshold, files))

    def start(self) -> Callable[[Block], Made]:
        """With a model of this process."""
        import torch

        from gleanner.model.tagger import Tagger

        self.prepare()
        torch.set_num_threads(1)
        tagger = Tagger.from_pretrained(self.model)
        if self.threshold is not None:
            tagger.config = replace(tagger.config, threshold=self.threshold)
        return lambda block: _of_lines(tagger, block) if block.text else _of_sentences(tagger, block)


def _of_lines(tagger: Tagger, block: Block) -> Made:
    texts = block.drawn(block.text.removesuffix("\n").split("\n"))
    found = list(tagger.stream(texts))
    lines = [
        json.dumps({"text": text, "entities": entities}, ensure_ascii=False) + "\n"
        for text, entities in zip(texts, found, strict=True)
    ]
    return Made(
        "".join(lines).encode(), len(lines), Counter(entity["label"] for entities in found for entity in entities)
    )


def _of_sentences(tagger: Tagger, block: Block) -> Made:
    found = list(tagger.annotate(block.drawn(block.sentences)))
    counts = Counter(span.label for sentence in found for span in sentence.spans)
    return Made("".join(rendered(found, Counter())).encode(), len(found), counts)
