import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.data import tags
from gleanner.evaluation.spans import SpanArrays
from gleanner.model.decode import accept, join
from gleanner.model.units import TokenUnits

LABELS = ("O", "A", "B")
SPAN = st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(1, 4), st.integers(1, 2), st.integers(0, 4))


def arrays(rows):
    columns = np.array(rows, np.int64).reshape(-1, 4).T
    return SpanArrays(columns[0], columns[1], columns[2], columns[3])


def rows(spans):
    return list(zip(*(c.tolist() for c in (spans.sentence, spans.start, spans.end, spans.label)), strict=True))


def clash(a, b, decoding):
    """Whether two spans may not stand together: by the sets of their words."""
    one, two = set(range(a[1], a[2])), set(range(b[1], b[2]))
    if decoding == "all" or a[0] != b[0] or not one & two:
        return False
    return decoding == "flat" or not (one <= two or two <= one)


@pytest.mark.parametrize("decoding", ["flat", "nested", "all"])
@settings(deadline=None)
@given(drawn=st.lists(SPAN, max_size=14, unique_by=lambda span: span[:3]))
def test_accept_is_greedy(decoding, drawn):
    spans = [(sentence, start, start + width, label) for sentence, start, width, label, _ in drawn]
    scores = dict(zip(spans, (np.float32(span[4] / 4) for span in drawn), strict=True))
    kept = []
    for span in sorted(spans, key=lambda span: (-scores[span], span)):
        if not any(clash(span, other, decoding) for other in kept):
            kept.append(span)
    found = accept(arrays(spans), np.array([scores[span] for span in spans], np.float32), decoding)
    assert rows(found.spans) == sorted(kept)
    assert found.score.tolist() == [scores[span] for span in sorted(kept)]


def test_accept_by_hand():
    spans = [(0, 0, 2, 1), (0, 1, 3, 1), (0, 2, 3, 2)]
    score = np.array([0.5, 0.7, 0.9], np.float32)
    assert rows(accept(arrays(spans), score, "flat").spans) == [(0, 0, 2, 1), (0, 2, 3, 2)]
    assert rows(accept(arrays(spans), score, "nested").spans) == [(0, 1, 3, 1), (0, 2, 3, 2)]
    assert rows(accept(arrays(spans), score, "all").spans) == spans


@pytest.mark.parametrize("scheme", ["IO", "BIO", "BIOES"])
@settings(deadline=None)
@given(data=st.data())
def test_join_reads_tags_as_the_files_are_read(scheme, data):
    kind = TokenUnits(scheme)
    classes = kind.classes(LABELS)
    number = st.integers(0, len(classes) - 1)
    sentences = data.draw(st.lists(st.lists(number, max_size=8), max_size=3))
    tagged = [(k, word, tag) for k, row in enumerate(sentences) for word, tag in enumerate(row) if tag]
    sentence, word, tag = np.array(data.draw(st.permutations(tagged)), np.int64).reshape(-1, 3).T
    expected = [
        (k, span.start, span.end, LABELS.index(span.label))
        for k, row in enumerate(sentences)
        for span in tags.spans([classes[number] for number in row], scheme, strict=False)
    ]
    found = join(sentence, word, tag, np.ones(len(tag), np.float32), kind.prefixes)
    assert rows(found.spans) == expected


def test_an_entity_has_the_mean_score_of_its_words():
    # B-A I-A O B-B
    found = join(
        np.zeros(3, np.int64), np.array([0, 1, 3]), np.array([1, 2, 3]), np.array([1, 0.5, 0.25], np.float32), "BI"
    )
    assert rows(found.spans) == [(0, 0, 2, 1), (0, 3, 4, 2)]
    assert found.score.tolist() == [0.75, 0.25]


def test_nothing_found():
    nothing, no_score = np.empty(0, np.int64), np.empty(0, np.float32)
    assert len(join(nothing, nothing, nothing, no_score, "BI").spans) == 0
    assert len(accept(arrays([]), no_score, "flat").spans) == 0
