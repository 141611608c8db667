"""What must be known of a model to build it again: `config.json` beside its weights."""

from __future__ import annotations

from dataclasses import field
from typing import Annotated

from pydantic import ConfigDict, Field, PositiveInt
from pydantic.dataclasses import dataclass

from gleanner.model.choices import Decoding, EncoderKind, Pooling, Scheme

FORMAT_VERSION = 1
"""Of the folder that `save_pretrained` writes. A reader refuses a higher one."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", use_attribute_docstrings=True))
class TaggerConfig:
    """Everything about a model but its weights and its encoder's files."""

    labels: Annotated[tuple[str, ...], Field(min_length=1)]
    """`O`, then the entity types."""
    head: str
    """The head's name."""
    nothing: tuple[str, ...] = ()
    """Labels that a method made for its own use: what is found of them is no entity."""
    encoder: EncoderKind = "transformer"
    """What reads the words."""
    encoder_name: str = ""
    """The name or folder that the encoder came from."""
    pooling: Pooling = "first"
    """Which pieces stand for a word."""
    max_width: PositiveInt = 8
    """The longest span that is considered, in words."""
    scheme: Scheme = "BIO"
    """The tags of token heads."""
    decode: Decoding = "flat"
    """Whether predicted spans may overlap."""
    threshold: float = Field(default=0.0, ge=0.0, le=1.0)
    """Predictions less probable than this are left out."""
    dropout: float | None = field(default=None)
    """The head's dropout, instead of its own."""
    format_version: int = FORMAT_VERSION
    """Of the folder."""
