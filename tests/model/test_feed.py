import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.model.examples import encode
from gleanner.model.feed import BUCKET, Feed
from gleanner.model.units import SpanUnits, TokenUnits
from gleanner.model.vocabulary import Ragged
from gleanner.types import Sentence, Span


class Spelling:
    """An encoder whose pieces are characters, four a word at most."""

    size, window = 1, 16

    def table(self, words):
        return Ragged.of([[ord(character) for character in word[:4]] for word in words])

    def costs(self, table):
        return table.lengths

    def collate(self, table, words, lengths):
        return {"words": torch.from_numpy(words), "lengths": torch.from_numpy(lengths)}


def feed_of(lengths, kind=None):
    sentences = [Sentence(tuple("ab" if word % 3 else "c" for word in range(length))) for length in lengths]
    return Feed(encode(sentences), Spelling(), kind or TokenUnits("BIO"))


LENGTHS = st.lists(st.integers(0, 40), min_size=1, max_size=30)


@settings(deadline=None)
@given(LENGTHS, st.integers(1, 7), st.integers(0, 5))
def test_an_epoch_has_every_window_once(lengths, size, seed):
    feed = feed_of(lengths)
    batches = feed.shuffled(size, (seed, 0))
    assert sorted(row for rows in batches for row in rows.tolist()) == list(range(len(feed.windows)))
    assert len(batches) == -(-len(feed.windows) // size)
    assert all(0 < len(rows) <= size for rows in batches)


@settings(deadline=None)
@given(LENGTHS, st.integers(1, 100))
def test_by_length_has_every_window_once_within_the_budget(lengths, pieces):
    feed = feed_of(lengths)
    batches = list(feed.by_length(pieces))
    assert sorted(row for rows in batches for row in rows.tolist()) == list(range(len(feed.windows)))
    for rows in batches:
        assert len(rows) == 1 or len(rows) * feed.windows.cost[rows].max() <= pieces


def test_the_order_is_a_function_of_the_seed():
    lengths = [1 + k % 9 for k in range(200)]
    first, again, other, next_epoch = (
        [rows.tolist() for rows in feed_of(lengths).shuffled(8, seed)] for seed in [(0, 0), (0, 0), (1, 0), (0, 1)]
    )
    torch.manual_seed(3)
    np.random.seed(3)
    assert first == again == [rows.tolist() for rows in feed_of(lengths).shuffled(8, (0, 0))]
    assert first != other
    assert first != next_epoch


def test_little_is_padded():
    lengths = np.random.default_rng(0).geometric(0.08, 4 * 16 * BUCKET).clip(max=10)
    feed = feed_of(lengths.tolist())
    cost = feed.windows.cost
    for batches in (feed.shuffled(16, (0, 0)), list(feed.by_length(256))):
        room = sum(len(rows) * int(cost[rows].max()) for rows in batches)
        assert 1 - cost.sum() / room < 0.05


def test_batches_are_neither_sorted_nor_always_the_same():
    feed = feed_of([1 + k % 9 for k in range(400)])
    means = [feed.windows.cost[rows].mean() for rows in feed.shuffled(4, (0, 0))]
    assert means != sorted(means)
    members = [{frozenset(rows.tolist()) for rows in feed.shuffled(4, (0, epoch))} for epoch in range(2)]
    assert len(members[0] & members[1]) < len(members[0]) / 4


def test_a_batch_has_the_words_and_spans_of_its_windows():
    sentences = (
        Sentence(("x",) * 30, (Span(2, 4, "A"), Span(20, 21, "B"))),
        Sentence(("y", "z"), (Span(0, 2, "B"),), complete=True),
    )
    feed = Feed(encode(sentences), Spelling(), SpanUnits(2))
    batch = feed.batch(np.array([len(feed.windows) - 1, 0]))
    assert batch.inputs["words"].tolist() == [1, 2] + [0] * int(feed.windows.length[0])
    found = [
        (int(row), int(start), int(end), int(label))
        for row, start, end, label in zip(
            batch.units.row, batch.units.start, batch.units.end, batch.targets.label, strict=True
        )
        if label
    ]
    assert found == [(0, 0, 1, 2), (1, 4, 5, 1)]


@settings(deadline=None, max_examples=50)
@given(st.integers(17, 90), st.data())
def test_each_annotation_is_seen_in_one_window(length, data):
    """A span that is not wider than the context is a unit of exactly one window."""
    start = data.draw(st.integers(0, length - 1))
    end = data.draw(st.integers(start + 1, min(start + 4, length)))
    feed = Feed(encode([Sentence(("x",) * length, (Span(start, end, "A"),))]), Spelling(), SpanUnits(4))
    assert len(feed.windows) > 1
    batch = feed.batch(np.arange(len(feed.windows)))
    assert int((batch.targets.label == 1).sum()) == 1


def wordy(lengths, words):
    """Sentences of those lengths, of words from a list in turn, encoded."""
    return encode([Sentence(tuple(words[k % len(words)] for k in range(length))) for length in lengths])


@settings(deadline=None)
@given(LENGTHS, st.lists(st.integers(1, 4), min_size=1, max_size=5))
def test_a_twin_never_overflows_the_window(lengths, costs):
    """Its words may take more pieces than those of the original, or fewer."""
    examples, twin = wordy(lengths, ["ab", "c"]), wordy(lengths, ["x" * cost for cost in costs])
    feed = Feed(examples, Spelling(), SpanUnits(2), twin)
    owned = 0
    for rows in feed.by_length(32):
        batch = feed.batch(rows)
        assert len(batch.twin["words"]) == len(batch.inputs["words"])
        assert batch.twin["lengths"].tolist() == batch.inputs["lengths"].tolist()
        owned += int(batch.units.owned.sum())
        row = np.repeat(np.arange(len(rows)), batch.twin["lengths"])
        for table, inputs in zip((feed.table, feed.twin_table), (batch.inputs, batch.twin), strict=True):
            pieces = np.bincount(row, table.lengths[inputs["words"].numpy()], len(rows))
            assert pieces.max() <= Spelling.window
    assert owned == sum(lengths)


def test_a_twin_has_the_words_of_the_same_places():
    examples, twin = wordy([3, 2], ["a", "b", "c"]), wordy([3, 2], ["x", "y", "z"])
    batch = Feed(examples, Spelling(), TokenUnits("IO"), twin).batch(np.array([1, 0]))
    assert [twin.vocabulary.words[k] for k in batch.twin["words"]] == ["x", "y", "x", "y", "z"]


def test_targets_of_all_units_stand_in_their_places():
    sentences = (
        Sentence(("x",) * 30, (Span(2, 4, "A"), Span(20, 21, "?"))),
        Sentence(("y", "z"), (Span(0, 2, "A"),), complete=True),
    )
    feed = Feed(encode(sentences), Spelling(), SpanUnits(2))
    targets = feed.targets()
    assert targets.label.nonzero().flatten().tolist() == [2 * 2 + 1, 30 * 2 + 1]
    assert targets.weight[20 * 2] == 0
    assert (targets.weight == 0).nonzero().flatten().tolist() == [20 * 2, 29 * 2 + 1, 31 * 2 + 1]  # the last: no units
    assert targets.known.nonzero().flatten().tolist() == [2 * 2 + 1, *range(30 * 2, 31 * 2 + 1)]


def test_the_same_device_copies_nothing():
    batch = feed_of([3]).batch(np.array([0]))
    assert batch.to(torch.device("cpu")) is batch
    moved = batch.to(torch.device("meta"))
    assert {tensor.device.type for tensor in (*moved.units, *moved.targets[:3], *moved.inputs.values())} == {"meta"}


@pytest.mark.parametrize("kind", [TokenUnits("BIO"), SpanUnits(3)])
def test_sentences_without_words_have_no_batches(kind):
    feed = feed_of([0, 0], kind)
    assert feed.shuffled(4, (0, 0)) == []
    assert list(feed.by_length(16)) == []


@pytest.mark.parametrize("kind", [TokenUnits("BIO"), TokenUnits("BIOES"), SpanUnits(3)], ids=["BIO", "BIOES", "spans"])
def test_the_whole_is_what_the_windows_say_together(kind):
    """Long sentences are cut, here within entities."""
    sentences = [
        Sentence(("ab",) * length, tuple(span for span in spans if span.end <= length), complete=length == 5)
        for length in (3, 0, 40, 5, 25)
        for spans in [(Span(0, 2, "A"), Span(2, 3, "?"), Span(4, 20, "B"), Span(5, 7, "A"), Span(21, 22, "O"))]
    ]
    feed = Feed(encode(sentences), Spelling(), kind)
    assert len(feed.windows) > len(sentences)
    units, targets = feed.whole()
    assert units.owned.tolist() == [3, 0, 40, 5, 25]
    assert units.place.tolist() == sorted(units.place.tolist())
    row_of = dict(
        zip(units.place.tolist(), zip(*(column.tolist() for column in targets[:3]), strict=True), strict=True)
    )
    by_window = {}
    for k in range(len(feed.windows)):
        batch = feed.batch(np.array([k]))
        columns = (column.tolist() for column in (batch.units.place, *batch.targets[:3]))
        by_window |= {place: tuple(row) for place, *row in zip(*columns, strict=True)}
    assert by_window.items() <= row_of.items()  # a window may end before the widest spans do
    if isinstance(kind, TokenUnits):
        assert by_window == row_of
        assert units.row.tolist() == np.repeat(np.arange(5), feed.examples.lengths).tolist()
