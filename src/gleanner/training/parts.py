"""Where samplers and losses are found by their names, as `similar` in `gleanner.training.samplers.similar`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gleanner.named import Named
from gleanner.training import losses, samplers

if TYPE_CHECKING:
    from gleanner.training.stage import Loss, Sampler

SAMPLERS: Named[Sampler] = Named(samplers, "sampler", "__call__")
LOSSES: Named[Loss] = Named(losses, "loss", "__call__")
