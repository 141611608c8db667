"""The documentation does what it says: its Python runs, its commands parse, its tables are those of the code."""

import importlib
import re
import runpy
import shlex
import sys
import types
from pathlib import Path

import pytest
import yaml
from typer.main import get_command

import gleanner
from gleanner import Corpus, Sentence, Span, demo_data
from gleanner.analyse.plan import runs
from gleanner.benchmark.places import Places
from gleanner.benchmark.table import Row, Table, check_settings, make
from gleanner.cli.fields import parts, settings
from gleanner.cli.main import app
from gleanner.data import files
from gleanner.methods.compose import Compose
from gleanner.methods.load import build, load, names
from gleanner.model import transformer
from gleanner.training.settings import Settings, assignments, check, override

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n\n)?```(?P<kind>\w+)(?: title=\"(?P<title>[^\"\n]+)\")?\n(?P<text>.*?)^```$",
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


def commands(page):
    """The words of each `gleanner` command of a page, without what a shell does with them."""
    for block in blocks(page, "sh", "console"):
        for line in block["text"].replace("\\\n", " ").splitlines():
            if block["kind"] == "console" and not line.startswith("$ "):
                continue  # what a command prints
            words = shlex.split(line.removeprefix("$ "), comments=True)
            words = [word.replace("$(command -v gleanner)", "gleanner") for word in words]
            while "gleanner" in words:
                words = words[words.index("gleanner") + 1 :]
                ends = [words.index(sign) for sign in ("|", ">", "&&") if sign in words]
                yield words[: min(ends, default=len(words))]


@with_blocks("sh", "console")
def test_the_commands_of_a_page_parse(page):
    for words in commands(page):
        command, rest = get_command(app), words
        while hasattr(command, "commands"):
            command, rest = command.commands[rest[0]], rest[1:]
        given = command.make_context(command.name, rest).params
        chosen = assignments(given.get("overrides") or ())
        methods = given.get("method") or "negative-sampling"
        if isinstance(methods, str):
            build(check(override({}, chosen | {"method.name": methods})).method)
        else:
            for run in runs(methods, given["seed"], {}, chosen):
                build(run.settings.method)


def test_few_blocks_are_not_run():
    assert [page_name(page) for page in PAGES for block in blocks(page, "python") if block["reason"]] == [
        "docs/predicting.md"
    ]


def table(options):
    """Settings as a page shows them."""
    rows = ["| setting | type | default | meaning |", "|---|---|---|---|"]
    rows += [f"| `{o.name}` | {o.type.replace(' | ', ', ')} | `{o.default}` | {o.doc} |" for o in options]
    return "\n".join(rows) + "\n"


def assert_has(page, text):
    assert text in page.read_text(encoding="utf-8"), f"{page_name(page)} needs this:\n\n{text}"


SECTIONS = {"The run": [o for o in settings(Settings) if "." not in o.name and o.name != "method"]} | {
    name: [o for o in settings(Settings) if o.name.startswith(f"{name}.")]
    for name in ("data", "model", "training", "bilstm", "flat", "lexicon")
}


def test_the_sections_have_all_settings():
    assert sum(map(len, SECTIONS.values())) + 1 == len(list(settings(Settings)))  # and the method


@pytest.mark.parametrize("name", SECTIONS)
def test_the_settings_are_those_of_the_code(name):
    assert_has(ROOT / "docs/training.md", f"### {name}\n\n{table(SECTIONS[name])}")


@pytest.mark.parametrize("kind", [Table, Row], ids=lambda kind: kind.__name__)
def test_the_keys_of_a_benchmark_are_those_of_the_code(kind):
    assert_has(ROOT / "docs/benchmark.md", f"### Keys of a {kind.__name__.lower()}\n\n{table(settings(kind))}")


def test_the_table_that_is_shown_is_one():
    (shown,) = blocks(ROOT / "docs/benchmark.md", "yaml")
    made = make(yaml.safe_load(shown["text"]))
    for row in made.rows:
        check_settings(made, row, Places(ROOT), None)


def options(command):
    """A command's options as a page shows them."""
    rows = ["| option | default | meaning |", "|---|---|---|"]
    for option in get_command(app).commands[command].params:
        called = f"{', '.join(option.opts)} {option.metavar or ''}".strip().replace("|", "\\|")
        default = "" if option.default in (None, False) else f"`{option.default}`"
        rows.append(f"| `{called}` | {default} | {option.help} |")
    return "\n".join(rows) + "\n"


def test_the_options_of_annotate_are_those_of_the_code():
    assert_has(ROOT / "docs/annotate.md", f"## Options\n\n{options('annotate')}")


@pytest.mark.parametrize("name", names())
def test_every_method_has_a_page_with_its_options(name):
    assert_has(ROOT / f"docs/methods/{name}.md", f"## Options\n\n{table(settings(load(name), 'method.'))}")
    for overview in ("README.md", "docs/methods/index.md", "mkdocs.yml"):
        assert_has(ROOT / overview, f"{name}.md")


@pytest.mark.parametrize(
    ("field", "named", "name"), [(f, named, name) for f, named in parts(Compose).items() for name in named.names()]
)
def test_every_part_is_on_the_page_with_its_options(field, named, name):
    own = list(settings(named.load(name), f"method.{field}."))
    text = f"### {name}\n\n{named.summary(name)}\n" + (f"\n{table(own)}" if own else "")
    assert_has(ROOT / "docs/methods/compose.md", text)


FEATURES = {
    "nested entities": Sentence(("Ada", "of", "York"), (Span(0, 3, "PER"), Span(2, 3, "LOC"))),
    "explicit `O`": Sentence(("Ada", "wrote", "."), (Span(0, 1, "PER"), Span(1, 3, "O"))),
    "explicit `?`": Sentence(("Ada", "wrote"), (Span(0, 1, "PER"), Span(1, 2, "?"))),
    "completeness": Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),), complete=True),
    "text and offsets": Sentence(("Ada", "."), (Span(0, 1, "PER"),), text="Ada.", offsets=((0, 3), (3, 4))),
    "source and score": Sentence(("Ada", "wrote"), (Span(0, 1, "PER", "list", 0.5),)),
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
    example = check(yaml.safe_load((ROOT / "examples/settings.yaml").read_text(encoding="utf-8")))
    build(example.method)
    assert example != Settings()


def test_the_map_shows_the_whole_house():
    shown = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("src/gleanner/\n")[2].partition("```")[0]
    parts = [part for part in (ROOT / "src/gleanner").iterdir() if not part.name.startswith(("_", "py.typed"))]
    assert [part.name for part in parts if f"\n  {part.name}" not in f"\n{shown}"] == []
