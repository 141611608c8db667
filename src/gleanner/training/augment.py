"""The same sentences in other words: some are masked, and a masked language model says what else could stand there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import AutoModelForMaskedLM, PreTrainedModel

from gleanner.errors import InputError
from gleanner.model.examples import Examples, encode
from gleanner.model.feed import Feed
from gleanner.model.precision import autocast, best_device
from gleanner.model.transformer import Transformer, first_line, looks_like_path, read_model, read_tokenizer
from gleanner.model.units import TokenUnits
from gleanner.model.vocabulary import Ints, Ragged
from gleanner.training.draw import gumbel
from gleanner.types import Corpus, Sentence

SHARE = 0.15
"""Of the words that are masked."""

BEST = 5
"""Words to choose from."""

CHUNK = 1024
"""Sentences that are sorted by length together."""

PIECES = 4096
"""Pieces of a batch."""


class Augmenter:
    """A masked language model of the `transformers` library that replaces words, each by one that begins as it does.

    Words are replaced whole: a masked word is one mask, and what takes its place is a piece that is a word by itself, so a
    sentence keeps its number of words. The replacement is drawn in proportion to their probabilities from those of the model's
    five best that are words and agree in beginning with a capital; if none does, the word stays.
    """

    def __init__(self, model: PreTrainedModel, encoder: Transformer, mask: int) -> None:
        self.model, self.encoder, self.mask = model, encoder, mask
        self.words = encoder.whole_words()  # pieces: the word that each is, or None
        self._usable = np.array([word is not None for word in self.words])
        self._capital = np.array([_capital(word or "") for word in self.words])

    @classmethod
    def load(cls, name: str) -> Augmenter:
        """A folder or Hugging Face name. Never runs code that comes with a model."""
        remedy = "name another with method.augmenter, or train without the rewritten sentences (roster: method.augment=false)"
        if looks_like_path(name) and not Path(name).is_dir():
            raise InputError(f"no augmenter folder {name!r}", remedy=remedy)
        try:
            config, tokenizer = read_tokenizer(name)
            model, missing = read_model(AutoModelForMaskedLM, name, config, attn_implementation="eager")
        except Exception as error:  # damaged files make transformers and its parsers raise anything
            raise InputError(f"cannot load the augmenter {name!r}: {first_line(error)}", remedy=remedy) from error
        mask = tokenizer.mask_token_id
        if missing or mask is None:
            lacks = f"its weights lack {missing[0]!r}" if missing else "its tokenizer has no mask"
            raise InputError(
                f"the augmenter {name!r} has no masked-language-model head: {lacks}",
                remedy=remedy,
            )
        return cls(model, Transformer(model, tokenizer, "first"), int(mask))

    def twin(self, corpus: Corpus) -> Corpus:
        """The corpus in other words, made while it is read. Draws from torch's global generator."""
        return Corpus(lambda: self.rewrite(corpus))

    def rewrite(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Sentences in order, without annotations."""
        self.model.to(best_device())  # type: ignore[arg-type]  # its wrapper hides that it is a method
        stream = iter(sentences)
        while chunk := list(islice(stream, CHUNK)):
            yield from self._rewritten(chunk)
        self.model.cpu()  # the device is the trained model's from here on

    @torch.inference_mode()
    def _rewritten(self, chunk: Sequence[Sentence]) -> Iterator[Sentence]:
        examples = encode(replace(sentence, spans=()) for sentence in chunk)
        words = len(examples.words)
        masked = (torch.rand(words) < SHARE).numpy()
        noise = gumbel(torch.empty(words, BEST))  # drawn for all words: what is masked does not shift other draws
        capital = np.array([_capital(word) for word in examples.vocabulary.words], bool)[examples.words]
        chosen = self._choose(examples, masked, capital, noise)
        pieces = iter(chosen.tolist())
        for sentence in chunk:
            found = (self.words[piece] if piece >= 0 else None for piece in islice(pieces, len(sentence.words)))
            yield Sentence(tuple(new or word for word, new in zip(sentence.words, found, strict=True)))

    def _choose(
        self, examples: Examples, masked: NDArray[np.bool_], capital: NDArray[np.bool_], noise: Tensor
    ) -> NDArray[np.int64]:
        """For each word the piece that takes its place, or -1."""
        feed = self._feed(examples, masked)
        chosen = np.full(len(examples.words), -1, np.int64)
        device = next(self.model.parameters()).device
        for rows in feed.by_length(PIECES):
            batch = feed.batch(rows)
            place = batch.units.place.numpy()
            some = np.flatnonzero(masked[place])
            if not len(some):
                continue
            place = place[some]
            at = batch.inputs["first"][batch.units.start[torch.from_numpy(some)]]
            with autocast("auto", device):
                logits, piece = self._best(batch.to(device).inputs, at.to(device))
            allowed = self._usable[piece] & (self._capital[piece] == capital[place][:, None])  # masked, best
            keys = torch.where(torch.from_numpy(allowed), logits.double() + noise[place], -torch.inf)
            drawn = keys.argmax(dim=1).numpy()[:, None]  # Gumbel: a draw in proportion to exp(logits)
            chosen[place] = np.where(allowed.any(axis=1), np.take_along_axis(piece, drawn, axis=1)[:, 0], -1)
        return chosen

    def _feed(self, examples: Examples, masked: NDArray[np.bool_]) -> Feed:
        """The sentences as the model reads them, each masked word one mask."""
        table = self.encoder.table(examples.vocabulary.words)
        mask = len(table.starts) - 1  # one more word, whose only piece is the mask
        starts = np.append(table.starts, table.starts[-1] + 1)
        numbers: Ints = np.where(masked, mask, examples.words).astype(np.int32)
        feed = Feed(replace(examples, words=numbers), self.encoder, TokenUnits("IO"))
        feed.table = Ragged(starts, np.append(table.values, self.mask).astype(np.int32))
        return feed

    def _best(self, inputs: dict[str, Tensor], at: Tensor) -> tuple[Tensor, NDArray[np.int64]]:
        """The best pieces at these places of the flattened rows and their logits: (places, best) each."""

        def only(module: nn.Module, given: tuple[Tensor]) -> tuple[Tensor]:
            return (given[0].flatten(0, 1)[at],)

        # The vocabulary is projected onto where it is needed: everywhere it would be by far the largest part of the work.
        projection: nn.Module = self.model.get_output_embeddings()  # type: ignore[no-untyped-call]
        hook = projection.register_forward_pre_hook(only)
        try:
            logits = self.model(input_ids=inputs["ids"], attention_mask=inputs["mask"]).logits
        finally:
            hook.remove()
        known = logits[:, : len(self.words)].float()  # a model may have more rows than its tokenizer has pieces
        best = known.topk(min(BEST, known.shape[1]), dim=1)
        return best.values.cpu(), best.indices.cpu().numpy()


def _capital(word: str) -> bool:
    return word[:1].isupper()
