"""The sentences of any files as passages, block by block: for what reads a whole corpus in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gleanner.data.text import texts
from gleanner.data.windows import SIZE
from gleanner.engine.inputs import Cut, Source, blocks
from gleanner.gazetteer.passage import Passage


def passages(
    inputs: Sequence[Source], watch: Callable[[int, int], None] = lambda read, records: None
) -> Iterator[list[Passage]]:
    """The passages of each block. `watch` is told its bytes and how many they are, when the next is asked for."""
    for file, source in enumerate(inputs):
        for block in blocks(source, file, Cut(SIZE)):
            found = [Passage(text) for text in texts(block.text)] or [Passage.of(one) for one in block.sentences]
            yield found
            watch(block.read, len(found))
