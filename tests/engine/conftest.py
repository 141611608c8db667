"""A task that other processes can have, and inputs of many blocks."""

import sys
from pathlib import Path

import pytest

from gleanner.engine import run as engine
from gleanner.engine.inputs import sources

sys.path.insert(0, str(Path(__file__).parent))  # as other processes inherit it

from shouting import Shout


@pytest.fixture
def text(tmp_path):
    """A file of many blocks."""
    path = tmp_path / "in.txt"
    path.write_text("\n\n".join(f"Paragraph {k} says naïve things. It ends." for k in range(60)))
    return path


@pytest.fixture
def shout(tmp_path):
    """Runs the task on files; gives the lines."""

    def shout(*files, output=None, task=None, **options):
        output = output or tmp_path / "out.jsonl"
        engine.run(task or Shout(), sources(files), output, **options)
        return output.read_bytes()

    return shout
