import pytest
import torch

from gleanner.analyse.keep import Keep
from gleanner.analyse.missampling import COLUMNS, Counting, Missampling, missampling
from gleanner.analyse.truth import Truth
from gleanner.analyse.watch import watched
from gleanner.data.mask import mask
from gleanner.model.units import Targets, Units
from gleanner.training.reporter import Silent
from gleanner.training.scores import Scores
from gleanner.training.stage import Progress


def test_counts_by_hand():
    """Two sentences of four units; of the first 2 of 3 negatives are hidden entities, of the second 0 of 1."""
    row = torch.tensor([0, 0, 0, 0, 1, 1, 1, 1])
    place = torch.tensor([10, 11, 12, 13, 0, 1, 2, 3])
    hidden = torch.zeros(14, dtype=torch.bool)
    hidden[[10, 12, 1]] = True
    label = torch.tensor([0, 0, 0, 5, 0, 0, 0, 0])
    weight = torch.tensor([1.0, 1, 0.5, 1, 1, 0, 0, 0])  # the hidden one at place 1 is not drawn
    units = Units(row, place, place, torch.tensor([4, 4]), torch.tensor([4, 4]), place)
    counting = Counting(lambda scores, targets, progress: targets.weight)
    counting.hidden = hidden
    for step in (0, 1, 2):  # two steps an epoch
        found = counting(
            Scores(None, None, units), Targets(label, torch.zeros(8, dtype=torch.bool), weight), Progress(step, 2, 2)
        )
        assert found is weight
    assert counting.counts[0].tolist() == pytest.approx([8, 4, 4, 2 * 2 / 3])
    assert counting.counts[1].tolist() == pytest.approx([4, 2, 2, 2 / 3])


def test_of_plain_training_it_is_the_share_of_all_spans(plan_of, half_hidden):
    """Ordinary training takes every unlabelled span for a negative, so the rate is known beforehand."""
    (run,) = plan_of("plain", method__head="concat")
    watch = Missampling(half_hidden)
    watched(run, half_hidden.train, watch, Silent())
    lengths = [len(sentence.words) for sentence in half_hidden.train]
    spans = sum(n - w + 1 for n in lengths for w in range(1, 5) if w <= n)
    negatives = spans - sum(len(sentence.entities) for sentence in half_hidden.train)
    hidden = len(half_hidden.hidden())
    assert [epoch["epoch"] for epoch in watch.epochs] == [1, 2, 3]
    assert {epoch["negatives"] for epoch in watch.epochs} == {negatives}
    assert {epoch["rate"] for epoch in watch.epochs} == {hidden / negatives}


def test_of_words(plan_of, half_hidden):
    (run,) = plan_of("plain", method__head="linear", training__epochs=1)
    watch = Missampling(half_hidden)
    watched(run, half_hidden.train, watch, Silent())
    labelled = sum(s.end - s.start for sentence in half_hidden.train for s in sentence.entities)
    negatives = sum(len(sentence.words) for sentence in half_hidden.train) - labelled
    hidden = sum(span.end - span.start for _, span in half_hidden.hidden())
    assert watch.epochs[0]["rate"] == hidden / negatives


def test_the_table_and_the_figure(plan_of, half_hidden, tiny_sentences, tmp_path):
    runs = plan_of("negative-sampling", "weighted-sampling", seeds=(1, 2), training__epochs=2)
    findings = missampling(half_hidden, runs, Keep(tmp_path), Silent(), tiny_sentences[:8])
    rows = findings.sheets["missampling"].rows
    assert [(row[0], row[2], row[3]) for row in rows] == [
        (method, epoch, 2) for method in ("negative-sampling", "weighted-sampling") for epoch in (1, 2)
    ]
    assert all(0 <= row[4] < 0.5 and row[5] is not None and 0 <= row[8] <= 1 for row in rows)
    assert len(list((tmp_path / "runs").iterdir())) == 4
    again = missampling(
        half_hidden, runs, Keep(tmp_path), None, tiny_sentences[:8]
    )  # nothing is trained, so nobody reports
    assert again.sheets == findings.sheets
    assert [path.name for path in findings.save(tmp_path)] == [
        f"missampling.{ending}" for ending in ("csv", "json", "md", "png", "svg")
    ]


def test_a_seed_that_hides_more_is_missampled_more(plan_of, tiny_sentences):
    def rate(hidden):
        (run,) = plan_of("negative-sampling", training__epochs=2)
        watch = Missampling(Truth(list(mask(tiny_sentences, hidden, 0)), list(tiny_sentences)))
        watched(run, watch.truth.train, watch, Silent())
        return watch.epochs[-1]["rate"]

    assert rate(0.2) < rate(0.9)


def test_a_seed_may_stop_early(plan_of, half_hidden):
    """Kept results of two seeds, of which one had fewer epochs."""

    def kept(run, what, make):
        entry = {"stage": "s", "negatives": 10, "sentence_rate": 0.0, "f1": None}
        return [entry | {"epoch": epoch, "rate": 0.1 * epoch} for epoch in range(1, 2 + run.seed)]

    rows = missampling(half_hidden, plan_of("plain", seeds=(1, 2)), kept, Silent()).sheets["missampling"].rows
    assert [(row[2], row[3]) for row in rows] == [(1, 2), (2, 2), (3, 1)]
    assert len(rows[0]) == len(COLUMNS)
