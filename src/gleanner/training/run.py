"""From settings and files to a finished model folder: device, seeds, resuming, records."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
import yaml

from gleanner.data.alone import alone
from gleanner.data.atomic import atomic
from gleanner.data.files import ReadOptions
from gleanner.data.files import corpus as read_corpus
from gleanner.errors import InputError
from gleanner.model.config import TaggerConfig
from gleanner.model.examples import Examples, encode
from gleanner.model.feed import Feed
from gleanner.model.heads.head import head_class
from gleanner.model.precision import best_device, resolve
from gleanner.model.tagger import Tagger
from gleanner.model.units import SpanUnits
from gleanner.model.vocabulary import Ragged
from gleanner.named import described
from gleanner.training import digest, encoders, parallel, record, trackers
from gleanner.training.card import card
from gleanner.training.reporter import Reporter, Silent, default_reporter
from gleanner.training.settings import Settings, dump, flat
from gleanner.training.stage import Method, Stage
from gleanner.training.twins import twin_examples
from gleanner.types import Corpus, Sentence


@dataclass(frozen=True)
class Trained:
    """A finished run."""

    tagger: Tagger
    history: list[dict[str, Any]]
    """A line an evaluation, of all stages."""

    @property
    def best(self) -> dict[str, Any] | None:
        """The chosen evaluation: the last stage's best on development data, if there was any."""
        scored = [entry for entry in self.history if entry.get("is_best")]
        return scored[-1] if scored else None


def run(
    method: Method,
    settings: Settings,
    output: str | Path | None = None,
    *,
    corpus: Corpus | None = None,
    dev: Iterable[Sentence] | None = None,
    reporter: Reporter | None = None,
    track: Sequence[str] = (),
) -> Trained:
    """Runs a method. `corpus` and `dev` take the place of the files that the settings name.

    With an `output` folder the run can be killed at any moment: called again with the same settings and data it goes on, and
    ends with the same weights. Without one, nothing is written.
    """
    trackers.check(track, output)
    settings = replace(settings, method=described(method))
    this = _Run(settings, None if output is None else Path(output), reporter or default_reporter(), track)
    try:
        corpus = _training_data(settings) if corpus is None else corpus
        models = [digest.of_source(name) for name in (*getattr(method, "reads", ()), *encoders.reads(settings))]
        this.open(corpus, _development_data(settings) if dev is None else Corpus(dev), models)
        tagger = method.fit(corpus, this)
        return this.close(tagger)
    finally:
        this.release()


class _Run:
    def __init__(self, settings: Settings, output: Path | None, reporter: Reporter, track: Sequence[str]) -> None:
        self.settings, self.output, self.reporter, self.track = settings, output, reporter, track
        if output is not None:
            record.refuse_foreign(output)
        self.precision = resolve(settings.training.precision, best_device())
        self.accelerator = parallel.new_accelerator(
            log_with=list(track) or None, project_dir=str(output) if output is not None else None
        )
        self._encoded: dict[tuple[int, tuple[str, ...] | None], tuple[Corpus, Examples]] = {}
        self._tables: dict[tuple[int, int], Ragged] = {}
        self._labels: tuple[str, ...] | None = None
        self._stages = None if output is None else output / "stages"
        self._begun = False
        self._held = ExitStack()
        self._steps = 0
        self._noted: set[str] = set()
        self.dev: Corpus | None = None
        self.history: list[dict[str, Any]] = []
        self.fingerprint = ""

    def open(self, corpus: Corpus, dev: Corpus | None, models: Sequence[str]) -> None:
        """Reads the data once, says what is odd about it, and makes sure that the output folder is no other run's.

        `models` are the digests of what the method reads beside.
        """
        examples = self.examples(corpus, None)
        self._encoded[id(corpus), examples.labels] = (corpus, examples)
        self._first, self._labels = examples, examples.labels
        if not len(examples.words):
            raise InputError("the training data has no words", remedy="check the files")
        self.dev = dev
        data = digest.of_examples(examples)
        if dev is not None:
            dev_examples = self.examples(dev, examples.labels)
            if not (dev_examples.span_label > 0).any():
                raise InputError(
                    "the development data has no entity, so it cannot choose an epoch",
                    remedy="give completely annotated sentences, or no development data",
                )
            data += digest.of_examples(dev_examples)
        arithmetic = (self.precision, self.accelerator.num_processes)
        self.fingerprint = digest.of_run(dump(self.settings), data, models, arithmetic)
        kept = None if self.output is None else record.read(self.output)
        if kept is not None and kept["fingerprint"] != self.fingerprint:
            raise InputError(
                "this folder holds a run on other data, with other settings or on another number of processes",
                path=self.output,
                remedy="choose another --output",
            )

    def _begin(self) -> None:
        """Once, as late as possible: makes the folder this run's, when method, head and encoder are known to exist."""
        if self._begun:
            return
        self._begun = True
        if self.output is not None and self.accelerator.is_main_process:
            record.make_folder(self.output)
            self._held.enter_context(alone(self.output))
            if record.read(self.output) is None:
                self._record(self.output, finished=False)
        self.accelerator.wait_for_everyone()
        if self.track:
            self.accelerator.init_trackers("gleanner", config=flat(dump(self.settings)))

    def examples(self, corpus: Corpus, labels: tuple[str, ...] | None) -> Examples:
        """The corpus as arrays, encoded once. Labels that it has beside these get the numbers behind them."""
        if (id(corpus), labels) not in self._encoded:
            self._encoded[id(corpus), labels] = (corpus, encode(corpus, labels=labels))
        return self._encoded[id(corpus), labels][1]

    def __call__(self, stage: Stage) -> Tagger:
        """Trains a stage. A run is the `Train` that methods are given."""
        job = self._prepare(stage)
        reporter = self.reporter if self.accelerator.is_main_process else Silent()
        history = job.run(self.accelerator, reporter, self._steps)
        self._steps += history[-1]["step"]
        self.history.extend(history)
        return job.tagger

    def together(self, stages: Sequence[Stage]) -> list[Tagger]:
        """Trains stages none of which needs another, side by side where there is more than one device."""
        places = parallel.devices()
        if min(len(places), len(stages)) < 2 or self.accelerator.num_processes > 1:
            return [self(stage) for stage in stages]
        with ExitStack() as stack:
            if self.output is None:  # what other processes have trained comes back in files
                self._stages = Path(stack.enter_context(TemporaryDirectory()))
                stack.callback(setattr, self, "_stages", None)
            bar = parallel.Together(self.reporter, len(stages), len(places))
            finished: Callable[[Stage], Tagger] = self._logged
            try:
                parallel.train_side_by_side(len(stages), lambda k: self._prepare(stages[k]), places, bar)
            except parallel.CannotTravelError as error:
                self._note(f"training one after the other, for other processes cannot read the method: {error}")
                finished = self
            finally:
                self.reporter.end()
            return [finished(stage) for stage in stages]

    def _logged(self, stage: Stage) -> Tagger:
        """A stage that another process has trained; trackers hear of it now, one stage after the other."""
        before, told = self._steps, len(self.history)
        tagger = self(stage)
        for entry in self.history[told:]:
            self.accelerator.log(trackers.numbers(entry), step=before + entry["step"])
        return tagger

    def _prepare(self, stage: Stage) -> parallel.Job:
        """All that a stage is trained with."""
        settings = self.settings
        examples = self._labelled(stage)
        if self.dev is None:
            self._note("no development data: the weights of the last epoch are kept")
        seed = settings.seed + 1_000_003 * stage.seed  # else two runs whose seeds are neighbours would share stages
        torch.manual_seed(seed)
        tagger = self._build(stage, examples)
        self._begin()
        self._warn_of_long_spans(tagger, examples)
        folder = None
        if self._stages is not None:
            folder = self._stages / f"{stage.name}-{self.fingerprint}"
            record.make_folder(folder)
        twin = None if stage.twin is None else self._twin(stage, stage.twin, examples, seed, folder)
        feed, dev = Feed(examples, tagger.encoder, tagger.kind, twin), None
        if self.dev is not None and stage.select:
            dev = Feed(self._development(self.dev, tagger.config.labels), tagger.encoder, tagger.kind)
        if stage.start is None:
            self._share_tables(feed, dev)
        training = replace(settings.training, epochs=stage.epochs or settings.training.epochs)
        return parallel.Job(stage, tagger, feed, dev, training, seed, folder)

    def _labelled(self, stage: Stage) -> Examples:
        """The stage's corpus. All corpora of a run have the labels of the first, or of the model that they start from."""
        labels = self._labels if stage.start is None else stage.start.config.labels
        examples = self.examples(stage.corpus, labels)
        if stage.start is None and not (examples.span_label > 0).any():
            raise InputError(
                "the training data has no entity", remedy="check the labels, or the dictionary that made them"
            )
        if stage.start is not None and (unknown := examples.labels[len(stage.start.config.labels) :]):
            raise InputError(
                f"the model to start from does not know the types {', '.join(unknown)}",
                remedy="start from a model of the same types, or leave these out",
            )
        if stage.start is None and (taken := set(examples.labels) & set(stage.nothing)):
            raise InputError(
                f"the method uses the name {min(taken)!r} for something of its own",
                remedy="rename that type in the data",
            )
        return replace(examples, labels=(*examples.labels, *stage.nothing)) if stage.start is None else examples

    def _development(self, dev: Corpus, labels: tuple[str, ...]) -> Examples:
        """The development data as a model with these labels is measured on it."""
        examples = self.examples(dev, labels)
        if unseen := examples.labels[len(labels) :]:
            self._note(f"types that training never sees, counted as missed: {', '.join(unseen)}")
        return examples

    def _twin(self, stage: Stage, twin: Corpus, examples: Examples, seed: int, folder: Path | None) -> Examples:
        """Made by one process where there is a folder to keep it in, by each for itself otherwise."""
        path = None if folder is None else folder / "twin.jsonl"
        read = partial(twin_examples, twin, examples, name=stage.name, seed=seed, path=path)
        main = self.accelerator.is_main_process
        if path is None or main:
            found = read(reporter=self.reporter if main else Silent())
        self.accelerator.wait_for_everyone()
        return found if path is None or main else read(reporter=Silent())

    def _share_tables(self, feed: Feed, dev: Feed | None) -> None:
        """Words are cut into pieces once, however many stages read them with the user's encoder."""
        for one in (feed,) if dev is None else (feed, dev):
            # What an encoder without pre-training makes of a word depends on the corpus that it was built for.
            key = id(feed.examples.vocabulary), id(one.examples.vocabulary)
            if key in self._tables:
                one.table = self._tables[key]
            self._tables[key] = one.table

    def _build(self, stage: Stage, examples: Examples) -> Tagger:
        settings, model = self.settings, self.settings.model
        if stage.start is not None:
            tagger = copy.deepcopy(stage.start)
            tagger.precision = settings.training.precision
            return tagger
        pooling = model.pooling or head_class(stage.head).pooling
        kind = encoders.kind_of(settings)
        config = TaggerConfig(
            labels=examples.labels,
            head=stage.head,
            nothing=stage.nothing,
            encoder=kind,
            encoder_name=Path(settings.encoder).name,
            pooling=pooling,
            max_width=model.max_width,
            scheme=model.scheme or stage.scheme,
            decode=model.decode,
            threshold=model.threshold,
            dropout=model.dropout,
        )
        tagger = Tagger(config, encoders.build(kind, settings, examples, pooling))
        tagger.precision = settings.training.precision
        return tagger

    def _warn_of_long_spans(self, tagger: Tagger, examples: Examples) -> None:
        if isinstance(tagger.kind, SpanUnits):
            entity = examples.span_label > 0
            long = int(((examples.span_end - examples.span_start)[entity] > tagger.kind.max_width).sum())
            if long:
                self._note(
                    f"{long} of {int(entity.sum())} training entities are longer than model.max_width="
                    f"{tagger.kind.max_width} words: they cannot be learned or found"
                )

    def close(self, tagger: Tagger) -> Trained:
        """Writes the model and what is needed to repeat the run."""
        tagger.eval()
        trained = Trained(tagger, self.history)
        if self.output is not None and self.accelerator.is_main_process:
            circumstances = self._circumstances()
            tagger.save_pretrained(self.output, card=card(tagger, dump(self.settings), trained.best, circumstances))
            with atomic(self.output / "settings.yaml") as handle:
                yaml.safe_dump(dump(self.settings), handle, sort_keys=False, allow_unicode=True)
            with atomic(self.output / "history.jsonl") as handle:
                handle.writelines(json.dumps(entry) + "\n" for entry in self.history)
            self._record(self.output, finished=True)
            shutil.rmtree(self.output / "stages", ignore_errors=True)
        return trained

    def _record(self, output: Path, *, finished: bool) -> None:
        record.write(output, {"fingerprint": self.fingerprint, "finished": finished, **self._circumstances()})

    def _circumstances(self) -> dict[str, Any]:
        return record.circumstances(self.settings, self._summaries(), self.accelerator, self.precision)

    def _summaries(self) -> dict[str, Examples]:
        dev = {} if self.dev is None else {"dev": self.examples(self.dev, self._labels)}
        return {"train": self._first} | dev

    def _note(self, text: str) -> None:
        if self.accelerator.is_main_process and text not in self._noted:
            self._noted.add(text)
            self.reporter.note(text)

    def release(self) -> None:
        """Closes trackers, and leaves the output folder to others."""
        self._held.close()
        self.accelerator.end_training()


def _training_data(settings: Settings) -> Corpus:
    if not settings.data.train:
        raise InputError("no training data", remedy="name files with --train, or data.train in the configuration")
    options = ReadOptions(complete=settings.data.complete)
    return read_corpus(settings.data.train, settings.data.format, options)


def _development_data(settings: Settings) -> Corpus | None:
    if settings.data.dev is None:
        return None
    return read_corpus([settings.data.dev], settings.data.format, ReadOptions(complete=True))
