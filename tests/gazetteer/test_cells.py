import pytest

from gleanner.gazetteer.cells import case_of, clean, types_in, types_of, weight_of
from gleanner.gazetteer.term import CASES, LONGEST


def test_the_longest_term():
    assert len(clean(" " * 500 + "a" * LONGEST)) == LONGEST
    with pytest.raises(
        ValueError, match=r"the term 'aaa.*… has 10,000 characters; the longest may have 1,000$"
    ) as caught:
        clean("a" * 10_000)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize("text", ["", " ", "\t\u00a0\u3000"])
def test_an_empty_term(text):
    with pytest.raises(ValueError, match="an empty term; fill it in, or delete the line"):
        clean(text)


def test_a_null_byte_that_an_escape_made():
    with pytest.raises(ValueError, match="a null byte in the alias"):
        clean("a\0b", "alias")


def test_types():
    assert types_in("PER | LOC|PER") == ("PER", "LOC")
    assert types_in("PER;LOC") == ("PER", "LOC")
    assert types_in("?") == ()
    with pytest.raises(ValueError, match=r"the type '\?' beside others"):
        types_in("PER|?")
    for empty in ((), (" ",), ("PER", "")):
        with pytest.raises(ValueError, match="an empty type"):
            types_of(empty)
    assert types_in("PER") is types_in("PER")


@pytest.mark.parametrize("weight", ["0", "1.5", " 2e3 ", 0, 3, 0.25])
def test_weights(weight):
    assert weight_of(weight) == float(weight)


@pytest.mark.parametrize("weight", ["much", "0,5", "-1", "nan", "inf", -0.5, True, None, [], 10**400])
def test_what_is_no_weight(weight):
    with pytest.raises(ValueError, match=r"is no number from 0 up; write one such as 0.5, or none"):
        weight_of(weight)


def test_case_rules():
    assert [case_of(case) for case in CASES] == ["exact", "ignore", "acronym"]
    for wrong in ("Exact", "", None, ["exact"]):
        with pytest.raises(ValueError, match=r"there is no case rule .*; choose one of exact, ignore, acronym"):
            case_of(wrong)
