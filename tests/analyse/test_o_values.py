import pytest
import torch

from gleanner import InputError
from gleanner.analyse.keep import Keep
from gleanner.analyse.o_values import detection, o_values, of_heads, summary
from gleanner.analyse.places import Kinds
from gleanner.training.reporter import Silent

VALUES = torch.tensor([5.0, 1.0, 9.0, 2.0, 3.0, 4.0])
WHAT = Kinds(
    hidden=torch.tensor([False, True, False, False, True, False]),
    negative=torch.tensor([True, False, False, True, False, True]),
)  # the third word is labelled


def test_detection_by_hand():
    """In order: 1 hidden, 2, 3 hidden, 4, 5."""
    assert detection(VALUES, WHAT, [0.2, 0.21, 0.6, 1.0]) == [
        {"share": 0.2, "marked": 1, "precision": 1.0, "recall": 0.5},
        {"share": 0.21, "marked": 2, "precision": 0.5, "recall": 0.5},
        {"share": 0.6, "marked": 3, "precision": pytest.approx(2 / 3), "recall": 1.0},
        {"share": 1.0, "marked": 5, "precision": 0.4, "recall": 1.0},
    ]


def test_summary_by_hand():
    found = summary(VALUES, WHAT)
    assert (found["hidden"]["count"], found["hidden"]["mean"]) == (2, 2.0)
    assert found["negative"]["quartiles"] == [3.0, 4.0, 4.5]
    assert found["edges"][0] == 1.0
    assert found["edges"][-1] == 5.0
    assert sum(found["hidden"]["histogram"]) == 2
    assert sum(found["negative"]["histogram"]) == 3


def test_by_epoch_and_head(plan_of, half_hidden, tmp_path):
    runs = of_heads(plan_of("plain", seeds=(1, 2)), ["linear", "crf"])
    findings = o_values(half_hidden, runs, Keep(tmp_path), Silent(), shares=(0.1, 0.05), after=2)
    values = findings.sheets["o-values"]
    assert [row[:3] for row in values.rows] == [
        (head, epoch, who) for head in ("linear", "crf") for epoch in (1, 2, 3) for who in ("hidden", "negative")
    ]
    hidden = sum(span.end - span.start for _, span in half_hidden.hidden())
    assert {row[3] for row in values.rows if row[2] == "hidden"} == {hidden}
    assert all(row[5] <= row[6] <= row[7] for row in values.rows)
    assert [row[:3] for row in findings.sheets["o-values-detection"].rows] == [
        (head, 2, share) for head in ("linear", "crf") for share in (0.05, 0.1)
    ]
    by_epoch = findings.sheets["o-values-detection-by-epoch"]
    assert len(by_epoch.rows) == 12
    assert not by_epoch.shown
    assert len(findings.save(tmp_path)) == 3 * 3 + 2 * 4
    assert o_values(half_hidden, runs, Keep(tmp_path), None, shares=(0.1, 0.05)).sheets == findings.sheets


def test_hidden_entities_look_less_like_o_at_first(plan_of, half_hidden):
    """What the two-step method stands on."""
    runs = of_heads(plan_of("plain", training__epochs=4), ["linear"])
    rows = o_values(half_hidden, runs, Keep(None), Silent()).sheets["o-values"].rows
    median = {(epoch, who): row for _, epoch, who, _, _, _, row, _ in rows}
    assert median[2, "hidden"] < median[2, "negative"]


@pytest.mark.parametrize(
    ("options", "message"),
    [({"after": 4}, "there is no epoch 4"), ({"shares": (0.1, 1.5)}, "the share 1.5 cannot be marked")],
)
def test_bad_options(plan_of, half_hidden, options, message):
    with pytest.raises(InputError, match=message):
        o_values(half_hidden, of_heads(plan_of("plain"), ["linear"]), Keep(None), Silent(), **options)


def test_span_heads_have_no_o_values(plan_of):
    with pytest.raises(InputError, match="'concat' scores spans"):
        of_heads(plan_of("plain"), ["concat"])
