import json
import pickle
import shutil
from dataclasses import replace

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.matcher import Matcher
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.rules import Rules
from gleanner.gazetteer.store import cached, digest, load, save
from gleanner.gazetteer.term import Term
from gleanner.types import Sentence

TERMS = [
    Term("Ada Lovelace", ("PER",), 1, "Q7259", 2.5),
    Term("King's", ("ORG", "LOC"), 2, case="ignore"),
    Term("東京𠮷", (), 3),
    Term("x", ("X",), 4),
]
PASSAGES = [Passage("Ada Lovelace at KING'S in 東京𠮷"), Passage.of(Sentence(("king", "'s", "Ada", "Lovelace")))]


def compiled(rules=None):
    return Lexicon.compile([("names", TERMS[:2]), ("places", TERMS[2:])], rules or Rules(min_length=2, stop=("none",)))


def rows(lexicon):
    return [column.tolist() for column in Matcher(lexicon).find(PASSAGES)]


def test_what_is_loaded_is_what_was_saved(tmp_path):
    lexicon = compiled()
    save(lexicon, tmp_path / "lexicon")
    again = load(tmp_path / "lexicon")
    assert rows(again) == rows(lexicon)
    assert len(rows(again)[0]) == 5
    assert [again.term(k) for k in range(len(again))] == [
        (t, n) for t, n in zip(TERMS, ["names"] * 2 + ["places"] * 2, strict=True)
    ]
    assert again.rules == lexicon.rules
    assert again.skipped.tolist() == lexicon.skipped.tolist()
    sent = pickle.dumps(again)
    assert len(sent) < 400  # the name of the folder, not the arrays
    assert rows(pickle.loads(sent)) == rows(lexicon)


def test_an_empty_lexicon_is_kept_too(tmp_path):
    save(Lexicon.compile([]), tmp_path / "lexicon")
    assert rows(load(tmp_path / "lexicon")) == [[], [], [], []]


def test_the_digest_says_what_the_lexicon_depends_on(tmp_path):
    a, b = tmp_path / "a.tsv", tmp_path / "b.tsv"
    a.write_text("PER\tAda")
    b.write_text("PER\tMary")
    names = {
        digest([a], Rules()),
        digest([a, b], Rules()),
        digest([b, a], Rules()),
        digest([a], Rules(case="ignore")),
        digest([a], Rules(), "column 2"),
    }
    before = digest([a], Rules())
    a.write_text("PER\tBda")
    assert len(names | {digest([a], Rules())}) == 6
    a.write_text("PER\tAda")
    assert digest([a], replace(Rules())) == before
    with pytest.raises(InputError, match="no such file"):
        digest([tmp_path / "c.tsv"], Rules())


def damage(folder, how):
    arrays = sorted(folder.glob("*.npy"), key=lambda path: path.stat().st_size)
    about = folder / "lexicon.json"
    if how == "bit":
        content = bytearray(arrays[-1].read_bytes())
        content[-1] ^= 1
        arrays[-1].write_bytes(content)
    elif how == "short":
        arrays[-1].write_bytes(arrays[-1].read_bytes()[:-5])
    elif how == "empty":
        arrays[-1].write_bytes(b"")
    elif how == "missing":
        arrays[-1].unlink()
    elif how == "pickle":
        arrays[-1].write_bytes(pickle.dumps([1]))
    elif how == "json":
        about.write_text(about.read_text()[:-9])
    elif how == "utf-8":
        about.write_bytes(b"\xff" + about.read_bytes())
    elif how == "other":
        about.write_text("[]")
    elif how == "rules":
        stated = json.loads(about.read_text())
        stated["rules"]["unheard"] = 1
        about.write_text(json.dumps(stated))
    elif how == "version":
        about.write_text(about.read_text().replace('"version": 1', '"version": 0'))
    elif how == "gone":
        about.unlink()


HOW = ["bit", "short", "empty", "missing", "pickle", "json", "utf-8", "other", "rules", "version", "gone"]


@pytest.mark.parametrize("how", HOW)
def test_damage_is_refused_or_mended(tmp_path, how):
    folder = tmp_path / "cache" / "lexicon"
    built = []

    def build():
        built.append(1)
        return compiled()

    first = cached(folder, build)
    assert rows(cached(folder, build)) == rows(first)
    assert len(built) == 1
    shutil.copytree(folder, tmp_path / "copy")
    damage(tmp_path / "copy", how)
    with pytest.raises(InputError) as error:
        load(tmp_path / "copy")
    assert str(tmp_path / "copy") in str(error.value)
    shutil.rmtree(folder)
    shutil.copytree(tmp_path / "copy", folder)
    assert rows(cached(folder, build)) == rows(compiled())
    assert len(built) == 2
    assert rows(load(folder)) == rows(compiled())


def test_a_cache_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file"):
        cached(tmp_path / "file" / "lexicon", compiled)
