"""Tag schemes <-> spans."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.data.tags import TagError, detect, is_tag, spans, tags
from gleanner.types import Span

SCHEMES = ["IO", "BIO", "IOB1", "BIOES", "BMES"]


@st.composite
def flat(draw):
    """A sentence length and entities that do not overlap."""
    n, found, start = draw(st.integers(0, 12)), [], 0
    while start < n:
        end = draw(st.integers(start + 1, n))
        label = draw(st.sampled_from(["", "PER", "LOC", "B-2"]))
        if label:
            found.append(Span(start, end, label))
        start = end
    return n, found


@pytest.mark.parametrize("scheme", SCHEMES[1:])
@given(flat())
def test_there_and_back(scheme, drawn):
    n, found = drawn
    assert spans(tags(found, n, scheme), scheme) == found


@given(flat())
def test_io_merges_neighbours_of_one_type(drawn):
    n, found = drawn
    merged = []
    for span in found:
        if merged and (merged[-1].end, merged[-1].label) == (span.start, span.label):
            merged.append(Span(merged.pop().start, span.end, span.label))
        else:
            merged.append(span)
    assert spans(tags(found, n, "IO"), "IO") == merged


@given(st.lists(st.sampled_from(["O"] + [f"{c}-{t}" for c in "BIESLUM" for t in ("A", "B")])), st.sampled_from(SCHEMES))
def test_lenient_takes_anything_and_strict_agrees_where_it_can(sequence, scheme):
    found = spans(sequence, scheme, strict=False)
    covered = [word for span in found for word in range(span.start, span.end)]
    assert covered == [word for word, tag in enumerate(sequence) if tag != "O"]
    try:
        assert spans(sequence, scheme) == found
    except TagError as error:
        assert 0 <= error.index < len(sequence)


@given(st.lists(flat(), min_size=1), st.sampled_from(SCHEMES))
def test_what_is_detected_reads_the_same(drawn, scheme):
    sequences = [tags(found, n, scheme) for n, found in drawn]
    detected = detect(sequences)
    assert [spans(sequence, detected) for sequence in sequences] == [spans(sequence, scheme) for sequence in sequences]


@pytest.mark.parametrize(
    ("sequences", "scheme"),
    [
        (["O O"], "BIO"),
        ([], "BIO"),
        (["B-A I-A O B-A"], "BIO"),
        (["I-A I-A O I-B"], "IO"),
        (["I-A B-A O I-B"], "IOB1"),
        (["B-A O B-A I-A", "I-A O"], "BIO"),
        (["B-A E-A S-B"], "BIOES"),
        (["B-A L-A U-B"], "BIOES"),
        (["B-A M-A E-A S-B"], "BMES"),
        (["S-A S-B"], "BIOES"),
        (["B-A I-A B-A B-A", "E-A O"], "BIO"),
        (["X-A B-A I-A"], "BIO"),
    ],
)
def test_detect(sequences, scheme):
    assert detect(sequence.split() for sequence in sequences) == scheme


@pytest.mark.parametrize(
    ("sequence", "scheme", "index", "message"),
    [
        ("O I-A", "BIO", 1, "'I-A' after 'O'"),
        ("I-A", "BIO", 0, "at the beginning"),
        ("B-A I-B", "BIO", 1, "'I-B' after 'B-A'"),
        ("O B-A", "IOB1", 1, "only after an entity of the same type"),
        ("O E-A", "BIOES", 1, "begins with B or S"),
        ("B-A O", "BIOES", 1, "must end with E or S"),
        ("S-A I-A", "BIOES", 1, "begins with B or S"),
        ("O B-A", "BMES", 1, "at the end of a sentence"),
        ("B-A I-A E-A", "BMES", 1, "unknown in BMES"),
        ("B-A E-A", "BIO", 1, "unknown in BIO"),
        ("X-PER", "BIO", 0, "'X-PER' is unknown"),
        ("B", "BIO", 0, "'B' is unknown"),
        ("B-", "BIO", 0, "'B-' is unknown"),
        ("o", "BIO", 0, "'o' is unknown"),
    ],
)
def test_strict(sequence, scheme, index, message):
    with pytest.raises(TagError, match=message) as caught:
        spans(sequence.split(), scheme)
    assert caught.value.index == index


def test_an_unknown_tag_is_an_error_even_when_lenient():
    with pytest.raises(TagError, match="'X-PER'"):
        spans(["X-PER"], "BIO", strict=False)
    assert not is_tag("X-PER")


def test_lenient_repairs_as_conlls_scorer_does():
    assert spans(["I-A", "I-B", "B-B", "O", "E-A"], "BIOES", strict=False) == [
        Span(0, 1, "A"),
        Span(1, 2, "B"),
        Span(2, 3, "B"),
        Span(4, 5, "A"),
    ]


@pytest.mark.parametrize("wrong", [[Span(0, 2, "A"), Span(1, 3, "B")], [Span(2, 4, "A")]])
def test_tags_of_what_is_not_flat(wrong):
    with pytest.raises(ValueError, match="overlaps another or is out of range"):
        tags(wrong, 3, "BIO")
