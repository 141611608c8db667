import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanner.gazetteer.origin import Origin, alternatives, origins, source

text = st.text(st.sampled_from("ab:|\\ 7\n東"), min_size=1, max_size=8)
terms = st.builds(Origin, st.just("dictionary"), text, st.integers(0, 99), text | st.just(""))
rules = st.builds(Origin, st.sampled_from(["rule", "candidates"]), text)


@given(st.lists(terms | rules, min_size=1, max_size=4, unique=True), st.lists(text, max_size=3))
def test_whatever_stands_in_them_is_read_back(given, types):
    written = source(given, types)
    assert origins(written) == tuple(given)
    assert alternatives(written) == tuple(types)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("", ()),
        ("hand", (Origin("hand"),)),
        ("a|b", (Origin("a|b"),)),
        ("model:large:3", (Origin("model:large:3"),)),
        ("dictionary", (Origin("dictionary"),)),
        ("dictionary:names.tsv:17", (Origin("dictionary", "names.tsv", 17),)),
        ("dictionary:names.tsv:x", (Origin("dictionary", "names.tsv:x"),)),
        ("ends with \\", (Origin("ends with \\"),)),
    ],
)
def test_what_others_wrote(written, expected):
    assert origins(written) == expected
    assert alternatives(written) == ()


def test_the_same_origin_counts_once():
    one = Origin("dictionary", "C:\\terms.csv", 2, "a: b")
    assert source([one, str(one)]) == "dictionary:C\\:\\\\terms.csv:2:a: b"
