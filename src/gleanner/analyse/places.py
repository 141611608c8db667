"""What training data and gold say of each unit, by the unit's place in the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from gleanner.model.examples import encode
from gleanner.model.feed import Feed
from gleanner.types import Sentence

_WINDOWS = 1024
"""Windows whose units are listed together."""


class Listing(NamedTuple):
    """All units of a feed, in no particular order but the same for the same words."""

    place: Tensor  # units: number in the corpus
    sentence: Tensor  # units
    start: Tensor  # units: first word, counted from the beginning of the sentence
    end: Tensor  # units: one past the last word
    label: Tensor  # units: class number
    known: Tensor  # units, bool: whether somebody said so
    usable: Tensor  # units, bool: whether a method may use it


def listing(feed: Feed) -> Listing:
    """Every unit once."""
    parts = []
    windows = feed.windows
    for first in range(0, len(windows), _WINDOWS):
        rows = torch.arange(first, min(first + _WINDOWS, len(windows))).numpy()
        batch = feed.batch(rows)
        units, targets = batch.units, batch.targets
        shift = torch.from_numpy(windows.begin[rows]).long() - (torch.cumsum(units.length, 0) - units.length)  # rows
        sentence = torch.from_numpy(windows.sentence[rows]).long()[units.row]
        start, end = units.start + shift[units.row], units.end + shift[units.row] + 1
        usable = targets.weight > 0
        parts.append(Listing(units.place, sentence, start, end, targets.label, targets.known, usable))
    return Listing(*(torch.cat(columns) for columns in zip(*parts, strict=True)))


def with_gold(feed: Feed, gold: Sequence[Sentence]) -> Feed:
    """The feed of the same words with the annotation of the gold; its units are listed in the same order."""
    examples = encode(gold, labels=feed.examples.labels, vocabulary=feed.examples.vocabulary)
    made = Feed(examples, feed.encoder, feed.kind)
    made.table, made.windows = feed.table, feed.windows  # the same words, and the order of units is that of the windows
    return made


class Kinds(NamedTuple):
    """What the units truly are that training takes for no entity, or may take. An entry for each place."""

    hidden: Tensor  # places, bool: an entity, or a word of one
    negative: Tensor  # places, bool: no entity indeed


def kinds(feed: Feed, gold: Sequence[Sentence]) -> Kinds:
    """Of a feed whose sentences have this gold."""
    seen, true = listing(feed), listing(with_gold(feed, gold))
    silent = (seen.label == 0) & seen.usable
    hidden = torch.zeros(feed.places, dtype=torch.bool)
    negative = torch.zeros(feed.places, dtype=torch.bool)
    hidden[seen.place] = silent & (true.label > 0)
    negative[seen.place] = silent & (true.label == 0)
    return Kinds(hidden, negative)
