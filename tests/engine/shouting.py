"""A task in a module that other processes can import."""

import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gleanner.data.text import texts
from gleanner.engine.inputs import Block, Cut
from gleanner.engine.job import Made
from gleanner.errors import InputError

CUT = Cut(200)
"""Small, so that there are many blocks."""


@dataclass(frozen=True)
class Shout:
    """A record a sentence, in capitals.

    What holds "FAIL" is refused. What holds "DIE" makes the file `deadly` and kills its process, if the file is not there.
    """

    fingerprint: str = "shout"
    deadly: str = ""
    cut: Cut = CUT

    def start(self) -> Callable[[Block], Made]:
        return self.make

    def make(self, block: Block) -> Made:
        if self.deadly and "DIE" in block.text and not Path(self.deadly).exists():
            with suppress(OSError):
                Path(self.deadly).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if "FAIL" in block.text:
            raise InputError("it says FAIL", path="somewhere")
        made = texts(block.text) if block.text else [" ".join(s.words) for s in block.sentences]
        made = block.drawn(made)
        lines = [json.dumps({"text": text.upper()}, ensure_ascii=False) + "\n" for text in made]
        return Made(
            "".join(lines).encode(), len(lines), Counter(letters=sum(map(len, made))), f"{len(made)} of {block.number}"
        )
