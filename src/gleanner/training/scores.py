"""A batch's scores, computed when somebody asks, and only for the units asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from gleanner.model.choices import Features
from gleanner.model.encoder import WordVectors
from gleanner.model.heads.head import Head, Part
from gleanner.model.units import Units


@dataclass(frozen=True)
class Scores:
    """What samplers and losses see of the model. A sampler that does not look at scores costs none."""

    head: Head
    words: WordVectors
    units: Units
    encode_twin: Callable[[], WordVectors] | None = None
    """The words' vectors in the stage's twin."""

    @cached_property
    def twin(self) -> Scores | None:
        """Those of the same units in the same sentences in other words, if the stage has a twin. Encoded when asked for."""
        return None if self.encode_twin is None else Scores(self.head, self.encode_twin(), self.units)

    def logits(self, index: Tensor | None = None) -> Tensor:
        """Of all units, or of those at `index`, with gradient: (units, classes)."""
        return self.head(self.words, self.units, index)  # type: ignore[no-any-return]

    def log_probabilities(self) -> Tensor:
        """Of all units, with gradient: (units, classes)."""
        return self.head.log_probabilities(self.logits(), self.units)

    @torch.no_grad()
    def probabilities(self) -> Tensor:
        """Of all units, without gradient: (units, classes)."""
        found = self.head.probabilities(self.head(self._detached(), self.units), self.units)
        self._forget_casts()
        return found

    @torch.no_grad()
    def features(self, which: Features) -> tuple[Part, ...]:
        """What all units are like, without gradient; see `Head.features`."""
        parts = self.head.features(self._detached(), self.units, which)
        self._forget_casts()
        return parts

    def _detached(self) -> WordVectors:
        return WordVectors(self.words.start.detach(), self.words.end.detach())

    def _forget_casts(self) -> None:
        """Autocast keeps the weights that it has cast.

        Older versions of torch would use those cast here, which have no gradient, for the loss, and the head would never
        learn (pytorch issue 112583).
        """
        torch.clear_autocast_cache()

    def negative_log_likelihood(self, labels: Tensor, weights: Tensor, removed: Tensor | None = None) -> Tensor:
        """The head's own: of each unit, or of whole sequences for a CRF; without the scores of what is `removed`."""
        return self.head.negative_log_likelihood(self.words, self.units, labels, weights, removed)
