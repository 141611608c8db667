import pickle
import sys
from dataclasses import replace

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.recipe import Recipe
from gleanner.gazetteer.store import save
from gleanner.gazetteer.term import Term
from gleanner.types import Sentence, Span


@pytest.fixture
def lexicon(tmp_path):
    def make(name, *terms):
        listed = [Term(text, tuple(types), line) for line, (text, *types) in enumerate(terms, 1)]
        save(Lexicon.compile([(f"{name}.tsv", listed)]), tmp_path / name)
        return tmp_path / name

    return make


@pytest.fixture
def rules(tmp_path):
    def write(content):
        (tmp_path / "rules.py").write_text(content)
        for name in [name for name in sys.modules if name.startswith("gleanner_annotators_")]:
            del sys.modules[name]
        return f"{tmp_path / 'rules.py'}:ada"

    yield write
    write("")


def types(recipe, text):
    return [label.type for label in pickle.loads(pickle.dumps(recipe)).annotator()([Passage(text)])[0]]


def test_dictionaries_and_functions_in_their_order(lexicon, rules):
    place = rules("def ada(text):\n    return [(0, 3, 'RULE')]\n")
    recipe = Recipe((lexicon("a", ("Ada", "PER")), lexicon("b", ("Ada", "LOC"), ("Bath", "LOC"))), (place,))
    assert types(recipe, "Ada in Bath") == ["PER", "LOC"]
    assert types(replace(recipe, functions_first=True), "Ada in Bath") == ["RULE", "LOC"]
    assert types(replace(recipe, by="vote"), "Ada in Bath") == ["?", "LOC"]


def test_choices_reach_the_dictionary(lexicon):
    recipe = Recipe((lexicon("a", ("Lincoln", "LOC", "PER"), ("May", "MONTH")),))
    assert types(recipe, "Lincoln") == ["?"]
    assert types(replace(recipe, ambiguity="priority", order=("PER",)), "Lincoln") == ["PER"]
    assert types(replace(recipe, common=frozenset(["May"])), "May") == ["?"]
    assert types(replace(recipe, candidates="capitals"), "in May, not Hooke") == ["MONTH", "?"]


def test_a_gold_sample_gives_weights(lexicon):
    recipe = Recipe((lexicon("a", ("Ada", "LOC")), lexicon("b", ("Ada", "PER"))), by="vote")
    gold = [Sentence(("Ada",), (Span(0, 1, "PER"),), complete=True)] * 3
    assert [weight("PER") for weight in recipe.weighed(gold).weights] == [1 / 5, 4 / 5]
    assert types(recipe.weighed(gold), "Ada") == ["PER"]


def test_the_fingerprint_is_that_of_all_that_decides(lexicon, rules):
    place = rules("def ada(text):\n    return [(0, 3, 'RULE')]\n")
    recipe = Recipe((lexicon("a", ("Ada", "PER")),), (place,), common=frozenset("abcdefgh"))
    others = [
        replace(recipe, lexicons=(lexicon("b", ("Ada", "PER")),)),
        replace(recipe, functions=()),
        replace(recipe, common=frozenset("abcdefg")),
        replace(recipe, ambiguity="frequent"),
    ]
    assert len({one.fingerprint for one in (recipe, *others)}) == 5
    assert recipe.fingerprint == replace(recipe, common=frozenset("hgfedcba")).fingerprint
    before = recipe.fingerprint
    rules("def ada(text):\n    return [(0, 3, 'OTHER')]\n")
    assert recipe.fingerprint != before


def test_candidates_need_a_dictionary():
    with pytest.raises(InputError, match="candidates without a dictionary"):
        Recipe(candidates="capitals").annotator()
    with pytest.raises(InputError, match="no annotator is given"):
        Recipe().annotator()
