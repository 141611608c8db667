"""Two processes that train one model."""

import json
import os
import subprocess
import sys

import pytest
import torch
from safetensors.torch import load_file

from gleanner.data.files import read, write
from gleanner.evaluation.scores import score_arrays
from gleanner.evaluation.spans import flatten
from gleanner.model.tagger import Tagger
from gleanner.types import Sentence, Span

SCRIPT = """
import sys
from pathlib import Path
import torch
from accelerate import PartialState
from safetensors.torch import save_file
from gleanner.api import train
from gleanner.training.reporter import Silent

torch.set_num_threads(1)
folder, encoder = Path(sys.argv[1]), sys.argv[2]
trained = train(folder / "train.jsonl", str(folder / "dev.jsonl"), encoder=encoder, output=folder / "model",
                method="plain", reporter=Silent(),
                settings={"method.head": "linear", "training.epochs": 3, "training.batch_size": 4,
                          "training.encoder_lr": 3e-3, "training.head_lr": 3e-3, "training.precision": "fp32"})
save_file(trained.tagger.state_dict(), folder / f"process{PartialState().process_index}.safetensors")
"""


def long(sentences):
    """One sentence of all, longer than the encoder reads at once, so that it is cut into windows."""
    words, spans = [], []
    for sentence in sentences:
        spans += [Span(len(words) + s.start, len(words) + s.end, s.label) for s in sentence.spans]
        words += sentence.words
    return Sentence(tuple(words), tuple(spans), complete=True)


@pytest.mark.skipif(
    not (torch.distributed.is_available() and torch.distributed.is_gloo_available()), reason="torch has no gloo"
)
def test_they_end_with_the_same_weights_and_score_as_one(tiny_sentences, tiny_encoder, tmp_path):
    write(tiny_sentences, tmp_path / "train.jsonl")
    write([*tiny_sentences[:5], long(tiny_sentences)], tmp_path / "dev.jsonl")
    (tmp_path / "script.py").write_text(SCRIPT)
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    ran = subprocess.run(
        [*launcher, str(tmp_path / "script.py"), str(tmp_path), str(tiny_encoder)],
        env=os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,  # of two processes that wait for each other
    )
    assert ran.returncode == 0, ran.stderr

    first, second = (load_file(tmp_path / f"process{k}.safetensors") for k in range(2))
    assert all(torch.equal(first[name], second[name]) for name in first)
    output = tmp_path / "model"
    record = json.loads((output / "run.json").read_text())
    assert record["machine"]["processes"] == 2
    history = [json.loads(line) for line in (output / "history.jsonl").read_text().splitlines()]
    assert [entry["step"] for entry in history] == [5, 10, 15]  # ten batches an epoch, two a step

    tagger = Tagger.from_pretrained(output, device="cpu")
    tagger.precision = "fp32"
    gold = list(read(tmp_path / "dev.jsonl"))
    numbers = {label: k for k, label in enumerate(tagger.config.labels)}
    score = score_arrays(flatten(gold, numbers), flatten(list(tagger.annotate(gold)), numbers))
    best = max(history, key=lambda entry: entry["f1"])
    assert (score.precision, score.recall) == (best["precision"], best["recall"])
    assert score.f1 > 0.5
