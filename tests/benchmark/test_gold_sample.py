from importlib import import_module
from pathlib import Path

from gleanner import Sentence, Span, write


def test_the_sample_says_what_a_direct_comparison_says(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent.parent.parent)
    gold_sample = import_module("benchmarks.quality.gold_sample")
    words = ("Ada", "met", "Mary")
    gold = [
        Sentence(words, (Span(0, 1, "PER"), Span(2, 3, "PER"))),
        Sentence(words),
        Sentence(("London",), (Span(0, 1, "LOC"),)),
    ]
    found = [
        Sentence(words, (Span(0, 1, "PER"),)),
        Sentence(words, (Span(2, 3, "LOC"),)),
        Sentence(("London",), (Span(0, 1, "LOC"),)),
    ]
    write(gold, tmp_path / "gold.jsonl")
    write(found, tmp_path / "found.jsonl")
    compared = gold_sample.by_sample(tmp_path / "gold.jsonl", tmp_path / "found.jsonl")
    direct = gold_sample.directly(tmp_path / "gold.jsonl", tmp_path / "found.jsonl")
    assert {"": compared.report.micro, **compared.report.types} == direct
    assert gold_sample.ratios(compared.report.micro) == ("66.67", "66.67", "66.67")
