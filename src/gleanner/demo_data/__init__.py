"""The corpus that comes with gleanner: articles on the history of science, and a term list. See README.md beside this."""

from importlib.resources import files
from pathlib import Path

from gleanner.data.files import corpus
from gleanner.types import Corpus

_FOLDER = Path(str(files(__name__)))


def raw() -> str:
    """The training articles as plain text, a paragraph each."""
    return (_FOLDER / "raw.txt").read_text(encoding="utf-8")


def dictionary_path() -> Path:
    """The term list that makes labels of the raw text: lines `type<TAB>term`."""
    return _FOLDER / "dictionary.tsv"


def dev() -> Corpus:
    """The sentences for choosing a model, with all their names."""
    return corpus([_FOLDER / "dev.jsonl"], "jsonl")


def test() -> Corpus:
    """The sentences for the last measurement, with all their names."""
    return corpus([_FOLDER / "test.jsonl"], "jsonl")


def train_gold() -> Corpus:
    """The sentences of the raw text with all their names: not for training, but to see what the term list missed."""
    return corpus([_FOLDER / "train.gold.jsonl"], "jsonl")
