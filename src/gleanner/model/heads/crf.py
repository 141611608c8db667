"""A linear-chain conditional random field over the tags (Lafferty et al. 2001), where words may be unknown (Tsuboi 2008)."""

from __future__ import annotations

from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from gleanner.model.encoder import WordVectors, padded, positions
from gleanner.model.heads.head import Head, HeadShape, chosen
from gleanner.model.units import Units


class CRF(Head):
    """Emissions `W h + b`, a score for each pair of neighbouring tags, and for each first and last tag.

    A word whose weight is 0 is unknown: the likelihood is summed over all of its tags (partial CRF). Words that a window does
    not own are context; the chain runs over the owned ones.
    """

    unit: ClassVar[Literal["spans", "tokens"]] = "tokens"

    def __init__(self, shape: HeadShape) -> None:
        super().__init__(shape)
        tags = len(shape.classes)
        self.dropout = nn.Dropout(0.1 if shape.dropout is None else shape.dropout)
        self.scorer = nn.Linear(shape.size, tags)
        self.transition = nn.Parameter(torch.zeros(tags, tags))  # from, to
        self.first = nn.Parameter(torch.zeros(tags))
        self.last = nn.Parameter(torch.zeros(tags))

    def forward(self, words: WordVectors, units: Units, index: Tensor | None = None) -> Tensor:
        """Emissions: (units, classes)."""
        scores: Tensor = self.scorer(self.dropout(chosen(words.start, chosen(units.start, index))))
        return scores

    def negative_log_likelihood(self, words: WordVectors, units: Units, labels: Tensor, weights: Tensor) -> Tensor:
        """`log Z - log Z(compatible)` summed over the rows; words of weight 0 may have any tag."""
        emissions = padded(self(words, units).float(), units.owned)  # rows, words, tags
        known = padded(weights > 0, units.owned)
        allowed = torch.zeros_like(emissions)
        wrong = torch.ones_like(emissions, dtype=torch.bool).scatter(2, padded(labels, units.owned)[..., None], False)
        allowed = allowed.masked_fill(wrong & known[..., None], -1e30)  # not -inf: its gradient is not a number
        free = self.log_partition(emissions, units.owned)
        clamped = self.log_partition(emissions + allowed, units.owned)
        return (free - clamped).sum()

    def log_partition(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """`log sum over all tag sequences of exp(score)`: (rows,)."""
        alpha = self.first.float() + emissions[:, 0]  # rows, tags
        for t in range(1, emissions.shape[1]):
            step = torch.logsumexp(alpha[:, :, None] + self.transition.float(), dim=1) + emissions[:, t]
            alpha = torch.where((t < lengths)[:, None], step, alpha)
        return torch.logsumexp(alpha + self.last.float(), dim=1)

    def viterbi(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """The best tag of each word of the best sequence: (rows, words)."""
        score = self.first.float() + emissions[:, 0]  # rows, tags
        back = []
        stay = torch.arange(score.shape[1], device=score.device)
        for t in range(1, emissions.shape[1]):
            step, best = (score[:, :, None] + self.transition.float()).max(dim=1)
            inside = (t < lengths)[:, None]
            score = torch.where(inside, step + emissions[:, t], score)
            back.append(torch.where(inside, best, stay))  # past the end: point to the same tag
        tag = (score + self.last.float()).argmax(dim=1)
        tags = [tag]
        for pointers in reversed(back):
            tag = pointers.gather(1, tag[:, None]).squeeze(1)
            tags.append(tag)
        return torch.stack(tags[::-1], dim=1)

    def log_probabilities(self, logits: Tensor, units: Units) -> Tensor:
        """Those of the marginals: (units, classes)."""
        row, column = positions(units.owned)
        return self.log_marginals(padded(logits.float(), units.owned), units.owned)[row, column]

    def marginals(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """`p(tag of a word)`: (rows, words, tags)."""
        return self.log_marginals(emissions, lengths).exp()

    def log_marginals(self, emissions: Tensor, lengths: Tensor) -> Tensor:
        """Forward-backward: (rows, words, tags)."""
        transition = self.transition.float()
        alphas = [self.first.float() + emissions[:, 0]]
        for t in range(1, emissions.shape[1]):
            step = torch.logsumexp(alphas[-1][:, :, None] + transition, dim=1) + emissions[:, t]
            alphas.append(torch.where((t < lengths)[:, None], step, alphas[-1]))
        beta = self.last.float().expand_as(alphas[0])
        betas = [beta]
        for t in range(emissions.shape[1] - 2, -1, -1):
            step = torch.logsumexp(transition + (emissions[:, t + 1] + beta)[:, None, :], dim=2)
            beta = torch.where((t + 1 < lengths)[:, None], step, self.last.float())
            betas.append(beta)
        joint = torch.stack(alphas, dim=1) + torch.stack(betas[::-1], dim=1)
        return joint.log_softmax(dim=2)

    def best(self, logits: Tensor, units: Units) -> tuple[Tensor, Tensor]:
        """The tags of the best sequence, with their marginal probabilities."""
        emissions = padded(logits.float(), units.owned)
        row, column = positions(units.owned)
        tags = self.viterbi(emissions, units.owned)
        probability = self.marginals(emissions, units.owned).gather(2, tags[..., None]).squeeze(2)
        return tags[row, column], probability[row, column]
