"""The rules as options: a command names its parameter `rules`, and has them all."""

import inspect
from dataclasses import fields

import pytest
import typer
from typer.testing import CliRunner

from gleanner.cli import annotate, dictionary
from gleanner.cli.rules import rules, with_rules
from gleanner.gazetteer.rules import Rules

OPTIONS = list(inspect.signature(rules).parameters)


@pytest.mark.parametrize("command", [annotate.command, dictionary.check])
def test_commands_that_compare_have_the_same_options(command):
    names = list(inspect.signature(command).parameters)
    first = names.index(OPTIONS[0])
    assert names[first : first + len(OPTIONS)] == OPTIONS
    assert "rules" not in names


def test_no_option_is_the_rules_as_they_are():
    assert rules() == Rules()


def test_every_option_is_a_rule(tmp_path):
    stop = tmp_path / "stop.txt"
    stop.write_text("May\n\n of \n")
    chosen = Rules("ignore", 3, "nfkc", True, True, "space", True, True, True, 2, ("May", "of"), 1)
    options = ["--width", "--ignore-accents", "--plural", "--possessive", "--stop-list", stop, "--case", "ignore"]
    options += ["--ignore-above", 3, "--form", "nfkc", "--hyphens", "space", "--min-length", 2, "--distance", 1]
    seen = []
    app = typer.Typer()

    @app.command()
    @with_rules
    def command(*, before: str = "", rules: Rules, after: str = "") -> None:
        """A command."""
        seen.append((before, rules, after))

    result = CliRunner().invoke(app, ["--before", "a", *map(str, options), "--after", "b"])
    assert result.exit_code == 0, result.output
    assert seen == [("a", chosen, "b")]
    changed = {field.name for field in fields(Rules) if getattr(chosen, field.name) != getattr(Rules(), field.name)}
    assert changed == {name.replace("stop_list", "stop") for name in OPTIONS}
