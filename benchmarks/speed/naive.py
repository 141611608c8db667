"""A span model as an ordinary research script has it, in the manner of the code that papers are released with.

Each sentence is tokenised anew in every epoch, by itself; its candidate spans are a Python list; batches are random and padded
in pieces and in spans; `[h_i; h_j; width]` is written out for every span; single precision, the whole embedding, AdamW as it
comes. It has the sizes of gleanner's `concat` head and the same work to do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.nn.utils import clip_grad_norm_
from torch.nn.utils.rnn import pad_sequence
from transformers import AutoModel, AutoTokenizer

from gleanner.types import Sentence

IGNORED = -100
MAX_WIDTH = 8
HIDDEN = 150
WIDTH_SIZE = 25


class NaiveBatch(NamedTuple):
    """Padded rows."""

    ids: Tensor  # rows, pieces
    mask: Tensor  # rows, pieces
    spans: Tensor  # rows, spans, 2: the first piece of the first and of the last word
    widths: Tensor  # rows, spans
    labels: Tensor  # rows, spans; IGNORED where there is no span

    @property
    def padding(self) -> tuple[float, float]:
        """The shares of pieces and of spans that are none."""
        return 1 - float(self.mask.float().mean()), float((self.labels == IGNORED).float().mean())


class NaiveData:
    """Sentences to tensors, one after the other."""

    def __init__(self, encoder: str, labels: Sequence[str], rate: float | None) -> None:
        self.tokenizer: Any = AutoTokenizer.from_pretrained(encoder, add_prefix_space=True)
        self.number = {label: k for k, label in enumerate(labels)}
        self.rate = rate  # negatives drawn for each word; None: all spans are used
        self.random = Random(0)

    def example(self, sentence: Sentence) -> tuple[list[int], list[tuple[int, int]], list[int], list[int]]:
        """Pieces, spans, widths and labels of one sentence."""
        encoding = self.tokenizer(list(sentence.words), is_split_into_words=True, truncation=True, max_length=512)
        first: dict[int, int] = {}
        for place, word in enumerate(encoding.word_ids()):
            if word is not None and word not in first:
                first[word] = place
        entities = {(span.start, span.end - 1): span.label for span in sentence.entities}
        spans, widths, labels = [], [], []
        for start, end in self.candidates(len(sentence.words), entities):
            if start in first and end in first:
                spans.append((first[start], first[end]))
                widths.append(end - start)
                labels.append(self.number[entities.get((start, end), "O")])
        return encoding["input_ids"], spans, widths, labels

    def candidates(self, words: int, entities: dict[tuple[int, int], str]) -> list[tuple[int, int]]:
        """All spans, or the entities with a sample of the others."""
        spans = [(start, end) for start in range(words) for end in range(start, min(start + MAX_WIDTH, words))]
        if self.rate is None:
            return spans
        positive = [span for span in spans if span in entities]
        negative = [span for span in spans if span not in entities]
        return positive + self.random.sample(negative, min(len(negative), math.ceil(self.rate * words)))

    def batch(self, sentences: Sequence[Sentence]) -> NaiveBatch:
        """Rows padded to the longest."""
        ids, spans, widths, labels = zip(*map(self.example, sentences), strict=True)
        pad = self.tokenizer.pad_token_id
        return NaiveBatch(
            pad_sequence([torch.tensor(row) for row in ids], batch_first=True, padding_value=pad),
            pad_sequence([torch.ones(len(row), dtype=torch.long) for row in ids], batch_first=True),
            pad_sequence([torch.tensor(row).view(-1, 2) for row in spans], batch_first=True),
            pad_sequence([torch.tensor(row, dtype=torch.long) for row in widths], batch_first=True),
            pad_sequence(
                [torch.tensor(row, dtype=torch.long) for row in labels], batch_first=True, padding_value=IGNORED
            ),
        )


class NaiveSpanModel(nn.Module):
    """An encoder and two layers over each span's representation."""

    def __init__(self, encoder: str, classes: int) -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(encoder)
        size = self.encoder.config.hidden_size
        self.width = nn.Embedding(MAX_WIDTH, WIDTH_SIZE)
        self.scorer = nn.Sequential(
            nn.Dropout(0.2),
            nn.Linear(2 * size + WIDTH_SIZE, HIDDEN),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Linear(HIDDEN, HIDDEN),
            nn.ReLU(),
            nn.Linear(HIDDEN, classes),
        )

    def forward(self, batch: NaiveBatch) -> Tensor:
        """The loss."""
        states = self.encoder(input_ids=batch.ids, attention_mask=batch.mask).last_hidden_state  # rows, pieces, size
        row = torch.arange(len(states))[:, None]
        start, end = states[row, batch.spans[..., 0]], states[row, batch.spans[..., 1]]  # rows, spans, size
        spans = torch.cat((start, end, self.width(batch.widths)), dim=-1)
        scores = self.scorer(spans)  # rows, spans, classes
        return cross_entropy(scores.flatten(0, 1), batch.labels.flatten(), ignore_index=IGNORED)


class NaiveTraining:
    """The loop's inside."""

    def __init__(self, encoder: str, labels: Sequence[str], rate: float | None) -> None:
        self.data = NaiveData(encoder, labels, rate)
        self.model = NaiveSpanModel(encoder, len(labels)).train()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=5e-5)

    def step(self, sentences: Sequence[Sentence]) -> None:
        """One step on these sentences."""
        loss = self.model(self.data.batch(sentences))
        self.optimizer.zero_grad()
        loss.backward()
        clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
