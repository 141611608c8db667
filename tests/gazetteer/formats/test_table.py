import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.files import read_terms
from gleanner.gazetteer.term import Term


def test_all_columns(written):
    name = written(
        "a.csv",
        "id,term,comment,type,aliases,weight,case\n"
        'D1,aspirin,"old, and good",Chemical,ASA|aspirin|2;3,0.5,acronym\n'
        "\n"
        "D2, Lincoln ,,PER;LOC,,,\n",
    )
    assert list(read_terms(name)) == [
        Term("aspirin", ("Chemical",), 2, "D1", 0.5, "acronym"),
        Term("ASA", ("Chemical",), 2, "D1", 0.5, "acronym"),
        Term("2;3", ("Chemical",), 2, "D1", 0.5, "acronym"),
        Term("Lincoln", ("PER", "LOC"), 4, "D2"),
    ]


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("header", ["term,type", "Label,NAME", "Synonyms,text,types"])
def test_delimiters_and_names_of_columns(written, delimiter, header):
    row = {"term": "a,PER", "Label": "PER,a", "Synonyms": ",a,PER"}[header.partition(",")[0]]
    content = f"{header}\r\n{row}\r\n".replace(",", delimiter)
    assert list(read_terms(written("a.csv", b"\xef\xbb\xbf" + content.encode()))) == [Term("a", ("PER",), 2)]


def test_quotes_and_line_feeds_inside_them(written):
    name = written("a.csv", 'term,type\r\n"say ""hi"", now",X\r\n"two\r\nlines",X\r\n"",\r\nlast,X')
    assert list(read_terms(name)) == [
        Term('say "hi", now', ("X",), 2),
        Term("two lines", ("X",), 3),
        Term("last", ("X",), 6),
    ]


def test_columns_by_name(written):
    name = written("a.csv", "Drug name,Class,type\naspirin,NSAID,x\n")
    assert list(read_terms(f"{name}:term-column=Drug name,type-column=Class")) == [Term("aspirin", ("NSAID",), 2)]


def test_the_type_of_the_file_is_for_rows_without_one(written):
    name = written("a.csv", "term,type\naspirin,\nAda,PER\nsum,?\n")
    assert [term.types for term in read_terms(f"{name}:Chemical")] == [("Chemical",), ("PER",), ()]
    assert [term.types for term in read_terms(written("b.csv", "name\nAda\n") + ":PER")] == [("PER",)]


def test_a_query_of_wikidata_saved_as_csv(written):
    name = written(
        "query.csv", 'item,itemLabel,itemAltLabel\nhttp://www.wikidata.org/entity/Q18216,aspirin,"ASA, aspro"\n'
    )
    terms = list(read_terms(f"{name}:Chemical"))
    assert [(term.text, term.id) for term in terms] == [("aspirin", "Q18216"), ("ASA", "Q18216"), ("aspro", "Q18216")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("drug,type\na,b\n", ":1: no column for the term among 'drug, type'; call it 'term', or say which it is"),
        ("term,kind\na,b\n", ":1: no column for the type among 'term, kind'; call it 'type', or say which it is"),
        ("term,type,term\na,b,c\n", ":1: two columns are called 'term'; rename one of them"),
        ("term,type\n\na,X\n ,X\n", ":4: an empty term; fill it in"),
        (
            "term,type\na,\n",
            ":2: 'a' has no type; write one beside it, ? for none, or one for the whole file: a.csv:TYPE",
        ),
        ("term,type\n2,4-D,Chemical\n", ":2: 3 cells for 2 columns in ['2', '4-D', 'Chemical']; quote the cell"),
        ("term,type,weight\na,X,1\nb,X,much\n", ":3: the weight 'much' is no number from 0 up"),
        ("term,type,case\na,X,upper\n", ":2: there is no case rule 'upper'; choose one of exact, ignore, acronym"),
        ("term,type\n" + "a" * 10_000 + ",X\n", ":2: the term 'aaa"),
        ("term,type,aliases\na,X," + "a" * 1001 + "\n", ":2: the alias 'aaa"),
        ('term,type\na,X\n"b,X\nc,X\n', ":3: malformed row: unexpected end of data; end what a quote begins"),
        ('term,type\na,X\n"b" c,X\n', ":3: malformed row: ',' expected after"),
        ("term,type\n" + "a" * 200_000 + ",X\n", ":2: malformed row: field larger than field limit"),
    ],
)
def test_what_is_wrong(written, content, message):
    with pytest.raises(InputError) as caught:
        list(read_terms(written("a.csv", content)))
    assert str(caught.value).startswith(f"a.csv{message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("field", ["term", "type", "id", "aliases", "weight", "case"])
def test_a_column_that_was_named_and_is_not_there(written, field):
    name = written("a.csv", "term,type\na,X\n")
    with pytest.raises(InputError, match=f"a.csv:1: no column 'Nom' among 'term, type'; .* with {field}-column=NAME"):
        list(read_terms(f"{name}:{field}-column=Nom"))


def test_trailing_cells_may_be_left_out_or_empty(written):
    name = written("a.csv", "term,type,id\na,X\nb,X,7,,\n")
    assert [(term.text, term.id) for term in read_terms(name)] == [("a", ""), ("b", "7")]
