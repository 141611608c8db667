"""The sampler of Top-Neg (Xu, Bing and Lu 2023)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from pydantic import Field
from pydantic.dataclasses import dataclass
from torch import Tensor

from gleanner.model.choices import Features
from gleanner.model.heads.head import Part, chosen
from gleanner.model.units import Targets
from gleanner.training.draw import known_and_share
from gleanner.training.scores import Scores
from gleanner.training.settings import STRICT
from gleanner.training.stage import Progress


@dataclass(frozen=True, config=STRICT)
class Similar:
    """All that is annotated, and of the batch's other units those that are most similar to all of its entities on average.

    A hidden entity resembles the entities of its own type; what resembles those of all types is a true negative.
    """

    ratio: float = Field(default=0.05, gt=0.0, le=1.0)
    """How much of the batch's unannotated units (r). 1 is all."""
    select: Literal["top", "bottom"] = "top"
    """The most similar, or the least."""
    features: Features = "hidden"
    """What is compared: the head's last hidden layer, with its dropout, or the vectors of the unit's words and its width."""

    def __call__(self, scores: Scores, targets: Targets, progress: Progress) -> Tensor:
        """Weights of 0 and 1: (units,)."""
        entities = (targets.known & (targets.label > 0)).nonzero().squeeze(1)
        if not len(entities):  # the paper is silent, its code takes whatever comes first
            keys = torch.rand(targets.weight.shape, device=targets.weight.device)
        else:
            keys = mean_similarity(scores.features(self.features), entities)  # units
        return known_and_share(keys if self.select == "top" else -keys, self.ratio, targets)


def mean_similarity(parts: Sequence[Part], entities: Tensor) -> Tensor:
    """Eq. 3, for each unit its mean cosine similarity to the units at `entities`: (units,).

    The mean of the products with all entities is the product with their mean, and a product of joined vectors is the sum of
    the products of their parts: no matrix of units and entities, and no joined vectors. In full precision whatever the
    surroundings, for bf16 would make many of the similarities equal.
    """
    with torch.autocast(parts[0].table.device.type, enabled=False):
        tables = [(part.table.float(), part.row) for part in parts]
        squared = sum(chosen(table.square().sum(dim=1), row) for table, row in tables)
        scale = torch.as_tensor(squared).clamp(min=1e-24).rsqrt()  # units; a vector of zeros is similar to none
        of_entities = scale[entities][:, None]
        similarity = torch.zeros_like(scale)
        for table, row in tables:
            of_this = table[entities if row is None else row[entities]]  # entities, size
            similarity += chosen(table @ (of_entities * of_this).mean(dim=0), row)
        return scale * similarity
