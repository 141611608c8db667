"""Taking labels away on purpose, to see what a method makes of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b

from gleanner.errors import InputError
from gleanner.types import Sentence


def mask(sentences: Iterable[Sentence], rate: float, seed: int = 0) -> Iterator[Sentence]:
    """Hides each entity with probability `rate`, whatever happens to the others. What is left is incomplete.

    The choice depends on the seed, the sentence and the entity, not on what was read before: a part of a corpus is masked
    like the whole. Only repetitions of one sentence are told apart by counting them, which takes memory for a number a
    sentence.

    >>> from gleanner.types import Span
    >>> next(mask([Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),), complete=True)], rate=1.0))
    Sentence(words=('Ada', 'wrote'), spans=(), complete=False, text=None, offsets=None, meta={})
    """
    if not 0 <= rate <= 1:
        raise InputError(f"the rate {rate!r} is not a probability", remedy="give a number from 0 to 1")
    return _masked(sentences, rate, seed)


def _masked(sentences: Iterable[Sentence], rate: float, seed: int) -> Iterator[Sentence]:
    seen: Counter[bytes] = Counter()
    for sentence in sentences:
        spans = sentence.spans
        if sentence.entities:
            key = _digest(f"{seed}", *sentence.words)
            seen[key] += 1
            times = f"{seen[key]}"
            spans = tuple(
                span
                for span in spans
                if not span.is_entity or _uniform(key, times, f"{span.start}", f"{span.end}", span.label) >= rate
            )
        yield replace(sentence, spans=spans, complete=False)


def _uniform(key: bytes, *parts: str) -> float:
    """A number from 0 to 1 (exclusive) that is drawn by the parts."""
    return (int.from_bytes(_digest(*parts, key=key)) >> 11) * 2.0**-53


def _digest(*parts: str, key: bytes = b"") -> bytes:
    data = "\0".join(parts).encode("utf-8", "surrogatepass")
    return blake2b(data, digest_size=8, key=key).digest()
