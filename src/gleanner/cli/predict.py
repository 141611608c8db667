"""`gleanner predict`: a model's entities in text."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import tee
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer
from rich.progress import Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from gleanner.cli import models
from gleanner.cli.output import Force, fresh
from gleanner.cli.progress import Bytes
from gleanner.cli.render import Mark, counted, err, marked, note, note_dropped, out, say
from gleanner.cli.work import ChosenEngine, Shards, Workers, written_by_blocks
from gleanner.data import conll, jsonl
from gleanner.data.atomic import atomic
from gleanner.data.characters import to_characters
from gleanner.data.files import FORMATS, detect, read, write
from gleanner.data.lines import decoded, lines
from gleanner.data.text import sentences as cut_sentences
from gleanner.engine.inputs import Source, sources
from gleanner.engine.run import How, run
from gleanner.errors import InputError
from gleanner.types import Sentence, Span

if TYPE_CHECKING:
    from gleanner.model.tagger import Tagger

EXAMPLES = (
    'Examples:\n\n  gleanner predict model --text "Ada Lovelace lived in London."'
    "\n\n  gleanner predict model articles.txt --output entities.jsonl"
    "\n\n  gleanner predict model articles.txt --output entities.jsonl.gz --workers 4"
    "\n\n  cat articles.txt | gleanner predict model --to conll > entities.conll"
)

Form = Literal["jsonl", "conll", "text"]
T = TypeVar("T")


def command(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A model's folder, or its name on the hub.")],
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-", help="Raw text, a text a line; or annotated text, whose words are kept."),
    ] = "-",
    text: Annotated[str | None, typer.Option(help="A text, in the place of a file.")] = None,
    output_: Annotated[
        str | None, typer.Option("--output", metavar="FILE", help="Write here, not to standard output.")
    ] = None,
    to: Annotated[
        Form | None, typer.Option(help="The form; else by the ending of --output, text on a terminal, jsonl in a pipe.")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Leave out what is less probable; else the model's own threshold."),
    ] = None,
    format_: Annotated[
        str | None, typer.Option("--format", help=f"FILE's format, where nothing tells: {', '.join(FORMATS)}.")
    ] = None,
    workers: Workers = None,
    engine: ChosenEngine = None,
    shards: Shards = None,
    force: Force = False,
) -> None:
    """Find entities in raw text, or in the sentences of an annotated file.

    With --workers, --engine or --shards a run that is stopped goes on when the same command is given again.
    """
    if workers is not None or engine is not None or shards is not None:
        given = _file(file, text, format_), _by_blocks(output_, to)
        _by_engine(model, threshold, *given, How(engine or "processes", workers or 1, force), shards or 1)
        return
    output = None if output_ is None else Path(output_)
    if text is not None and file != "-":
        raise InputError(f"both --text and the file {file!r} are given", remedy="leave one out")
    if text is None and file == "-" and format_ not in (None, "text"):
        raise InputError(f"standard input is read as text, not as {format_}", remedy="write it to a file")
    form = to or _form(output)
    if output is not None:
        fresh(output, force=force)
    raw = text is not None or _is_raw(file, format_)
    texts = iter([text]) if text is not None else _lines(file) if raw else iter(())
    sentences: Iterator[Sentence] = iter(()) if raw else read(file, format_)
    tagger = models.tagger(model)
    if threshold is not None:
        tagger.config = replace(tagger.config, threshold=threshold)
    with _Watch(shown=output is not None or not sys.stdout.isatty()) as watch:
        texts = watch.items(texts, lambda line: line.count(" ") + 1)
        sentences = watch.items(sentences, lambda sentence: len(sentence.words))
        if form == "text":
            _put(_shown_texts(tagger, texts) if raw else _shown_sentences(tagger, sentences), output)
        elif raw and form == "jsonl":
            _put(_records(tagger, texts), output)
        else:
            if raw:
                sentences = (sentence for line in texts for _, sentence in cut_sentences(line))
            _put_sentences(tagger.annotate(sentences), form, output)


def _by_engine(
    model: str, threshold: float | None, inputs: tuple[Source, ...], output: str, how: How, shards: int
) -> None:
    from gleanner.model.predicting import Predicting

    with Bytes(sum(source.size for source in inputs), "texts") as watch:
        made = run(Predicting(model, threshold, models.hush), inputs, output, how=how, shards=shards, watch=watch)
    say(f"{counted(made.records, 'text')}, {counted(sum(made.counts.values()), 'entity')} -> {output}")


def _file(file: str, text: str | None, name: str | None) -> tuple[Source, ...]:
    if text is not None or file == "-":
        raise InputError("--workers, --engine and --shards are for files", remedy="name a file, or leave them out")
    return sources([file], name)


def _by_blocks(output: str | None, to: Form | None) -> str:
    if output is None:
        raise InputError("--workers, --engine and --shards write files", remedy="add --output FILE")
    if to not in (None, "jsonl"):
        raise InputError(f"several processes do not write {to}", remedy="leave --to out, then use `gleanner convert`")
    return written_by_blocks(output)


def _form(output: Path | None) -> Form:
    if output is None:
        return "text" if sys.stdout.isatty() else "jsonl"
    match detect(output, for_writing=True):
        case "jsonl" | "conll" | "text" as form:
            return form
        case other:
            raise InputError(
                f"predictions are not written as {other}", path=output, remedy="write jsonl, then `gleanner convert`"
            )


def _is_raw(file: str, name: str | None) -> bool:
    """Whether a file is lines of text; what has an ending that nobody knows is."""
    if file == "-" or name is not None:
        return file == "-" or name == "text"
    try:
        return detect(file, for_writing=False) == "text"
    except InputError:
        if Path(file).is_file():
            return True
        raise


def _lines(file: str) -> Iterator[str]:
    if file == "-" and sys.stdin.isatty():
        note("reading from the keyboard, a text a line; Ctrl-D ends it")
    numbered = decoded(sys.stdin.buffer, Path("standard input")) if file == "-" else lines(Path(file))
    return (line for _, line in numbered)


def _records(tagger: Tagger, texts: Iterator[str]) -> Iterator[str]:
    given, texts = tee(texts)
    for text, entities in zip(given, tagger.stream(texts), strict=True):
        yield json.dumps({"text": text, "entities": entities}, ensure_ascii=False) + "\n"


def _shown_texts(tagger: Tagger, texts: Iterator[str]) -> Iterator[Text]:
    given, texts = tee(texts)
    for text, entities in zip(given, tagger.stream(texts), strict=True):
        yield marked(text, [Mark(e["start"], e["end"], e["label"]) for e in entities], tagger.labels)


def _shown_sentences(tagger: Tagger, sentences: Iterator[Sentence]) -> Iterator[Text]:
    for sentence in tagger.annotate(sentences):
        text, spans = to_characters(sentence)
        yield marked(text, [Mark(*span) for span in spans], tagger.labels)


def _put(shown: Iterable[Text | str], output: Path | None) -> None:
    """Writes lines of JSON, or lines for people, which have colours on a terminal only."""
    if output is not None:
        with atomic(output) as handle:
            handle.writelines(line if isinstance(line, str) else f"{line.plain}\n" for line in shown)
        return
    console = out()
    for line in shown:
        if isinstance(line, str):
            sys.stdout.write(line)
        else:
            console.print(line, soft_wrap=True)


def _put_sentences(sentences: Iterable[Sentence], form: Form, output: Path | None) -> None:
    dropped: Counter[str] = Counter()
    if form == "conll":
        sentences = map(_bare, sentences)
    if output is not None:
        dropped = write(sentences, output, form)
    else:
        rendered = conll.rendered if form == "conll" else jsonl.rendered
        sys.stdout.writelines(rendered(sentences, dropped))
    note_dropped(dropped)


def _bare(sentence: Sentence) -> Sentence:
    """Without what nobody expects columns to hold, so that only true losses are told."""
    spans = tuple(Span(span.start, span.end, span.label) for span in sentence.spans)
    return replace(sentence, spans=spans, complete=False, text=None, offsets=None)


class _Watch:
    """How many lines or sentences were read, and how fast, on a terminal whose standard output is elsewhere."""

    def __init__(self, *, shown: bool) -> None:
        console = err()
        columns = (TextColumn("{task.completed:,} read  {task.fields[speed]:,.0f} words/s"), TimeElapsedColumn())
        self._progress = Progress(
            *columns, console=console, transient=True, disable=not (shown and console.is_terminal)
        )
        self._task = self._progress.add_task("", total=None, speed=0.0)

    def __enter__(self) -> _Watch:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def items(self, items: Iterable[T], words_of: Callable[[T], int]) -> Iterator[T]:
        """The items, counted as they are read."""
        words = 0
        started = time.monotonic()
        for item in items:
            yield item
            words += words_of(item)
            speed = words / max(time.monotonic() - started, 1e-9)
            self._progress.update(self._task, advance=1, speed=speed)
