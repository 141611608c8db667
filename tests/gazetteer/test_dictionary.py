import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.dictionary import Dictionary, Entry


@pytest.fixture
def written(tmp_path):
    def write(content):
        path = tmp_path / "names.tsv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_every_line_is_an_entry_with_its_number(written):
    dictionary = Dictionary.read(written("PER\tAda Lovelace\n\nLOC\tNewton Abbot\n"))
    assert dictionary.name == "names.tsv"
    assert dictionary.terms == {"Ada Lovelace": (Entry("PER", 1),), "Newton Abbot": (Entry("LOC", 3),)}
    assert dictionary.ambiguous == ()


def test_a_term_of_two_types_keeps_both_and_is_ambiguous(written):
    dictionary = Dictionary.read(written("PER\tLincoln\nLOC\tBath\nLOC\tLincoln\nPER\tLincoln\n"))
    assert dictionary.terms["Lincoln"] == (Entry("PER", 1), Entry("LOC", 3))
    assert dictionary.ambiguous == ("Lincoln",)


def test_byte_order_mark_windows_line_ends_and_loose_spaces(written):
    dictionary = Dictionary.read(written(b"\xef\xbb\xbfPER\tAda  Lovelace \r\n LOC \tK\xc3\xb6ln\r\n"))
    assert dictionary.terms == {"Ada Lovelace": (Entry("PER", 1),), "Köln": (Entry("LOC", 2),)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("PER\tAda\nLincoln\n", ":2: 'Lincoln' has one column; write type<TAB>term"),
        ("PER\tAda\t7\n", ":1: 'PER\\tAda\\t7' has 3 columns; write type<TAB>term"),
        ("PER\t \n", ":1: 'PER\\t ' has an empty term; fill it in, or delete the line"),
        ("\tAda\n", ":1: '\\tAda' has an empty type; fill it in, or delete the line"),
        ("\n\n", ": no term in it; write one a line, as type<TAB>term"),
        ("", ": no term in it; write one a line, as type<TAB>term"),
        (b"PER\tAda\nLOC\tK\xf6ln\n", ":2: byte 0xf6 is not UTF-8; convert the file, for instance with iconv -t UTF-8"),
    ],
)
def test_errors_name_the_file_and_the_line(written, content, message):
    path = written(content)
    with pytest.raises(InputError) as caught:
        Dictionary.read(path)
    assert str(caught.value) == f"{path}{message}"


def test_a_missing_file(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        Dictionary.read(tmp_path / "none.tsv")
