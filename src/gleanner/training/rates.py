"""Learning rates: which parameters learn how fast, and how that rises and falls."""

from __future__ import annotations

import math
from typing import Any

from torch import nn

from gleanner.model.tagger import Tagger
from gleanner.training.settings import Training


def parameter_groups(tagger: Tagger, training: Training) -> list[dict[str, Any]]:
    """Pre-trained parts and all others, each with and without weight decay."""
    encoder = tagger.encoder
    rate = encoder.rate if training.encoder_lr is None else training.encoder_lr
    fresh = tuple(f"encoder.{part}." for part in encoder.fresh)
    embeddings = {id(p) for m in tagger.modules() if type(m).__name__.endswith("Embedding") for p in m.parameters()}
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, parameter in tagger.named_parameters():
        lr = rate if name.startswith("encoder.") and not name.startswith(fresh) else training.head_lr
        decayed = parameter.ndim >= 2 and id(parameter) not in embeddings
        groups.setdefault((lr, training.weight_decay if decayed else 0.0), []).append(parameter)
    return [{"params": p, "lr": lr, "weight_decay": decay} for (lr, decay), p in groups.items()]


def rate_factor(step: int, steps: int, training: Training) -> float:
    """What the learning rates are multiplied by: up from 0 in the warm-up, then down.

    >>> [round(rate_factor(s, 10, Training(warmup=0.2)), 3) for s in range(10)]
    [0.5, 1.0, 1.0, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125]
    """
    warm = round(steps * training.warmup)
    if step < warm:
        return (step + 1) / warm
    if training.decay == "none":
        return 1.0
    gone = (step - warm) / max(steps - warm, 1)
    return 1.0 - gone if training.decay == "linear" else 0.5 * (1.0 + math.cos(math.pi * gone))
