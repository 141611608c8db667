import json
import sys

import pytest

from gleanner import write

QUICK = ("training.epochs=2", "training.batch_size=4", "model.max_width=4")


@pytest.fixture
def trained(gleanner, gold, tiny_encoder):
    """Runs an analysis that trains, with what all of them need."""

    def trained(name, *args):
        return gleanner("analyse", name, "--gold", gold, "--encoder", tiny_encoder, *args, *QUICK)

    return trained


def test_sparsity(gleanner, gold, tmp_path):
    result = gleanner("analyse", "sparsity", gold, "--least", 2, "--output", "figures")
    assert result.exit_code == 0, result.stderr
    assert "mean entities" in result.stdout
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert names == {f"sparsity.{ending}" for ending in ("csv", "json", "md", "png", "svg")}
    assert all(f"figures/{name}" in result.stdout for name in names)


def test_bound(gleanner, gold):
    result = gleanner("analyse", "bound", "--gold", gold, "--rate", 0.5, "--least", 2, "--draws", 2, "--lambda", 0.5)
    assert result.exit_code == 0, result.stderr
    assert "observed" in result.stdout
    assert "--output FOLDER keeps the table" in result.stderr


def test_missampling_is_not_trained_again(trained, tmp_path):
    command = (
        "missampling",
        "--rate",
        0.5,
        "--method",
        "plain",
        "negative-sampling",
        "--seed",
        1,
        2,
        "--output",
        "out",
    )
    first = trained(*command, "negative-sampling.rate=0.5", "-q")
    assert (first.exit_code, first.stderr) == (0, "")
    rows = json.loads((tmp_path / "out/missampling.json").read_text())
    assert {(row["method"], row["seeds"]) for row in rows} == {("plain", 2), ("negative-sampling", 2)}
    again = trained(*command, "negative-sampling.rate=0.5")
    assert again.stderr.count("is there already") == 4
    assert again.stdout == first.stdout


def test_two_files_in_the_place_of_a_rate(trained, gleanner, tiny_sentences):
    assert gleanner("mask", "gold.jsonl", "masked.jsonl", "--rate", 0.5, "--seed", 3).exit_code == 0
    masked = trained("missampling", "--rate", 0.5, "--seed", 3, "-q")
    paired = trained("missampling", "--train", "masked.jsonl", "--seed", 3, "-q")
    assert masked.exit_code == paired.exit_code == 0
    assert masked.stdout == paired.stdout


def test_o_values(trained, tmp_path):
    result = trained("o-values", "--rate", 0.5, "--head", "linear", "crf", "--lambda", 0.1, 0.2, "--output", "out")
    assert result.exit_code == 0, result.stderr
    rows = json.loads((tmp_path / "out/o-values-detection.json").read_text())
    assert [(row["head"], row["epoch"], row["lambda"]) for row in rows] == [
        (head, 2, share) for head in ("linear", "crf") for share in (0.1, 0.2)
    ]


def test_confidence_of_named_spans(trained, tmp_path):
    result = trained("confidence", "--rate", 0.5, "--span", "1:0-2", "2:0-1", "--every", 1, "--output", "out")
    assert result.exit_code == 0, result.stderr
    assert "Ada Lovelace (1:0-2)" in result.stdout
    assert len(json.loads((tmp_path / "out/confidence-curves.json").read_text())) == 2 * 3


def test_uncertainty(trained, gold):
    result = trained("uncertainty", "--rate", 0.5, "--test", gold, "--dev", gold, "-q")
    assert result.exit_code == 0, result.stderr
    assert all(which in result.stdout for which in ("top-k", "middle-k", "bottom-k"))


def test_without_matplotlib_there_are_tables(gleanner, gold, refused, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'gleanner[report]'" in refused("analyse", "sparsity", gold, "--output", "out")
    assert not (tmp_path / "out").exists()  # nobody waits for a training whose figures cannot be drawn
    assert gleanner("analyse", "sparsity", gold, "--least", 1).exit_code == 0
    assert gleanner("analyse", "sparsity", gold, "--least", 1, "--output", "out", "--no-plots").exit_code == 0
    assert {path.suffix for path in (tmp_path / "out").iterdir()} == {".csv", ".json", ".md"}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "give either --rate or --train"),
        (("--rate", 0.5, "--train", "gold.jsonl"), "give either --rate or --train"),
        (("--rate", 1.5), "the rate 1.5 is not a probability"),
        (("--rate", 0), "nothing is hidden"),
        (("--train", "other.jsonl"), "sentence 1 is not the same text: word 1 is 'Ada' in the gold and 'Robert'"),
        (("--rate", 0.5, "--method", "plain", "plan"), "no method is called 'plan'"),
        (("--rate", 0.5, "--method", "plain", "plain.rate=1"), "plain has no setting 'method.rate'"),
        (("--rate", 0.5, "seed=1"), "seed cannot be overridden here"),
        (("--rate", 0.5, "--output", "gold.jsonl"), "gold.jsonl: the output exists and is not a folder"),
    ],
)
def test_bad_input(refused, gold, tiny_sentences, args, message):
    write(tiny_sentences[1:], gold.with_name("other.jsonl"))
    assert message in refused("analyse", "missampling", "--gold", gold, *args)


def test_bad_input_of_single_analyses(refused, gold):
    common = ("--gold", gold, "--rate", 0.5)
    assert "'concat' scores spans" in refused("analyse", "o-values", *common, "--head", "concat")
    assert "'1-2' is no span" in refused("analyse", "confidence", *common, "--span", "1-2")
    assert "inf epochs between two looks" in refused("analyse", "confidence", *common, "--every", "inf")
    assert "the rate inf draws no number of spans" in refused("analyse", "bound", *common, "--lambda", "inf")
    gold.with_name("one.jsonl").write_text(gold.read_text(encoding="utf-8").splitlines()[0], encoding="utf-8")
    alone = ("--gold", gold.with_name("one.jsonl"), "--rate", 1, "--test", gold)
    assert "1 sentence cannot be cut into halves" in refused("analyse", "uncertainty", *alone)
    assert "no sentence length has 999" in refused("analyse", "sparsity", gold, "--least", 999)


def test_what_is_wrong_with_the_last_method_is_said_before_the_first_is_trained(refused, gold, tmp_path):
    common = ("--gold", gold, "--rate", 0.5, "--output", "out")
    for method, message in (("nrces", "the loss nrces counts each unit by itself"), ("roster", "none is named")):
        assert message in refused("analyse", "missampling", *common, "--method", "plain", method, "method.head=crf")
    assert "no head is called 'magic'" in refused(
        "analyse", "missampling", *common, "plain.head=magic", "--method", "plain"
    )
    assert not (tmp_path / "out").exists()


def test_interrupted(gleanner, gold, tiny_encoder, monkeypatch):
    from gleanner.training.reporter import Terminal

    def interrupt(self, entry):
        raise KeyboardInterrupt

    monkeypatch.setattr(Terminal, "evaluated", interrupt)
    result = gleanner("analyse", "missampling", "--gold", gold, "--rate", 0.5, "--encoder", tiny_encoder, *QUICK)
    assert result.exit_code == 130
    assert "error: interrupted; run the same command again to go on\n" in result.stderr
