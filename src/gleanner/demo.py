"""The main job on the corpus that comes along: a dictionary and raw text in, a recogniser out, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gleanner import demo_data
from gleanner.data.files import corpus, write
from gleanner.data.text import sentences
from gleanner.errors import InputError
from gleanner.gazetteer.from_dictionary import DictionaryAnnotator
from gleanner.gazetteer.given import annotate
from gleanner.types import Corpus, Sentence, Span

if TYPE_CHECKING:
    from gleanner.model.tagger import Tagger
    from gleanner.training.reporter import Reporter

SILVER, DEV, TEST = "silver.jsonl", "dev.jsonl", "test.jsonl"

METHODS = ("plain", "negative-sampling")
"""What is compared, beside the dictionary itself."""

SETTINGS: dict[str, Any] = {"training.epochs": 6, "method.head": "interaction"}
"""The same for both."""


class Mention(NamedTuple):
    """What a model found in a sentence."""

    span: Span
    new: bool
    """Whether the dictionary did not find it."""
    right: bool
    """Whether it stands in the gold annotation."""


def prepare(output: Path) -> Corpus:
    """Writes the raw text with the dictionary's labels, and the two gold files beside it, where they are not there yet."""
    _check_ours(output)
    output.mkdir(parents=True, exist_ok=True)
    for name, make in ((DEV, demo_data.dev), (TEST, demo_data.test), (SILVER, _silver)):
        if not (output / name).exists():
            write(make(), output / name)
    return corpus([output / SILVER])


def _check_ours(output: Path) -> None:
    if not output.exists() or (output / SILVER).exists():
        return
    ours = (SILVER, DEV, TEST, *METHODS)
    if not output.is_dir() or any(e.name not in ours and not e.name.startswith(".") for e in output.iterdir()):
        raise InputError("this exists and is no demonstration", path=output, remedy="choose another --output")


def _silver() -> Iterator[Sentence]:
    return by_dictionary(sentence for _, sentence in sentences(demo_data.raw()))


def by_dictionary(unlabelled: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences with the labels that the dictionary gives, and no others."""
    names = DictionaryAnnotator.read(demo_data.dictionary_path())
    return annotate((replace(sentence, spans=()) for sentence in unlabelled), names)


def train(method: str, output: Path, seed: int, reporter: Reporter) -> Tagger:
    """The model that a method makes of the silver corpus; one that is there is not made again."""
    from gleanner.methods.load import build
    from gleanner.model.tagger import Tagger
    from gleanner.training import record
    from gleanner.training.run import run
    from gleanner.training.settings import check, dump, override

    folder = output / method
    data = {"train": [str(output / SILVER)], "dev": str(output / DEV)}
    settings = check(override({"data": data, "method": {"name": method}, "seed": seed}, SETTINGS))
    made = record.read(folder)
    if made is None or not made["finished"]:
        return run(build(settings.method), settings, folder, reporter=reporter).tagger
    stated = {key: value for key, value in dump(settings).items() if key not in ("data", "method")}
    stated["method"] = made["settings"]["method"] | settings.method  # the record has the hyperparameters' defaults too
    if any(made["settings"][key] != value for key, value in stated.items()):
        raise InputError(
            "this model was trained with another seed or other settings", path=folder, remedy="choose another --output"
        )
    return Tagger.from_pretrained(folder)


def discoveries(
    gold: Iterable[Sentence], dictionary: Iterable[Sentence], model: Iterable[Sentence], count: int
) -> Iterator[tuple[Sentence, Sequence[Mention]]]:
    """A few sentences, evenly spread, in which the model found something that the dictionary did not. Not the best ones."""
    found = []
    for truth, known, predicted in zip(gold, dictionary, model, strict=True):
        old, right = _places(known), _places(truth)
        mentions = [
            Mention(span, (span.start, span.end, span.label) not in old, (span.start, span.end, span.label) in right)
            for span in predicted.entities
        ]
        if any(mention.new for mention in mentions):
            found.append((truth, mentions))
    yield from found[:: max(1, len(found) // count)][:count]


def _places(sentence: Sentence) -> set[tuple[int, int, str]]:
    return {(span.start, span.end, span.label) for span in sentence.entities}
