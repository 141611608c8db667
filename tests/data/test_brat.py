from collections import Counter

import pytest

from gleanner.data import brat
from gleanner.data.files import ReadOptions
from gleanner.errors import InputError
from gleanner.types import Sentence, Span


@pytest.fixture
def read(tmp_path):
    def read(annotations, text="Ada Lovelace\r\nwrote it.", complete=None):
        folder = tmp_path / "in"
        folder.mkdir(exist_ok=True)
        (folder / "d.txt").write_bytes(text.encode())
        (folder / "d.ann").write_text(annotations)
        (sentence,) = brat.read(folder, ReadOptions(complete=complete))
        return sentence

    return read


def test_a_document(read):
    sentence = read("T1\tPER 0 12\tAda Lovelace\n")
    assert sentence.words == ("Ada", "Lovelace", "wrote", "it", ".")
    assert sentence.spans == (Span(0, 2, "PER"),)
    assert sentence.text == "Ada Lovelace\r\nwrote it."
    assert (sentence.meta, sentence.complete) == ({"id": "d"}, False)


def test_the_option_says_what_silence_means(read):
    assert read("", complete=True).complete


def test_a_byte_order_mark_is_a_character_and_no_word(read):
    sentence = read("T1\tPER 1 4\tAda\n", text="\ufeffAda wrote")
    assert (sentence.words, sentence.spans) == (("Ada", "wrote"), (Span(0, 1, "PER"),))


def test_fragments_with_only_white_space_between_them_are_one_entity(read):
    assert read("T1\tX 4 12;14 19\tLovelace wrote\n").spans == (Span(1, 3, "X"),)


def test_discontinuous_entities_and_other_lines_are_kept_aside_and_counted(read, tmp_path):
    others = ["T2\tX 0 3;14 19\tAda wrote", "R1\tKnows Arg1:T1 Arg2:T2", "#1\tAnnotatorNotes T1\tsure?"]
    sentence = read("T1\tPER 0 12\tAda Lovelace\n" + "\n".join(others))
    assert sentence.spans == (Span(0, 2, "PER"),)
    assert sentence.meta["brat"] == others
    dropped = Counter()
    brat.write([sentence], tmp_path / "out", dropped)
    assert dropped == {"discontinuous entities, relations, events, attributes and notes": 3}


def test_writing_gives_the_same_files(read, tmp_path):
    sentence = read("T1\tX 4 12;14 19\tLovelace wrote\nT2\tY 4 12\tLovelace\n")
    dropped = Counter()
    brat.write([sentence], tmp_path / "out", dropped)
    for name in ("d.txt", "d.ann"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "in" / name).read_bytes()
    assert list(brat.read(tmp_path / "out" / "d.ann", ReadOptions())) == [sentence]
    assert not dropped


def test_losses_are_counted(tmp_path):
    dropped = Counter()
    sentence = Sentence(("a", "b"), (Span(0, 1, "X", "me"), Span(1, 2, "O")), True, meta={"id": 1, "year": 1843})
    brat.write([sentence], tmp_path / "out", dropped)
    assert dropped == {
        "explicit negatives": 1,
        "sources of labels": 1,
        "completeness of sentences": 1,
        "metadata of sentences": 1,
    }


def test_names_stay_in_the_folder_and_apart(tmp_path):
    ids = ["../../etc/x", "a b", "A B", "", None, "é" * 300, "..", "/"]
    brat.write([Sentence(("a",), meta={"id": id_}) for id_ in ids], tmp_path / "out", Counter())
    names = sorted(path.name for path in (tmp_path / "out").glob("*.ann"))
    assert names == sorted(
        ["_.._etc_x.ann", "a_b.ann", "A_B-2.ann", "4.ann", "5.ann", "é" * 60 + ".ann", "7.ann", "_.ann"]
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


@pytest.mark.parametrize(
    ("line", "phrase"),
    [
        ("T2 PER 0 3 Ada", "is no entity"),
        ("T2\tPER 0 x\tAda", "is no entity"),
        ("T2\tPER 0 3\tBob", "characters \\[0, 3\\) are 'Ada', not 'Bob'"),
        ("T2\tPER 0 2\tAd", "cuts the word 'Ada'"),
        ("T2\tPER 0 99", "out of range"),
        ("T2\tPER 3 0", "reversed"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(read, line, phrase):
    with pytest.raises(InputError, match=phrase) as error:
        read("T1\tX 14 19\twrote\n" + line)
    assert error.value.line == 2


def test_two_labels_of_one_span_are_an_error(read):
    with pytest.raises(InputError, match=r"d\.ann: span .* is labelled twice"):
        read("T1\tX 0 3\tAda\nT2\tY 0 3\tAda\n")


def test_a_missing_or_broken_text_is_said(tmp_path):
    (tmp_path / "a.ann").write_text("")
    with pytest.raises(InputError, match=r"a\.txt: no such file"):
        list(brat.read(tmp_path, ReadOptions()))
    (tmp_path / "a.txt").write_bytes(b"ok\n\xff")
    with pytest.raises(InputError, match=r"a\.txt:2: byte 0xff is not UTF-8"):
        list(brat.read(tmp_path, ReadOptions()))


def test_what_brat_cannot_write_is_said_and_nothing_is_left(tmp_path):
    with pytest.raises(InputError, match="name the folder, such as a"):
        brat.write([], tmp_path / "a.ann", Counter())
    with pytest.raises(InputError, match="no types with white space such as 'A B'"):
        brat.write([Sentence(("a",), (Span(0, 1, "A B"),))], tmp_path / "out", Counter())
    assert list(tmp_path.iterdir()) == []


def test_numbered_documents_are_read_in_the_order_in_which_they_were_written(tmp_path):
    sentences = [Sentence((f"word{number}",)) for number in range(1, 13)]
    brat.write(sentences, tmp_path / "out", Counter())
    again = brat.read(tmp_path / "out", ReadOptions())
    assert [sentence.words for sentence in again] == [sentence.words for sentence in sentences]
