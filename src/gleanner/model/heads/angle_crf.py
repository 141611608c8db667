"""A CRF whose emissions are the angle-based decision vectors."""

from __future__ import annotations

from gleanner.model.heads.angle import Simplex
from gleanner.model.heads.crf import CRF


class AngleCRF(CRF):
    """As `CRF`; the emissions of a word sum to zero."""

    layer = Simplex
