"""Prediction end to end, from raw text to entities, against the encoder's bare forward pass over the same batches."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from benchmarks.speed.alternate import alternate
from benchmarks.speed.bare import bare_forward
from benchmarks.speed.material import Material
from benchmarks.speed.row import Row
from gleanner.data.text import sentences as cut_sentences
from gleanner.model.tagger import CHUNK, PIECES
from gleanner.training.reporter import Silent

METHODS = (
    ("negative sampling, interaction", {"name": "negative-sampling"}, 0.85),
    ("plain, concat", {"name": "plain"}, 0.85),
    ("plain, linear", {"name": "plain", "head": "linear"}, None),
)


def rows(material: Material) -> Iterator[Row]:
    """Throughputs, by models that a short training has taught that most spans are nothing."""
    texts = _texts(material, CHUNK // (4 if material.quick else 1))
    sentences = [sentence for text in texts for _, sentence in cut_sentences(text)]
    words = sum(len(sentence.words) for sentence in sentences)
    for name, method, at_least in METHODS:
        tagger = material.train(material.take(16 * (12 if material.quick else 40)), method, Silent())
        encoder = tagger.encoder
        feed = tagger.feed(sentences)
        inputs = [feed.batch(rows).inputs for rows in feed.by_length(PIECES)]
        ready = [(batch["ids"], batch["mask"]) for batch in inputs]
        pairs = alternate(
            lambda tagger=tagger: sum(1 for _ in tagger.stream(texts)),  # type: ignore[misc]
            lambda encoder=encoder, ready=ready: bare_forward(encoder, ready),  # type: ignore[misc]
            3 if material.quick else 5,
        )
        ours, bare = (words / median(side) for side in zip(*pairs, strict=True))
        yield Row(
            f"prediction from text, {name} / bare encoder",
            median(theirs / ours for ours, theirs in pairs),
            "x",
            at_least=at_least,
            detail=f"{ours:,.0f} against {bare:,.0f} words/s",
        )


def _texts(material: Material, most: int) -> list[str]:
    """Texts of four sentences, together one chunk of a stream and hardly less, so that both sides have the same batches."""
    phrases = [" ".join(sentence.words) for sentence in material.sentences]
    phrases *= -(-most // len(phrases))
    texts: list[str] = []
    count = 0
    for k in range(0, len(phrases), 4):
        text = " ".join(phrases[k : k + 4])
        count += len(cut_sentences(text))
        if count >= most:
            break
        texts.append(text)
    return texts
