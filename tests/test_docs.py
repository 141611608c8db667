"""The documentation does what it says: its Python runs, its commands parse, its tables are those of the code."""

import dataclasses
import importlib
import re
import runpy
import shlex
import sys
import types
import typing
from collections import Counter
from pathlib import Path

import pytest
import yaml

import gleanner
from gleanner import Corpus, Sentence, Span, demo_data
from gleanner.data import files
from gleanner.methods.load import build, load, names
from gleanner.model import transformer
from gleanner.train.settings import Settings, check

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>.+) -->\n\n)?```(?P<kind>\w+)(?: title=\"(?P<title>.+)\")?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


def blocks(page, *kinds):
    """The fenced blocks of a page, as matches of `BLOCK`."""
    return [block for block in BLOCK.finditer(page.read_text(encoding="utf-8")) if block["kind"] in kinds]


def page_name(page):
    return page.relative_to(ROOT).as_posix()


def with_blocks(*kinds):
    return pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, *kinds)], ids=page_name)


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory, tiny_encoder):
    """The folder of a model that has learned one word."""
    folder = tmp_path_factory.mktemp("docs") / "model"
    corpus = Corpus([Sentence(("Ada", "wrote", "."), (Span(0, 1, "PER"),))] * 4)
    gleanner.train(corpus, corpus, encoder=str(tiny_encoder), output=folder, settings={"training.epochs": 1})
    return folder


@pytest.fixture
def small_world(tmp_path, monkeypatch, tiny_encoder, tiny_model):
    """A folder with a model, an encoder of a few kilobytes as `minilm`, and a demonstration of a few sentences."""
    monkeypatch.chdir(tmp_path)
    Path("my-model").symlink_to(tiny_model)
    monkeypatch.setattr(transformer, "embedded_folder", lambda: tiny_encoder)
    raw, dev, test = demo_data.raw()[:3000], list(demo_data.dev())[:10], list(demo_data.test())[:10]
    monkeypatch.setattr(demo_data, "raw", lambda: raw)
    monkeypatch.setattr(demo_data, "dev", lambda: Corpus(dev))
    monkeypatch.setattr(demo_data, "test", lambda: Corpus(test))


@pytest.fixture
def add_module(tmp_path, monkeypatch):
    """Puts a module that a page shows into its package, until the test ends."""
    added = []

    def add(path, text):
        place = Path(path).relative_to("src").with_suffix("")
        package = importlib.import_module(".".join(place.parts[:-1]))
        folder = tmp_path / "modules" / place.parent
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{place.name}.py").write_text(text, encoding="utf-8")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
        importlib.invalidate_caches()
        added.append((package, place.name))

    yield add
    for package, name in added:
        sys.modules.pop(f"{package.__name__}.{name}", None)
        vars(package).pop(name, None)


@with_blocks("python")
def test_the_python_of_a_page_runs(page, small_world, add_module, monkeypatch):
    module = types.ModuleType("docs_page")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in blocks(page, "python"):
        if block["title"]:
            add_module(block["title"], block["text"])
        elif not block["reason"]:
            exec(compile(block["text"], str(page), "exec"), vars(module))


def test_few_blocks_are_not_run():
    assert [page_name(page) for page in PAGES for block in blocks(page, "python") if block["reason"]] == [
        "docs/predicting.md"
    ]


def option(default):
    """A default as a table shows it."""
    if default is None or default == ():
        return "–"
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def choices(annotation):
    """What may be chosen from, where the type says so."""
    kinds = [kind for kind in (annotation, *typing.get_args(annotation)) if typing.get_origin(kind) is typing.Literal]
    return "".join(f" One of {', '.join(map(option, typing.get_args(kind)))}." for kind in kinds)


def table(cls, prefix):
    """The options of a dataclass: name, default, what its docstring says."""
    rows = ["| setting | default | |", "|---|---|---|"]
    hints = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        info = cls.__pydantic_fields__[field.name]
        default = info.get_default(call_default_factory=True)
        if not dataclasses.is_dataclass(default) and field.name != "method":
            text = " ".join(info.description.split()) + choices(hints[field.name])
            rows.append(f"| `{prefix}{field.name}` | {option(default)} | {text} |")
    return "\n".join(rows) + "\n"


SECTIONS = {"": Settings} | {
    f"{field.name}.": type(getattr(Settings(), field.name))
    for field in dataclasses.fields(Settings)
    if dataclasses.is_dataclass(getattr(Settings(), field.name))
}


@pytest.mark.parametrize(("prefix", "cls"), SECTIONS.items(), ids=lambda value: str(value))
def test_the_settings_are_those_of_the_code(prefix, cls):
    assert table(cls, prefix) in (ROOT / "docs/training.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", names())
def test_every_method_has_a_page_with_its_options(name):
    assert table(load(name), "method.") in (ROOT / f"docs/methods/{name}.md").read_text(encoding="utf-8")
    for overview in ("README.md", "docs/methods/index.md", "mkdocs.yml"):
        assert f"{name}.md" in (ROOT / overview).read_text(encoding="utf-8")


FEATURES = {
    "nested entities": Sentence(("Ada", "of", "York"), (Span(0, 3, "PER"), Span(2, 3, "LOC"))),
    "explicit `O`": Sentence(("Ada", "wrote", "."), (Span(0, 1, "PER"), Span(1, 3, "O"))),
    "explicit `?`": Sentence(("Ada", "wrote"), (Span(0, 1, "PER"), Span(1, 2, "?"))),
    "completeness": Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),), complete=True),
    "text and offsets": Sentence(("Ada", "."), (Span(0, 1, "PER"),), text="Ada.", offsets=((0, 3), (3, 4))),
    "source and score": Sentence(("Ada", "wrote"), (Span(0, 1, "PER", source="list", score=0.5),)),
    "other metadata": Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),), meta={"place": "London"}),
}
"""Sentences with one thing each that not every format holds."""


def format_rows():
    lines = (ROOT / "docs/data.md").read_text(encoding="utf-8").partition("\n| format |")[2].splitlines()
    heading, _, *rows = [line.strip("| ").split(" | ") for line in lines if line.endswith("|")]
    return {row[0].strip("`"): dict(zip(heading, row[1:], strict=False)) for row in rows[: len(files.FORMATS)]}


@pytest.mark.parametrize("name", files.FORMATS)
@pytest.mark.parametrize("feature", FEATURES)
def test_formats_hold_what_their_table_says(name, feature, tmp_path):
    sentence, path = FEATURES[feature], tmp_path / "file"
    files.write([sentence], path, name)
    back = next(files.read(path, name))
    parts = {"text and offsets": ("text", "offsets"), "completeness": ("complete",), "other metadata": ("meta",)}
    kept = all(getattr(back, part) == getattr(sentence, part) for part in parts.get(feature, ("spans",)))
    assert format_rows()[name][feature] in {True: ("yes", "part"), False: ("no", "part")}[kept]


def test_the_example_runs(small_world, capsys):
    runpy.run_path(str(ROOT / "examples/from_dictionary.py"))["main"]("model")
    assert "dictionary  P" in capsys.readouterr().out


def test_the_example_settings_are_settings():
    settings = check(yaml.safe_load((ROOT / "examples/settings.yaml").read_text(encoding="utf-8")))
    build(settings.method)
    assert settings != Settings()
