"""Which encoder the settings ask for, and how it is built."""

from __future__ import annotations

from gleanner.errors import InputError
from gleanner.model.bert_word import BertWord
from gleanner.model.bilstm import BiLSTM
from gleanner.model.choices import EncoderKind, LexiconOptions, Pooling
from gleanner.model.encoder import Encoder
from gleanner.model.examples import Examples
from gleanner.model.flat import Flat
from gleanner.model.lebert import Lebert
from gleanner.model.lexicon_vectors import LexiconVectors
from gleanner.model.transformer import Transformer
from gleanner.training.settings import Settings


def kind_of(settings: Settings) -> EncoderKind:
    """The module of `gleanner.model` that reads the words.

    >>> kind_of(Settings(encoder="bert-base-chinese", lexicon=LexiconOptions(way="adapter")))
    'lebert'
    """
    name, lexicon = settings.encoder, settings.lexicon
    if name == "bilstm" and lexicon != LexiconOptions():
        raise InputError(
            "the encoder 'bilstm' has no use for lexicon.* settings",
            remedy="leave them out, or choose the encoder 'flat' or a Hugging Face one",
        )
    if name == "bilstm":
        return "bilstm"
    if name == "flat" and lexicon.way is not None:
        raise InputError(
            f"lexicon.way={lexicon.way!r} is for Hugging Face encoders; 'flat' has a way of its own",
            remedy="leave it out",
        )
    if name == "flat":
        return "flat"
    if lexicon.way is None and lexicon != LexiconOptions():
        raise InputError(
            f"lexicon.* settings are given, but not how the encoder {name!r} should use a lexicon",
            remedy="set lexicon.way to adapter or attention",
        )
    kinds: dict[str | None, EncoderKind] = {None: "transformer", "adapter": "lebert", "attention": "bert_word"}
    return kinds[lexicon.way]


def reads(settings: Settings) -> tuple[str, ...]:
    """The files that such an encoder is built from, beside what its name stands for."""
    named = settings.bilstm.vectors, settings.lexicon.file, settings.flat.vectors
    return tuple(name for name in named if name is not None)


def build(kind: EncoderKind, settings: Settings, examples: Examples, pooling: Pooling) -> Encoder:
    """A new encoder for a training corpus."""
    lexicon, bilstm = settings.lexicon, settings.bilstm
    if kind == "bilstm":
        return BiLSTM.build(examples.vocabulary.words, bilstm)
    if kind == "flat":
        return Flat.build(examples, settings.flat, lexicon)
    reader = Transformer.load(settings.encoder, pooling)
    if kind == "transformer":
        return reader
    words = LexiconVectors.build(examples, lexicon)
    if kind == "lebert":
        return Lebert(reader, words, most=lexicon.most)
    return BertWord(
        reader, words, most=lexicon.most, hidden=bilstm.hidden, layers=bilstm.layers, dropout=bilstm.dropout
    )
