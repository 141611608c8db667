from itertools import islice, pairwise

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gleanner.model import tagger as module
from gleanner.types import Sentence, Span

MODELS = [
    ("transformer", "concat"),
    ("transformer", "interaction"),
    ("transformer", "biaffine"),
    ("transformer", "linear"),
    ("transformer", "crf"),
    ("bilstm", "concat"),
    ("bilstm", "crf"),
    ("flat", "linear"),
    ("lebert", "concat"),
    ("bert_word", "crf"),
]
TEXTS = [
    "Ada Lovelace lived in London. Newton never saw Basel!\n\nDid Sofia leave New York?",
    "",
    " \t\n ",
    "李白住在北京。",
    "Göttingen\u200b [SEP] </s> \x00 \ufeffEuler",
]


@pytest.fixture(scope="module", params=MODELS, ids="-".join)
def tagger(request, make_tagger):
    return make_tagger(*request.param)


def assert_same(found, expected):
    """The same entities, with the same scores but for rounding."""
    assert [dict(entity, score=None) for entity in found] == [dict(entity, score=None) for entity in expected]
    assert [entity["score"] for entity in found] == pytest.approx([entity["score"] for entity in expected], abs=2e-4)


def test_a_prediction_is_what_it_says(tagger):
    found = tagger.predict(TEXTS[0])
    assert found
    for entity in found:
        assert list(entity) == ["start", "end", "text", "label", "score"]
        assert TEXTS[0][entity["start"] : entity["end"]] == entity["text"]
        assert entity["label"] in tagger.labels == ("LOC", "PER")
        assert 0 < entity["score"] <= 1


def test_one_text_or_several(tagger):
    several = tagger.predict(TEXTS)
    assert len(several) == len(TEXTS)
    assert several[1] == several[2] == []
    for text, found in zip(TEXTS, several, strict=True):
        assert_same(tagger.predict(text), found)
    assert tagger.predict([]) == []


def test_other_batches_change_nothing(tagger, monkeypatch, tiny_sentences):
    texts = [" ".join(sentence.words) for sentence in tiny_sentences[::3]]
    together = tagger.predict(texts)
    monkeypatch.setattr(module, "PIECES", 8)
    monkeypatch.setattr(module, "CHUNK", 3)
    for found, expected in zip(tagger.predict(texts[::-1])[::-1], together, strict=True):
        assert_same(found, expected)


ALPHABET = st.one_of(
    st.characters(),
    st.sampled_from(" \n\t\r.,!?'\"-\u200b\u200d\u3000。」é\u0301İß🇨🇭\ud83d"),
    st.sampled_from("Ada London李白"),
)


@pytest.fixture(scope="module", params=["transformer", "bilstm", "flat", "lebert", "bert_word"])
def token_tagger(request, make_tagger):
    return make_tagger(request.param, "linear")


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(st.text(ALPHABET, max_size=40), max_size=6))
def test_offsets_are_exact_in_any_text(token_tagger, texts):
    for text, found in zip(texts, token_tagger.predict(texts), strict=True):
        places = [(entity["start"], entity["end"]) for entity in found]
        assert places == sorted(places)
        for entity in found:
            assert text[entity["start"] : entity["end"]] == entity["text"]
            assert entity["text"].strip() == entity["text"] != ""


@pytest.mark.parametrize("model", [("transformer", "linear"), ("bilstm", "concat")], ids="-".join)
def test_twenty_thousand_words(make_tagger, model):
    tagger = make_tagger(*model)
    text = " ".join(["Ada", "lived", "in", "London", ","] * 4_000)
    found = tagger.predict(text)
    assert all(text[entity["start"] : entity["end"]] == entity["text"] for entity in found)
    assert found[0]["start"] < len(text) // 1_000
    assert found[-1]["end"] > len(text) - len(text) // 1_000


def test_a_stream_without_end(tagger, monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 4)
    read = []

    def texts():
        while True:
            read.append(TEXTS[len(read) % len(TEXTS)])
            yield read[-1]

    found = list(islice(tagger.stream(texts()), 7))
    assert len(read) <= 12
    for text, entities in zip(read, found, strict=False):
        assert_same(entities, tagger.predict(text))


def test_annotate_replaces_spans_and_keeps_the_rest(tagger, tiny_sentences):
    given = [
        Sentence(("Euler", "left", "Basel"), (Span(0, 3, "OLD"),), meta={"id": 7}),
        Sentence(()),
        *tiny_sentences,
    ]
    found = list(tagger.annotate(iter(given)))
    assert [sentence.words for sentence in found] == [sentence.words for sentence in given]
    assert found[0].meta == {"id": 7}
    assert all(sentence.complete and sentence.problem() is None for sentence in found)
    spans = [span for sentence in found for span in sentence.spans]
    assert {span.source for span in spans} == {"model"}
    assert {span.label for span in spans} <= {"LOC", "PER"}


def test_a_threshold_leaves_out_what_is_less_probable(make_tagger, tiny_sentences):
    texts = [" ".join(sentence.words) for sentence in tiny_sentences]
    everything = make_tagger("transformer", "linear").predict(texts)
    scores = sorted(entity["score"] for found in everything for entity in found)
    middle = (scores[len(scores) // 2] + scores[len(scores) // 2 + 1]) / 2
    expected = [[entity for entity in found if entity["score"] >= middle] for found in everything]
    assert make_tagger("transformer", "linear", threshold=middle).predict(texts) == expected


def test_decoding_is_the_models_own(make_tagger, tiny_sentences):
    taggers = [make_tagger("transformer", "concat", decode=d) for d in ("flat", "nested", "all")]
    flat, nested, everything = ([s.spans for s in tagger.annotate(tiny_sentences)] for tagger in taggers)
    texts = [" ".join(sentence.words) for sentence in tiny_sentences]
    counts = [sum(map(len, tagger.predict(texts))) for tagger in taggers]
    assert counts[0] < counts[1] < counts[2]
    assert everything == nested  # a sentence cannot hold spans that cross
    for spans in flat:
        assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(Sentence(s.words, spans).problem() is None for s, spans in zip(tiny_sentences, nested, strict=True))


def test_predicting_leaves_the_mode_and_the_random_numbers_alone(tagger):
    state = torch.get_rng_state()
    tagger.train()
    first, second = tagger.predict(TEXTS[0]), tagger.predict(TEXTS[0])
    assert tagger.training
    tagger.eval()
    tagger.predict(TEXTS[0])
    assert not tagger.training
    assert first == second
    assert torch.equal(torch.get_rng_state(), state)


def test_half_precision(make_tagger):
    tagger = make_tagger("transformer", "crf")
    tagger.precision = "bf16"
    assert all(0 < entity["score"] <= 1 for entity in tagger.predict(TEXTS[0]))


def test_device(tagger):
    assert tagger.device == torch.device("cpu")
