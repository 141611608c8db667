"""The model: an encoder and a head that were trained together, which finds entities in text and can be saved and loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
import torch
from torch import Tensor, nn

from gleanner.data.text import sentences as cut_sentences
from gleanner.evaluation.spans import SpanArrays
from gleanner.model import storage
from gleanner.model.choices import Precision
from gleanner.model.config import TaggerConfig
from gleanner.model.decode import Found, accept, join
from gleanner.model.encoder import Encoder, encoder_class
from gleanner.model.examples import encode
from gleanner.model.feed import Batch, Feed
from gleanner.model.heads.head import Head, HeadShape, head_class
from gleanner.model.precision import autocast, best_device
from gleanner.model.units import SpanUnits, TokenUnits, Units
from gleanner.types import Sentence, Span

PIECES = 4096
"""Pieces of a batch when predicting."""

CHUNK = 1024
"""Sentences that are sorted by length together when predicting from a stream."""


class Entity(TypedDict):
    """A prediction: `text[start:end]` of what was given is `text` here, always."""

    start: int
    end: int
    text: str
    label: str
    score: float


class Tagger(nn.Module):
    """An encoder and a head.

    >>> tagger = Tagger.from_pretrained("my-model")            # doctest: +SKIP
    >>> tagger.predict("Ada Lovelace lived in London.")        # doctest: +SKIP
    [{'start': 0, 'end': 12, 'text': 'Ada Lovelace', 'label': 'PER', 'score': 0.99}, ...]
    """

    def __init__(self, config: TaggerConfig, encoder: Encoder) -> None:
        super().__init__()
        self.config = config
        self.encoder = encoder
        kind = head_class(config.head)
        self.kind = SpanUnits(config.max_width) if kind.unit == "spans" else TokenUnits(config.scheme)
        shape = HeadShape(encoder.size, self.kind.classes(config.labels), config.max_width, config.dropout)
        self.head: Head = kind(shape)
        self.precision: Precision = "auto"

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.parameters()).device

    @property
    def labels(self) -> tuple[str, ...]:
        """The entity types."""
        return tuple(label for label in self.config.labels[1:] if label not in self.config.nothing)

    def feed(self, sentences: Iterable[Sentence]) -> Feed:
        """The sentences as this model reads them."""
        return Feed(encode(sentences, labels=self.config.labels), self.encoder, self.kind)

    @torch.inference_mode()
    def find(self, feed: Feed, batches: Iterable[np.ndarray] | None = None) -> Found:
        """The entities of all sentences of a feed, or of those windows that are given."""
        was_training = self.training
        self.eval()
        parts = []
        device = self.device
        with autocast(self.precision, device):
            for rows in feed.by_length(PIECES) if batches is None else batches:
                parts.append(self._read(feed, feed.batch(rows).to(device)))
        self.train(was_training)
        return self._decode(parts)

    def logits(self, feed: Feed) -> Tensor:
        """The scores of all units of a feed, each in its place: (places, classes); of the places without a unit, 0."""
        return self._in_places(feed, lambda logits, units: logits.float())

    def log_probabilities(self, feed: Feed) -> Tensor:
        """Those of the units' classes, likewise. What softmax makes of the scores, but for a CRF, whose marginals count."""
        return self._in_places(feed, self.head.log_probabilities)

    @torch.no_grad()
    def _in_places(self, feed: Feed, made: Callable[[Tensor, Units], Tensor]) -> Tensor:
        was_training = self.training
        self.eval()
        device = self.device
        found = torch.zeros(feed.places, len(self.kind.classes(self.config.labels)))
        with autocast(self.precision, device):
            for rows in feed.by_length(PIECES):
                batch = feed.batch(rows).to(device)
                logits = self.head(self.encoder(batch.inputs), batch.units)
                found[batch.units.place.cpu()] = made(logits, batch.units).cpu()
        self.train(was_training)
        return found

    def _read(self, feed: Feed, batch: Batch) -> tuple[np.ndarray, ...]:
        """The units of a batch that are not O: sentence, first word, end, class and probability of each."""
        units = batch.units
        label, score = self.head.best(self.head(self.encoder(batch.inputs), units), units)
        some = label.nonzero().squeeze(1)
        row, start, end = units.row[some], units.start[some], units.end[some]
        first_word = torch.cumsum(units.length, 0) - units.length
        row_, start_, width = (t.cpu().numpy() for t in (row, start - first_word[row], end - start + 1))
        window = batch.rows[row_]
        begin = feed.windows.begin[window] + start_
        sentence = feed.windows.sentence[window].astype(np.int64)
        return sentence, begin, begin + width, label[some].cpu().numpy(), score[some].cpu().numpy()

    def _decode(self, parts: Sequence[tuple[np.ndarray, ...]]) -> Found:
        nothing = (*[np.empty(0, np.int64)] * 4, np.empty(0, np.float32))
        sentence, start, end, label, score = map(np.concatenate, zip(nothing, *parts, strict=True))
        if isinstance(self.kind, TokenUnits):
            found = self._entity_types(join(sentence, start, label, score, self.kind.prefixes))
        else:
            candidates = self._entity_types(Found(SpanArrays(sentence, start, end, label), score))
            found = accept(*candidates, self.config.decode)
        sure = found.score >= self.config.threshold
        return Found(found.spans[sure], found.score[sure])

    def _entity_types(self, found: Found) -> Found:
        """Without what is of a class that means no entity."""
        if not self.config.nothing:
            return found
        real = ~np.isin(found.spans.label, [self.config.labels.index(label) for label in self.config.nothing])
        return Found(found.spans[real], found.score[real])

    def annotate(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """The sentences with the model's entities in the place of whatever spans they had, streaming.

        A sentence can hold spans inside one another, but none that cross: where `decode` is `all`, the less probable of two
        that cross is left out here, and `predict` gives both.
        """
        stream = iter(sentences)
        while chunk := list(islice(stream, CHUNK)):
            spans = self._spans(chunk, crossing=False)
            for sentence, found in zip(chunk, spans, strict=True):
                yield replace(sentence, spans=tuple(found), complete=True)

    def _spans(self, chunk: Sequence[Sentence], *, crossing: bool) -> list[list[Span]]:
        bare = (replace(sentence, spans=()) for sentence in chunk)
        found = self.find(self.feed(bare))
        if self.config.decode == "all" and not crossing:
            found = accept(found.spans, found.score, "nested")
        spans: list[list[Span]] = [[] for _ in chunk]
        columns = (found.spans.sentence, found.spans.start, found.spans.end, found.spans.label, found.score)
        for sentence, start, end, label, score in zip(*(c.tolist() for c in columns), strict=True):
            spans[sentence].append(Span(start, end, self.config.labels[label], source="model", score=round(score, 4)))
        return spans

    def predict(self, text: str | Iterable[str]) -> list[Any]:
        """The entities of a text, or of each of several."""
        if isinstance(text, str):
            return next(self.stream([text]))
        return list(self.stream(text))

    def stream(self, texts: Iterable[str]) -> Iterator[list[Entity]]:
        """The entities of each text, in order, a chunk at a time: texts may come from a source without end."""
        pending: list[tuple[str, int]] = []  # a text and how many sentences it has
        sentences: list[tuple[int, Sentence]] = []
        for text in texts:
            cut = cut_sentences(text)
            pending.append((text, len(cut)))
            sentences.extend(cut)
            if len(sentences) >= CHUNK or len(pending) >= CHUNK:
                yield from self._entities(pending, sentences)
                pending, sentences = [], []
        yield from self._entities(pending, sentences)

    def _entities(self, texts: list[tuple[str, int]], cut: list[tuple[int, Sentence]]) -> Iterator[list[Entity]]:
        found = iter(self._spans([sentence for _, sentence in cut], crossing=True) if cut else [])
        places = iter(cut)
        for text, count in texts:
            entities: list[Entity] = []
            for _ in range(count):
                shift, sentence = next(places)
                offsets = sentence.offsets or ()
                for span in next(found):
                    start, end = shift + offsets[span.start][0], shift + offsets[span.end - 1][1]
                    entities.append(
                        Entity(start=start, end=end, text=text[start:end], label=span.label, score=span.score or 0.0)
                    )
            yield entities

    def save_pretrained(self, folder: str | Path, *, card: str | None = None) -> None:
        """Writes `config.json`, `model.safetensors`, the encoder's files and a model card. Nothing is pickled."""
        storage.save(self, Path(folder), card)

    @classmethod
    def from_pretrained(
        cls, name: str | Path, *, device: str | torch.device | None = None, revision: str | None = None
    ) -> Tagger:
        """From a folder that `save_pretrained` wrote, or a repository on the Hugging Face hub."""
        folder = storage.locate(name, revision)
        config = storage.read_config(folder)
        kind = encoder_class(config.encoder)
        tagger = cls(config, storage.guarded(folder, lambda: kind.restore(folder / "encoder", config.pooling)))
        storage.load_weights(tagger, folder)
        return tagger.to(best_device() if device is None else device).eval()

    def push_to_hub(self, repository: str, *, private: bool | None = None, card: str | None = None) -> str:
        """Uploads what `save_pretrained` writes; returns the address."""
        return storage.push(self, repository, private, card)
