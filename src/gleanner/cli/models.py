"""Loading a model for a command, without the talk of the libraries beneath."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gleanner.model.tagger import Tagger


def hush() -> None:
    """Switches off progress bars, load reports and notes of each retry: what matters is said by gleanner."""
    from huggingface_hub.utils import logging as hub
    from transformers.utils import logging

    hub.set_verbosity_error()  # type: ignore[no-untyped-call]

    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]


def tagger(name: str) -> Tagger:
    """A folder that `gleanner train` wrote, or a repository of the Hugging Face hub."""
    from gleanner.model.tagger import Tagger

    hush()
    return Tagger.from_pretrained(name)
