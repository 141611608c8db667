"""The formats that are a term a line: tsv and list."""

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.files import read_terms
from gleanner.gazetteer.term import Term


def test_types_and_terms(written):
    name = written(
        "a.tsv", b'\xef\xbb\xbfPER\tAda  Lovelace \r\n\r\n LOC \tK\xc3\xb6ln\r\nPER\t"Al" Capone\n?\tthe sum\nLOC\tBath'
    )
    assert list(read_terms(name)) == [
        Term("Ada Lovelace", ("PER",), 1),
        Term("Köln", ("LOC",), 3),
        Term('"Al" Capone', ("PER",), 4),
        Term("the sum", (), 5),
        Term("Bath", ("LOC",), 6),
    ]
    assert {term.case for term in read_terms("a.tsv:case=ignore")} == {"ignore"}


def test_utf_16_as_excel_saves_unicode_text(written):
    assert list(read_terms(written("a.tsv", "PER\tAda\r\nLOC\tŁódź\r\n".encode("utf-16"))))[1].text == "Łódź"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("PER\tAda\nLincoln\n", ":2: 'Lincoln' has one column; write type<TAB>term"),
        ("PER\tAda\nPER\tLin\tcoln\n", r":2: 'PER\tLin\tcoln' has 3 columns; write type<TAB>term"),
        ("PER\tAda\nPER\t \n", ":2: an empty term; fill it in, or delete the line"),
        ("\tAda\n", ":1: an empty type; fill it in, or delete the line"),
        ("PER\tAda\nPER\t" + "a" * 10_000, ":2: the term 'aaa"),
        ("P" * 1001 + "\tAda", ":1: the type 'PPP"),
    ],
)
def test_lines_that_are_wrong(written, content, message):
    name = written("a.tsv", content)
    with pytest.raises(InputError) as caught:
        list(read_terms(name))
    assert str(caught.value).startswith(f"{name}{message}")
    assert "\n" not in str(caught.value)


def test_a_list_is_of_the_type_that_is_said_or_of_its_name(written):
    name = written("Chemical.txt", "aspirin\r\n\n  vitamin  C \n#metoo\n")
    terms = [("aspirin", 1), ("vitamin C", 3), ("#metoo", 4)]
    assert list(read_terms(name)) == [Term(text, ("Chemical",), line) for text, line in terms]
    assert list(read_terms(f"{name}:Drug|Food")) == [Term(text, ("Drug", "Food"), line) for text, line in terms]
    assert list(read_terms(f"{name}:?,case=acronym")) == [
        Term(*term[:1], (), term[1], case="acronym") for term in terms
    ]


def test_a_list_that_is_packed_is_named_without_the_ending(written):
    import gzip

    assert list(read_terms(written("Chemical.txt.gz", gzip.compress(b"aspirin")))) == [
        Term("aspirin", ("Chemical",), 1)
    ]


def test_a_term_of_a_list_that_is_too_long(written):
    with pytest.raises(InputError, match=r"a\.txt:2: the term 'b+… has 1,001 characters"):
        list(read_terms(written("a.txt", "a\n" + "b" * 1001)))
