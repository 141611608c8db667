"""The sentences as training sees them beside the same sentences as they are."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from gleanner.data.mask import mask
from gleanner.errors import InputError
from gleanner.evaluation.sides import check_same_words
from gleanner.types import Sentence, Span


@dataclass(frozen=True)
class Truth:
    """Training data, and gold for each of its sentences."""

    train: list[Sentence]
    gold: list[Sentence]

    @classmethod
    def masked(cls, gold: Iterable[Sentence], rate: float, seed: int) -> Truth:
        """Hides entities of the gold as `gleanner mask` does."""
        gold = list(gold)
        return cls(list(mask(gold, rate, seed)), gold)

    @classmethod
    def paired(cls, train: Iterable[Sentence], gold: Iterable[Sentence]) -> Truth:
        """Two readings of the same sentences."""
        train, gold = list(train), list(gold)
        check_same_words(gold, train, "the training data", remedy="give gold for the sentences that are trained on")
        return cls(train, gold)

    def hidden(self) -> list[tuple[int, Span]]:
        """The gold entities on whose words the training data has no entity, each with its sentence's number from 0."""
        found = []
        for number, (seen, true) in enumerate(zip(self.train, self.gold, strict=True)):
            labelled = {(span.start, span.end) for span in seen.entities}
            found += [(number, span) for span in true.entities if (span.start, span.end) not in labelled]
        return found

    def require_hidden(self) -> None:
        """An error where there is nothing to look for."""
        if not self.hidden():
            raise InputError(
                "the training data has every entity of the gold, so nothing is hidden",
                remedy="hide some with --rate, or give training data that lacks some",
            )

    def gold_of(self, sentences: Iterable[Sentence]) -> list[Sentence]:
        """Gold for a stage's sentences, which may be a part of the training data, relabelled, or in another order.

        Of repetitions of a sentence the n-th gets the n-th gold.
        """
        times: defaultdict[tuple[str, ...], int] = defaultdict(int)
        found = []
        for number, sentence in enumerate(sentences, start=1):
            known = self._by_words.get(sentence.words)
            if known is None:
                raise InputError(
                    f"sentence {number} of a stage of this method is not in the gold: {' '.join(sentence.words)[:60]!r}",
                    remedy="analyse a method that trains on the sentences of the data",
                )
            found.append(known[times[sentence.words] % len(known)])
            times[sentence.words] += 1
        return found

    @cached_property
    def _by_words(self) -> dict[tuple[str, ...], list[Sentence]]:
        found: defaultdict[tuple[str, ...], list[Sentence]] = defaultdict(list)
        for sentence in self.gold:
            found[sentence.words].append(sentence)
        return dict(found)

    @cached_property
    def digest(self) -> str:
        """What tells this data from other data."""
        return digest(self.train, self.gold)


def digest(*corpora: Iterable[Sentence]) -> str:
    """A fingerprint of words, labels and what silence means."""
    made = hashlib.blake2b(digest_size=8)
    for corpus in corpora:
        for sentence in corpus:
            spans = [(span.start, span.end, span.label) for span in sentence.spans]
            made.update(repr((sentence.words, spans, sentence.complete)).encode("utf-8", "surrogatepass"))
        made.update(b"\0")
    return made.hexdigest()
