import pickle
from pathlib import Path

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.dictionary_file import Columns, DictionaryFile


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("drugs.txt", "a:b.txt", "odd:PER", "odd"):
        Path(name).touch()


PATH = Path("drugs.txt")


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("drugs.txt", DictionaryFile(PATH)),
        ("drugs.txt:Chemical", DictionaryFile(PATH, types=("Chemical",))),
        ("drugs.txt:type=Chemical", DictionaryFile(PATH, types=("Chemical",))),
        ("drugs.txt:PER|LOC", DictionaryFile(PATH, types=("PER", "LOC"))),
        ("drugs.txt:?", DictionaryFile(PATH, types=())),
        ("drugs.txt:PER,case=acronym", DictionaryFile(PATH, types=("PER",), case="acronym")),
        ("drugs.txt:format=list, case = ignore", DictionaryFile(PATH, "list", case="ignore")),
        (
            "drugs.txt:term-column=Drug name,type-column=a=b",
            DictionaryFile(PATH, columns=Columns(term="Drug name", type="a=b")),
        ),
        (
            "drugs.txt:Q12140=Chemical,Q12136=Disease,language=de|fr",
            DictionaryFile(PATH, languages=("de", "fr"), classes={"Q12140": "Chemical", "Q12136": "Disease"}),
        ),
        ("a:b.txt:PER", DictionaryFile(Path("a:b.txt"), types=("PER",))),
        ("odd:PER", DictionaryFile(Path("odd:PER"))),
        ("odd:LOC", DictionaryFile(Path("odd"), types=("LOC",))),
    ],
)
def test_what_a_user_types(text, file):
    parsed = DictionaryFile.parse(text)
    assert parsed == file
    assert pickle.loads(pickle.dumps(parsed)) == file


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("none.txt:PER", "none.txt: no such file; check the name"),
        (r"C:\none.txt:PER", r"C:\none.txt: no such file; check the name"),
        ("", ": no such file; check the name"),
        ("a\0b", "a\0b: no such file"),
        ("a" * 5000, "aaa"),
        (
            "drugs.txt:",
            "drugs.txt: '' in 'drugs.txt:' says nothing; write PATH, PATH:TYPE or PATH:NAME=VALUE,NAME=VALUE",
        ),
        ("drugs.txt:case=", "drugs.txt: 'case=' in 'drugs.txt:case=' says nothing"),
        ("drugs.txt:case=exact,PER", "drugs.txt: 'PER' in 'drugs.txt:case=exact,PER' says nothing"),
        ("drugs.txt:PER,type=LOC", "drugs.txt: type is given twice in 'drugs.txt:PER,type=LOC'; leave one out"),
        ("drugs.txt:case=upper", "drugs.txt: there is no case rule 'upper'; choose one of exact, ignore, acronym"),
        ("drugs.txt:colour=red", "drugs.txt: there is no option 'colour'; choose one of type, case, format, language"),
        ("drugs.txt:|", "drugs.txt: an empty type; fill it in, or write ? for none"),
        ("drugs.txt:PER|?", "drugs.txt: the type '?' beside others"),
    ],
)
def test_what_cannot_be_meant(text, message):
    with pytest.raises(InputError) as caught:
        DictionaryFile.parse(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_options_are_what_is_said():
    assert DictionaryFile.parse("drugs.txt").options == frozenset()
    assert DictionaryFile.parse("drugs.txt:?,Q5=PER,id-column=No").options == {"type", "Q…", "id-column"}
