"""Words and sentences of raw text, and the format "text"."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanner.data import windows
from gleanner.data.files import ReadOptions
from gleanner.data.text import read, sentences, words, write
from gleanner.types import Sentence, Span

ANYTHING = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
TROUBLE = st.text(
    st.sampled_from(
        [*"aZJ1.,'’n\"t s)!?。！」漢か\n\r\t\u3000-_", "\u0301", "\u200d", "\ufe0f", "😀", "𝒜", "\U0001e8d0"]
    ),
    max_size=40,
)
PIECES = st.lists(
    st.sampled_from(
        [
            "J. ",
            "Dr. ",
            "The ",
            "U.S. ",
            "don't ",
            "Newton's ",
            "1,000.5",
            "\n",
            "\r\n",
            "\n\n",
            "東京。",
            '." ',
            "end. ",
            "x" * 50,
        ]
    ),
    max_size=25,
).map("".join)


def cut(text):
    return [word for word, _, _ in words(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Newton's laws", "Newton|'s|laws"),
        ("Newton’s laws", "Newton|’s|laws"),
        ("Newton 's laws", "Newton|'s|laws"),
        ("the dogs' bowls", "the|dogs|'|bowls"),
        ("I'd say we're, you'll, they've, I'm", "I|'d|say|we|'re|,|you|'ll|,|they|'ve|,|I|'m"),
        ("I'd've", "I|'d|'ve"),
        ("don't CAN'T n't", "do|n't|CA|N'T|n't"),
        ("O'Brien's d'Alembert l’Hôpital Ma'mun", "O'Brien|'s|d'Alembert|l’Hôpital|Ma'mun"),
        ("the letter 's'", "the|letter|'|s|'"),
        ("J. J. Thomson, J.J. Thomson, J.-B. Lamarck", "J.|J.|Thomson|,|J.J.|Thomson|,|J.|-|B.|Lamarck"),
        ("the U.S. and a Ph.D. e.g. P.O.P", "the|U.S.|and|a|Ph.D.|e.g.|P.O.P"),
        ("the U.S.-based", "the|U.S.|-|based"),
        ("hepatitis B.", "hepatitis|B|."),
        ("hepatitis B. The liver", "hepatitis|B|.|The|liver"),
        ("Hepatitis B.\nLiver", "Hepatitis|B|.|Liver"),
        ("Dr. Who.", "Dr|.|Who|."),
        ("it.It is", "it|.|It|is"),
        ("$1,000.5, 10,000. 3rd B12 1.5kg", "$|1,000.5|,|10,000|.|3rd|B12|1.5kg"),
        ("non-small-cell", "non|-|small|-|cell"),
        ("snake_case", "snake|_|case"),
        ("wait...", "wait|.|.|."),
        ("東京タワーtower2本", "東|京|タ|ワ|ー|tower2|本"),
        ("हिन्दी शब्द", "हिन्दी|शब्द"),
        ("abc.A. B", "abc|.|A.|B"),
        ("e\u0301tude ❤\ufe0f\u200d", "e\u0301tude|❤\ufe0f|\u200d"),
        ("a\u200bb\u00adc\x00", "a|\u200b|b|\u00ad|c|\x00"),
        ("a\u00a0b\u3000c\u2028d", "a|b|c|d"),
        ("", ""),
    ],
)
def test_words(text, expected):
    assert cut(text) == [word for word in expected.split("|") if word]


@given(ANYTHING | TROUBLE | PIECES)
def test_words_are_the_text_without_white_space(text):
    found = words(text)
    assert all(text[start:end] == word and word for word, start, end in found)
    assert all(before[2] <= after[1] for before, after in pairwise(found))
    assert "".join(word for word, _, _ in found) == "".join(text.split())


@settings(max_examples=300)
@given(ANYTHING | TROUBLE | PIECES)
def test_sentences_have_the_words_of_the_text(text):
    found = sentences(text)
    assert [
        (w, a + start, b + start) for start, s in found for w, (a, b) in zip(s.words, s.offsets, strict=True)
    ] == words(text)
    for start, sentence in found:
        assert sentence.problem() is None
        assert sentence.words
        assert text.startswith(sentence.text, start)
        assert sentence.text == sentence.text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "He left. | She stayed! | Why? | Nobody knows…",
        "He asked “Why?” and left. | “Go!” | (It was late.) | Then he slept.",
        "Dr. Hooke met J. J. Thomson and Prof. Lorentz in St. Petersburg.",
        "He moved to the U.S. in May. | He left the U.S. | The end was near.",
        "He took vitamin C. | The dose was small.",
        "See Fig. 3 and No. 12. | Then p. 5.",
        "It cost 3.5 million at example.com. | 5 people came.",
        "It has lenses, mirrors, etc. and more.",
        'He said, "It moves." | Nobody answered.',
        "1. First steps are hard. | Second ones too.",
        "他来了。|她走了！|“好吗？”|他说。",
        "the time:A. Bell abc.A. Bell E\u0301. Bell 漢A. Bell",
        "Yes, e.g. the Royal Society.",
        "The well\n|Around 240 BC he measured it.",
        "A\n|\nlong title without a point that goes on and on and on\n|\nText.",
        "The line was broken by an editor that keeps its lines shorter than\nseventy-two characters, and goes on until\n"
        "|The next paragraph begins, which is as long as the first one was before.",
        "A title that is a little longer than the others were\n"
        "|And a paragraph that stands on a single line, however long it becomes.",
        "Item one.\r\n|Item two.\r\n|",
    ],
)
def test_sentence_ends(text):
    expected = [part.strip() for part in text.split("|")]
    assert [s.text for _, s in sentences(text.replace(" |", " ").replace("|", ""))] == [
        part for part in expected if part
    ]


@pytest.mark.parametrize(
    "piece", [".", "a.", "A. ", "'", "n't", "1,", "x'", "\n", "\u0301", ". ", "1. ", "。", '."', "a"]
)
def test_no_text_takes_long(piece):
    """Quadratic time would be minutes: a pattern that backtracks shows as a test that does not end."""
    cut = sentences(piece * 50_000)
    assert sum(len(sentence.words) for _, sentence in cut) == len(words(piece * 50_000))


def test_read(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffA title\r\n\r\nOne sentence. Another one\r\nthat goes on.\r\n".encode())
    found = list(read(path, ReadOptions()))
    assert [s.words[-1] for s in found] == ["title", ".", "one", "."]
    assert not any(s.complete or s.problem() for s in found)
    assert all(s.complete for s in read(path, ReadOptions(complete=True)))


def test_a_long_paragraph_is_read_in_parts(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    lines = [f"This is the sentence number {n}, which has a proper end." for n in range(30)]
    path.write_text("\n".join(lines) + "\n")
    whole = [s.text for s in read(path, ReadOptions())]
    monkeypatch.setattr(windows, "SIZE", 100)
    assert [s.text for s in read(path, ReadOptions())] == whole == lines


def test_a_long_sentence_does_not_stop_the_reading(tmp_path, monkeypatch):
    path = tmp_path / "a.txt"
    path.write_text(("and so on and so forth without any end of it at all\n") * 9)
    monkeypatch.setattr(windows, "SIZE", 100)
    assert sum(len(s.words) for s in read(path, ReadOptions())) == 13 * 9


def test_write(tmp_path):
    path = tmp_path / "a.txt"
    dropped = Counter()
    wrapped = next(
        s for _, s in sentences("A sentence that an editor has wrapped where it was long enough\nto be wrapped.")
    )
    write([wrapped, Sentence(("Ada", "wrote"), (Span(0, 1, "PER"),), meta={"id": 1})], path, dropped)
    assert path.read_text() == wrapped.text.replace("\n", " ") + "\nAda wrote\n"
    assert dropped == {"labels": 1, "metadata of sentences": 1}
