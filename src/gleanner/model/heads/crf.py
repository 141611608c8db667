"""A linear-chain conditional random field over the tags (Lafferty et al. 2001), where words may be unknown (Tsuboi 2008)."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from gleanner.model.encoder import WordVectors, padded, positions
from gleanner.model.heads.head import HeadShape
from gleanner.model.heads.linear import Linear
from gleanner.model.units import Units


class CRF(Linear):
    """Emissions `W h + b`, a score for each pair of neighbouring tags, and for each first and last tag.

    A word whose weight is 0 is unknown: the likelihood is summed over all of its tags (partial CRF). A word that is removed
    keeps its label, but its emission and the transition into it count nowhere (two-step PU learning, Eq. 7): neither in the
    score of the labels nor in those of all sequences. The transition out of it counts, from its label. Words that a window
    does not own are context; the chain runs over the owned ones.
    """

    unitwise: ClassVar[bool] = False

    def __init__(self, shape: HeadShape) -> None:
        super().__init__(shape)
        tags = len(shape.classes)
        self.transition = nn.Parameter(torch.zeros(tags, tags))  # from, to
        self.first = nn.Parameter(torch.zeros(tags))
        self.last = nn.Parameter(torch.zeros(tags))

    def negative_log_likelihood(
        self, words: WordVectors, units: Units, labels: Tensor, weights: Tensor, removed: Tensor | None = None
    ) -> Tensor:
        """`log Z - log Z(compatible)` summed over the rows. All weights but 0 count alike; 0 is stronger than `removed`."""
        return self.sequence_loss(self(words, units).float(), units.owned, labels, weights > 0, removed)

    def sequence_loss(
        self, emissions: Tensor, lengths: Tensor, labels: Tensor, known: Tensor, removed: Tensor | None = None
    ) -> Tensor:
        """The same from flat emissions (units, tags), in their precision."""
        gone = None
        if removed is not None:
            removed = removed & known
            emissions = emissions.masked_fill(removed[:, None], 0.0)
            gone = padded(removed, lengths)  # rows, words
        known = padded(known, lengths)
        # A row without a known word says nothing, and no rounding error shall say otherwise.
        rows = known.any(dim=1).nonzero().squeeze(1)
        free = padded(emissions, lengths)[rows]  # rows, words, tags
        right = torch.zeros_like(free, dtype=torch.bool).scatter(2, padded(labels, lengths)[rows, :, None], True)
        clamped = free.masked_fill(known[rows, :, None] & ~right, -1e30)  # not -inf: its gradient is not a number
        # Both sums in one go: a step of the recurrence costs hardly more for twice the rows.
        partition = self.log_partition(
            torch.cat((free, clamped)), lengths[rows].repeat(2), None if gone is None else gone[rows].repeat(2, 1)
        )
        over_all, compatible = partition.chunk(2)
        return (over_all - compatible).sum()

    def log_partition(self, emissions: Tensor, lengths: Tensor, removed: Tensor | None = None) -> Tensor:
        """`log sum over all tag sequences of exp(score)`: (rows,).

        No transition counts into the words in `removed` (rows, words); whoever wants their emissions not to count gives zeros.
        """
        alphas = self._alphas(emissions, removed)
        ends = alphas[torch.arange(len(lengths), device=lengths.device), lengths - 1]  # rows, tags
        return torch.logsumexp(ends + self.last.to(emissions.dtype), dim=1)

    def _alphas(self, emissions: Tensor, removed: Tensor | None = None) -> Tensor:
        """The sums over all beginnings that end in a word's tag: (rows, words, tags). Behind a row's end they mean nothing."""
        first, transition, _ = self._scores(emissions)
        by_word = emissions.unbind(dim=1)  # of rows, tags; the gradient of a slice would be as large as the whole
        alpha = by_word[0] + (first if removed is None else first * ~removed[:, :1])
        alphas = [alpha]
        for t, emission in enumerate(by_word[1:], start=1):
            step = torch.logsumexp(alpha[:, :, None] + transition, dim=1)
            if removed is not None:
                step = torch.where(removed[:, t, None], torch.logsumexp(alpha, dim=1, keepdim=True), step)
            alpha = step + emission
            alphas.append(alpha)
        return torch.stack(alphas, dim=1)

    def _scores(self, emissions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Of first tags, pairs and last tags, in the emissions' precision."""
        first, transition, last = (p.to(emissions.dtype) for p in (self.first, self.transition, self.last))
        return first, transition, last

    def viterbi(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """The best tag of each word of the best sequence: (rows, words)."""
        first, transition, last = self._scores(emissions)
        score = first + emissions[:, 0]  # rows, tags
        back = []
        stay = torch.arange(score.shape[1], device=score.device)
        for t in range(1, emissions.shape[1]):
            step, best = (score[:, :, None] + transition).max(dim=1)
            inside = (t < lengths)[:, None]
            score = torch.where(inside, step + emissions[:, t], score)
            back.append(torch.where(inside, best, stay))  # past the end: point to the same tag
        tag = (score + last).argmax(dim=1)
        tags = [tag]
        for pointers in reversed(back):
            tag = pointers.gather(1, tag[:, None]).squeeze(1)
            tags.append(tag)
        return torch.stack(tags[::-1], dim=1)

    def log_probabilities(self, logits: Tensor, units: Units) -> Tensor:
        """Those of the marginals: (units, classes)."""
        row, column = positions(units.owned)
        return self.log_marginals(padded(logits.float(), units.owned), units.owned)[row, column]

    def probabilities(self, logits: Tensor, units: Units) -> Tensor:
        """The marginals: (units, classes)."""
        return self.log_probabilities(logits, units).exp()

    def log_marginals(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """`log p(tag of a word)`, by forward-backward: (rows, words, tags)."""
        _, transition, last = self._scores(emissions)
        beta = last.expand_as(emissions[:, 0])
        betas = [beta]
        for t in range(emissions.shape[1] - 2, -1, -1):
            step = torch.logsumexp(transition + (emissions[:, t + 1] + beta)[:, None, :], dim=2)
            beta = torch.where((t + 1 < lengths)[:, None], step, last)
            betas.append(beta)
        joint = self._alphas(emissions) + torch.stack(betas[::-1], dim=1)
        return joint.log_softmax(dim=2)

    def best(self, logits: Tensor, units: Units) -> tuple[Tensor, Tensor]:
        """The tags of the best sequence, with their marginal probabilities."""
        tags = self.viterbi(padded(logits.float(), units.owned), units.owned)[positions(units.owned)]
        return tags, self.probabilities(logits, units).gather(1, tags[:, None]).squeeze(1)
