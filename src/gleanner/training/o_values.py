"""O-values (two-step PU learning): a model that has only begun to learn tells forgotten entities from other words.

Networks learn simple patterns first and what is wrong last (Arpit et al. 2017). So after an epoch or two the score of `O` is
still low where a word was labelled `O` only because an annotator passed over an entity.
"""

from __future__ import annotations

import torch
from torch import Tensor

from gleanner.errors import InputError
from gleanner.model.feed import Feed
from gleanner.model.heads.head import head_class
from gleanner.model.tagger import Tagger
from gleanner.training.draw import quota


def o_values(tagger: Tagger, feed: Feed) -> Tensor:
    """For each word of the corpus the score of `O`: (words,). Of a CRF it is the emission."""
    for_words(tagger.config.head)
    return tagger.logits(feed)[:, 0]


def silent(feed: Feed) -> Tensor:
    """The words that are labelled `O` because nobody labelled them: (words,), bool.

    Not those of complete sentences and explicit `O` spans, of which somebody said that they are no entities, nor unknown ones.
    """
    _, targets = feed.whole()
    return (targets.label == 0) & (targets.weight > 0) & ~targets.known


def smallest(values: Tensor, candidate: Tensor, share: float) -> Tensor:
    """The `ceil(share * m)` of the m candidates with the smallest values: (words,), bool. Of equal ones the first.

    >>> smallest(torch.tensor([3.0, -1.0, 1.0, 2.0]), torch.tensor([True, False, True, True]), 0.5)
    tensor([False, False,  True,  True])
    """
    words = candidate.nonzero().squeeze(1)
    count = int(quota(share, torch.tensor(len(words))))
    marked = torch.zeros_like(candidate)
    marked[words[torch.argsort(values[words], stable=True)[:count]]] = True
    return marked


def for_words(head: str) -> None:
    """Only words have O-values."""
    if head_class(head).unit != "tokens":
        raise InputError(
            f"the head {head!r} scores spans", remedy="choose one for words: linear, angle, crf, angle-crf, twofold"
        )
