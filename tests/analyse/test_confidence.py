import pytest
import torch

from gleanner import InputError, Sentence, Span
from gleanner.analyse.confidence import Chosen, confidence, look_for, parsed, probabilities
from gleanner.analyse.keep import Keep
from gleanner.analyse.truth import Truth
from gleanner.analyse.watch import watched
from gleanner.training.reporter import Silent

TRUTH = Truth(
    [Sentence(("Ada", "met", "Bob"), (Span(0, 1, "PER"),))],
    [Sentence(("Ada", "met", "Bob"), (Span(0, 1, "PER"), Span(2, 3, "PER")))],
)


def test_spans_by_name():
    assert parsed("1:0-1", TRUTH) == Chosen(0, 0, 1, "labelled entity", "Ada")
    assert parsed("1:2-3", TRUTH).kind == "hidden entity"
    assert parsed("1:1-3", TRUTH) == Chosen(0, 1, 3, "no entity", "met Bob")
    assert parsed("1:1-3", TRUTH).name == "met Bob (1:1-3)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1:2", "'1:2' is no span; write SENTENCE:START-END"),
        ("0:0-1", "there is no sentence 0"),
        ("2:0-1", "there is no sentence 2; the data has 1"),
        ("1:2-2", "does not lie in the sentence's 3 words"),
        ("1:2-4", "does not lie in the sentence's 3 words"),
    ],
)
def test_spans_that_are_none(text, message):
    with pytest.raises(InputError, match=message):
        parsed(text, TRUTH)


def test_spans_that_are_found(half_hidden):
    found = look_for(half_hidden, 4, 2, seed=1)
    assert found == look_for(half_hidden, 4, 2, seed=1)
    assert found != look_for(half_hidden, 4, 2, seed=2)
    assert [span.kind for span in found] == ["hidden entity"] * 4 + ["no entity"] * 4
    assert len(set(found)) == 8
    assert all(span.end - span.start <= 2 for span in found)
    for span in found[4:]:
        assert all(e.end <= span.start or e.start >= span.end for e in half_hidden.gold[span.sentence].entities)


def alone(stage, train):
    return train(stage)


@pytest.mark.parametrize("head", ["concat", "linear"])
def test_probabilities_are_those_of_the_model(plan_of, tiny_sentences, head):
    (run,) = plan_of("plain", method__head=head)
    tagger = watched(run, tiny_sentences, alone, Silent()).tagger
    feed = tagger.feed(tiny_sentences)
    z = tagger.logits(feed).softmax(dim=1)
    first = sum(len(sentence.words) for sentence in tiny_sentences[:3])
    found = probabilities(tagger, feed, [(3, 1, 3), (0, 0, 1)])
    if head == "concat":
        expected = [1 - z[(first + 1) * 4 + 1, 0], 1 - z[0, 0]]
    else:
        expected = [1 - z[first + 1 : first + 3, 0].max(), 1 - z[0, 0]]
    assert found == pytest.approx([float(value) for value in expected], abs=0.02)  # batched otherwise
    assert not tagger.training


def test_a_label_of_the_methods_own_is_no_entity(plan_of, tiny_sentences):
    """Every word gets the extra class: then no word is an entity, whatever O has."""
    (run,) = plan_of("plain", method__head="linear", training__epochs=1)

    def extra(stage, train):
        from dataclasses import replace

        return train(replace(stage, nothing=("other",)))

    tagger = watched(run, tiny_sentences, extra, Silent()).tagger
    with torch.no_grad():
        tagger.head.scorer.bias[:] = torch.tensor([0.0, 0, 0, 0, 0, 50, 50])  # O, two types, the extra class
    assert probabilities(tagger, tagger.feed(tiny_sentences), [(0, 0, 1)]) == pytest.approx([0], abs=1e-6)


def test_curves_of_several_methods(plan_of, half_hidden, tmp_path):
    runs = plan_of("plain", "negative-sampling", seeds=(1, 2))
    spans = look_for(half_hidden, 2, 4, seed=0)
    findings = confidence(half_hidden, runs, spans, Keep(tmp_path), Silent(), every=0.5)
    curves = findings.sheets["confidence-curves"]
    one = [row for row in curves.rows if row[:3] == ("plain", 1, spans[0].name)]
    assert [row[4] for row in one] == [0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
    assert all(0 <= row[5] <= 1 for row in curves.rows)
    summary = findings.sheets["confidence"].rows
    assert len(summary) == 2 * len(spans)
    assert all(row[5] >= max(row[4], row[6], row[7]) for row in summary)
    assert len(findings.save(tmp_path)) == 8


def test_bad_options(plan_of, half_hidden):
    runs = plan_of("plain")
    with pytest.raises(InputError, match="epochs between two looks"):
        confidence(half_hidden, runs, [], Keep(None), Silent(), every=0)
    with pytest.raises(InputError, match=r"longer than model\.max_width=4"):
        confidence(half_hidden, runs, [Chosen(0, 0, 5, "no entity", "x")], Keep(None), Silent())
