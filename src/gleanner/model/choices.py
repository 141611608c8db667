"""What may be chosen of a model, apart from the model: the command line explains it without loading torch."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field, PositiveInt
from pydantic.dataclasses import dataclass

Pooling = Literal["first", "last", "mean", "edges"]
"""Which pieces stand for a word: its first, its last, their mean, or the first where the word begins a span and the last
where it ends one."""

Scheme = Literal["IO", "BIO", "BIOES"]
"""The tags of a token head."""

Decoding = Literal["flat", "nested", "all"]
"""What predicted spans may do: not touch (`flat`), contain one another but not cross (`nested`), anything (`all`)."""

Features = Literal["hidden", "span"]
"""What units are compared by: the last hidden layer of their head, or the vectors that the head makes of them."""

EncoderKind = Literal["transformer", "bilstm", "flat", "lebert", "bert_word"]
"""What reads the words: a module of `gleanner.model`."""

Precision = Literal["auto", "fp32", "bf16"]
"""The arithmetic; `auto` is bf16 where the hardware has it, else fp32."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", use_attribute_docstrings=True))
class BiLSTMOptions:
    """The shape of a BiLSTM encoder."""

    word_size: PositiveInt = 100
    """Width of a word's embedding; with `vectors`, the file decides."""
    char_size: PositiveInt = 30
    """Width of a character's embedding."""
    hidden: PositiveInt = 200
    """Width of the LSTM in each direction."""
    layers: PositiveInt = 1
    """LSTM layers."""
    dropout: float = Field(default=0.5, ge=0.0, lt=1.0)
    """Dropout before and after the LSTM."""
    word_dropout: float = Field(default=0.05, ge=0.0, lt=1.0)
    """Share of the words that training replaces by the unknown word, so that its embedding learns something."""
    vectors: str | None = None
    """A text file of word vectors, `word v1 v2 ...` a line; all its words are kept."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", use_attribute_docstrings=True))
class LexiconOptions:
    """The words that a lexicon-enhanced encoder knows beside the characters."""

    way: Literal["adapter", "attention"] | None = None
    """How a Hugging Face encoder uses a lexicon: `adapter` (LEBERT), `attention` (BERT+Word); when not given, not at all."""
    file: str | None = None
    """A text file of word vectors, or of words alone; when not given, the sequences that the training text repeats."""
    size: PositiveInt = 50
    """Width of a word's vector; with a file of vectors, the file decides."""
    most: PositiveInt = 5
    """Words that a character sees of those that cover it, the longest first. FLAT sees all."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid", use_attribute_docstrings=True))
class FlatOptions:
    """The shape of a flat-lattice transformer."""

    heads: PositiveInt = 8
    """Attention heads."""
    head_size: PositiveInt = 20
    """Width of each; a word's vector is as wide as all heads together."""
    feed_forward: PositiveInt = 480
    """Width of the layer behind the attention."""
    layers: PositiveInt = 1
    """Layers."""
    char_size: PositiveInt = 50
    """Width of a character's embedding; with `vectors`, the file decides."""
    vectors: str | None = None
    """A text file of character vectors, `character v1 v2 ...` a line; all its characters are kept."""
    embedding_dropout: float = Field(default=0.5, ge=0.0, lt=1.0)
    """Dropout of the embeddings of characters and lexicon words."""
    dropout: float = Field(default=0.3, ge=0.0, lt=1.0)
    """Dropout behind the attention and the feed-forward layer, and inside the latter."""
    word_dropout: float = Field(default=0.05, ge=0.0, lt=1.0)
    """Share of the characters that training replaces by the unknown one, so that its embedding learns something."""
