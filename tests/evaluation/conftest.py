import pytest

from gleanner.types import Sentence, Span


def _build(words, *spans, complete=True):
    return Sentence(tuple(words.split()), tuple(Span(*span) for span in spans), complete=complete)


@pytest.fixture(scope="session")
def build():
    """build("Ada wrote", (0, 1, "PER")) is a complete sentence."""
    return _build
