"""Two-step PU learning with negative sampling (Zhang et al. 2024).

Its paper is called "A web semantic-based text analysis approach for enhancing named entity recognition using PU-learning and
negative sampling".

First a model is trained for an epoch or two. The words labelled O that it least believes to be O are probably forgotten
entities: they are removed. Then training starts again, and what is still forgotten is diluted: some spans of O words are
labelled as entities of a class of their own, which means no entity when it is found.
"""

from __future__ import annotations

from dataclasses import dataclass as plain_dataclass

import torch
from pydantic import Field, PositiveInt
from pydantic.dataclasses import dataclass
from torch import Tensor

from gleanner.errors import InputError
from gleanner.model.feed import Feed
from gleanner.model.tagger import Tagger
from gleanner.model.units import Targets, TokenUnits
from gleanner.model.vocabulary import ranges
from gleanner.training.draw import quota
from gleanner.training.draw_spans import apart, draw_spans
from gleanner.training.o_values import for_words, o_values, silent, smallest
from gleanner.training.scores import Scores
from gleanner.training.settings import STRICT
from gleanner.training.stage import Progress, Sampler, Stage, Train, everything
from gleanner.types import Corpus

NON_ENTITY = "non-entity"
"""The class of drawn spans."""


@plain_dataclass(frozen=True)
class Redraw:
    """Before each epoch, the class of every word and whether it is removed: a table (words, 2) for `table_loss`."""

    removed: Tensor | None
    """Words, bool; None: no word is."""
    rate: float

    def __call__(self, tagger: Tagger, feed: Feed, progress: Progress, table: Tensor | None) -> Tensor:
        """In every sentence `ceil(rate * n)` spans of words still labelled O get the tags of the class `NON_ENTITY`."""
        if table is not None and progress.step % progress.steps_per_epoch:
            return table
        units, targets = feed.whole()
        removed = torch.zeros_like(targets.known) if self.removed is None else self.removed
        label = targets.label.clone()
        if self.rate:
            free = (label == 0) & (targets.weight > 0) & ~removed
            start, end = draw_spans(free, units.row, quota(self.rate, units.owned))
            kept = apart(start, end)
            word, tag = self._tags(tagger, start[kept], end[kept])
            label[word] = tag
        return torch.stack((label, removed), dim=1).int()

    def _tags(self, tagger: Tagger, start: Tensor, end: Tensor) -> tuple[Tensor, Tensor]:
        """The words of these spans, and the tag of each."""
        if not isinstance(tagger.kind, TokenUnits):
            raise TypeError(f"{tagger.config.head} does not tag words")
        begin, length = start.numpy(), (end - start).numpy()
        word = ranges(begin, length)
        first, last = begin.repeat(length), (begin + length).repeat(length) - 1
        number = 0 * word + tagger.config.labels.index(NON_ENTITY)
        return torch.from_numpy(word), torch.from_numpy(tagger.kind.tag(number, word == first, word == last))


def removed_is_unknown(scores: Scores, targets: Targets, progress: Progress) -> Tensor:
    """The sampler of partial CRF: a removed word may have any tag."""
    _, removed = _columns(targets)
    return targets.weight * ~removed


def table_loss(scores: Scores, targets: Targets, weights: Tensor, progress: Progress) -> Tensor:
    """The negative log-likelihood of the drawn labels, without the removed words."""
    label, removed = _columns(targets)
    return scores.negative_log_likelihood(label, weights, removed)


def _columns(targets: Targets) -> tuple[Tensor, Tensor]:
    if targets.table is None:
        raise TypeError("it needs the table that Redraw makes")
    label, removed = targets.table.unbind(dim=1)
    return label.long(), removed > 0


@dataclass(frozen=True, config=STRICT)
class TwoStep:
    """Finds probable forgotten entities by a first short training, then trains again without them, among drawn non-entities."""

    share: float = Field(default=0.1 * 2**-5, ge=0.0, lt=1.0)
    """Share of the words labelled O by silence that is removed (lambda): 0.1 * 2^-5, up to 0.1. 0: no first step."""
    rate: float = Field(default=0.1, ge=0.0, le=1.0)
    """Non-entity spans that are drawn for each word of a sentence (gamma): 0 to 0.3 in the paper. 0: none."""
    first_epochs: PositiveInt = 1
    """Epochs of the first step (nu): 1, 2 or 3 in the paper."""
    marginalise: bool = False
    """With a CRF head: a removed word may have any tag (partial CRF), instead of having its score disregarded."""
    head: str = "angle"
    """Token heads `linear`, `angle`, `crf`, `angle-crf`, `twofold`."""

    def __post_init__(self) -> None:
        for_words(self.head)

    def fit(self, corpus: Corpus, train: Train) -> Tagger:
        """Two stages with the same classes and the same seed, so that both start from the same weights."""
        removed = self._removed(corpus, train) if self.share else None
        sampler: Sampler = removed_is_unknown if self.marginalise else everything
        refresh = Redraw(removed, self.rate)
        return train(Stage("two-step", corpus, self.head, sampler, table_loss, refresh=refresh, nothing=self._nothing))

    @property
    def _nothing(self) -> tuple[str, ...]:
        return (NON_ENTITY,) if self.rate else ()

    def _removed(self, corpus: Corpus, train: Train) -> Tensor:
        """The first step: a mask over the words."""
        first = train(
            Stage(
                "two-step-first",
                corpus,
                self.head,
                nothing=self._nothing,
                epochs=self.first_epochs,
                select=False,
            )
        )
        feed = first.feed(corpus)
        removed = smallest(o_values(first, feed), silent(feed), self.share)
        _, targets = feed.whole()
        labelled_o = (targets.label == 0) & (targets.weight > 0)
        if removed.any() and not (labelled_o & ~removed).any():
            raise InputError(
                f"no word labelled O is left when method.share={self.share:g} of {int(labelled_o.sum())} are removed",
                remedy="give more sentences, or method.share=0",
            )
        return removed
