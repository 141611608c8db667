import json

import numpy as np
import pytest

from gleanner.data.text import words
from gleanner.gazetteer.passage import Label, Passage
from gleanner.gazetteer.report.block import Block, count, count_sentences
from gleanner.gazetteer.report.counts import Counts
from gleanner.gazetteer.report.gold import Gold
from gleanner.gazetteer.report.sample import Sample, sentence_hash
from gleanner.gazetteer.report.summary import summarise
from gleanner.gazetteer.report.tally import Tally
from gleanner.gazetteer.report.words import count_words
from gleanner.types import Sentence


def test_what_is_counted(tallied):
    tally = tallied()
    tally.finish()
    assert (tally.sentences, tally.words) == (6, 29)
    assert tally.mentions == {"LOC": 3, "PER": 1, "DOSE": 1, "?": 2}
    assert tally.by_labels == {2: 1, 1: 3, 0: 2}
    assert tally.makers == {
        "dictionary:places.tsv": 4,
        "dictionary:people.tsv": 2,
        "dictionary:phrases.txt": 1,
        "rule:dosage": 1,
    }


def test_a_label_counts_for_its_first_term_and_the_others_are_seen(tallied):
    tally = tallied()
    types, *columns = tally.finish()
    found = {(number, types[kind]): n for number, kind, n in zip(*columns, strict=True)}
    assert found == {(0, "LOC"): 2, (1, "?"): 1, (1, "LOC"): 1, (3, "?"): 0, (4, "PER"): 1, (5, "?"): 1}


@pytest.mark.parametrize("cut", range(1, 6))
def test_blocks_add_up_to_the_whole(terms, tallied, parts, cut):
    tally = Tally(terms)
    for block in parts(cut):
        tally.add(Block.from_json(block.to_json()))
    assert summarise(tally, terms) == summarise(tallied(), terms)


def test_sources_that_were_looked_up_early_count_the_same(terms, tallied, parts, monkeypatch):
    monkeypatch.setattr("gleanner.gazetteer.report.tally._WAITING", 1)
    tally = Tally(terms)
    for block in parts(2):
        tally.add(block)
    assert summarise(tally, terms) == summarise(tallied(), terms)


def test_a_block_is_one_line_whatever_the_text():
    line = Label(0, 1, "a\nb", "rule:\ud800\u2028")
    block = count([Passage("\ud800\u2028\n x")], [[line]], Gold([Sentence(("\ud800", "x"))]))
    assert Block.from_json(block.to_json()).answers == block.answers != {}
    assert Block.from_json(block.to_json()).labels == block.labels
    assert len(block.to_json().splitlines()) == 1


def test_sentences_count_like_the_passages_that_they_are(tallied, terms, sentences):
    tally = Tally(terms)
    tally.add(count_sentences(passage.sentence(labels) for passage, labels in sentences))
    assert summarise(tally, terms) == summarise(tallied(), terms)


def test_labels_that_say_nothing_of_their_source_are_counted(terms):
    tally = Tally(terms)
    tally.add(count([Passage("Bath")], [[Label(0, 4, "LOC", "")]]))
    tally.finish()
    assert (tally.makers, tally.mentions) == ({"(not said)": 1}, {"LOC": 1})


def test_words_that_are_given_are_counted_as_they_are():
    assert count([Passage("to-day", ((0, 6),)), Passage("to-day")], [[], []]).words == 1 + 3


@pytest.mark.parametrize(
    "text",
    ["Newton's prism", "O’Brien paid $1,000.5!", "北京は東京", "naïve café (x²)", "a\u0301b ก็", "", "😀 ok"],
)
def test_words_are_counted_as_they_would_be_cut(text):
    expected = len(words(text.replace("O’", "O")))
    assert count_words([text.replace("O’", "O")]) == expected


def test_counts_survive_many_additions():
    counts, expected = Counts(), {}
    for step in range(40):
        keys = [(step * 7919 + k * k) % 5000 for k in range(4000)]
        counts.add(keys, [1] * len(keys))
        for key in keys:
            expected[key] = expected.get(key, 0) + 1
    assert dict(zip(counts.keys.tolist(), counts.values.tolist(), strict=True)) == expected
    assert np.all(np.diff(counts.keys) > 0)


def test_a_sample_is_the_same_in_any_order_and_has_a_sentence_once():
    texts = [f"{name} wrote" for name in ("Ada", "Emmy", "Mary", "Sofia", "Hypatia", "Lise")]

    def sample(order):
        made = Sample(3)
        for text in order:
            for _ in range(2):
                made.offer("PER", text, 0, text.index(" "), "s", sentence_hash(text))
        return made

    one, other = sample(texts), sample(texts[::-1])
    assert one.of("PER") == other.of("PER")
    assert len({example.text for example in one.of("PER")}) == 3
    joined = sample(texts[:2])
    joined.join(Sample.from_dict(json.loads(json.dumps(sample(texts[2:]).to_dict()))))
    assert joined.of("PER") == one.of("PER")


def test_a_long_sentence_is_cut_round_its_mention():
    text = "x " * 500 + "Ada" + " y" * 500
    sample = Sample(1)
    sample.offer("PER", text, 1000, 1003, "s", sentence_hash(text))
    (example,) = sample.of("PER")
    assert example.text[example.start : example.end] == "Ada"
    assert len(example.text) < 200
