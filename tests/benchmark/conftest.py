"""Tables on the tiny sentences, with the tiny encoder."""

import json
from dataclasses import replace

import pytest

from gleanner import write
from gleanner.benchmark.places import Places
from gleanner.benchmark.store import Benchmark
from gleanner.benchmark.table import make

SETTINGS = {
    "training.epochs": 2,
    "training.batch_size": 4,
    "training.encoder_lr": 3e-3,
    "training.head_lr": 3e-3,
    "training.precision": "fp32",
    "training.checkpoint_minutes": 0,
    "method.head": "linear",
}


@pytest.fixture
def data(tmp_path, tiny_sentences):
    """A folder with everything that a table may name."""
    folder = tmp_path / "data"
    folder.mkdir()
    write(tiny_sentences[:20], folder / "train.jsonl")
    write([replace(sentence, spans=()) for sentence in tiny_sentences[:20]], folder / "empty.jsonl")
    write(tiny_sentences[20:30], folder / "dev.jsonl")
    write(tiny_sentences[30:], folder / "test.jsonl")
    write([replace(sentence, spans=sentence.spans[:1]) for sentence in tiny_sentences[30:]], folder / "half.jsonl")
    (folder / "names.tsv").write_text("PER\tEuler\nPER\tMarie Curie\nLOC\tLondon\n")
    return folder


@pytest.fixture
def raw(data, tiny_encoder):
    """What the YAML file of a table says; `raw(row, ..., key=value)`."""

    def raw(*rows, **keys):
        files = {"train": "train.jsonl", "dev": "dev.jsonl", "test": "test.jsonl"}
        table = {"title": "Tiny", "encoder": str(tiny_encoder), "seeds": [1], "settings": SETTINGS}
        return table | files | keys | {"rows": list(rows)}

    return raw


@pytest.fixture
def benchmark(raw, data, tmp_path):
    """A table with its places and results; `benchmark(row, ..., key=value)`."""

    def benchmark(*rows, output="out", **keys):
        return Benchmark("tiny", make(raw(*rows, **keys)), Places(data), tmp_path / output)

    return benchmark


@pytest.fixture
def stored():
    """Puts a result where a run would: `stored(job, f1 by epoch, right, found, gold)`."""

    def stored(job, curve, right, found, gold, **keys):
        job.path.parent.mkdir(parents=True, exist_ok=True)
        tp, all_found, all_gold = (sum(map(int, text)) for text in (right, found, gold))
        score = {"precision": tp / all_found, "recall": tp / all_gold, "f1": 2 * tp / (all_found + all_gold)}
        record = {
            "test": score | {"gold": all_gold},
            "dev": score | {"epoch": 2.0},
            "history": [{"stage": "s", "epoch": n, "f1": f1, "loss": 1.0} for n, f1 in enumerate(curve, 1)],
            "seconds": 90.0,
            "memory": {"rss": 700, "cuda": None},
            "machine": {"device": "abacus", "threads": 1},
            "counts": {"right": right, "found": found},
        }
        job.path.write_text(json.dumps(job.key | record | keys))
        job.path.with_name("gold.json").write_text(json.dumps({"gold": gold}))

    return stored
