import pickle
import re
import sys
from dataclasses import replace

import pytest

from gleanner.errors import InputError
from gleanner.gazetteer.annotator import Annotator, FunctionAnnotator, annotator, flat, load
from gleanner.gazetteer.passage import Label, Passage

DOSE = Passage("Take 20 mg of aspirin.")


@annotator
def dosage(text):
    yield from re.finditer(r"(?P<DOSE>\d+ mg)", text)


def found(given, passage=DOSE):
    """What a function finds in a passage, as phrases and types."""
    (labels,) = given([passage])
    return [(passage.text[label.start : label.end], label.type) for label in labels]


def yielding(*items, **options):
    """An annotator that yields these whatever the text is."""

    def fixed(text):
        return items

    return annotator(**options)(fixed)


def test_a_function_is_an_annotator_with_its_name_as_the_source():
    assert isinstance(dosage, Annotator)
    assert dosage.name == "dosage"
    assert dosage([DOSE, Passage("None.")]) == [[Label(5, 10, "DOSE", "rule:dosage")], []]


def test_named_groups_are_types_and_a_match_without_one_has_the_given_type():
    groups = re.compile(r"(?P<AMOUNT>\d+) (?P<UNIT>mg)(?P<NEVER>!)?")
    assert found(annotator(lambda text: iter(groups.finditer(text)))) == [("20", "AMOUNT"), ("mg", "UNIT")]
    assert found(annotator(type="DOSE")(lambda text: re.finditer(r"\d+ mg", text))) == [("20 mg", "DOSE")]


def test_a_function_may_take_the_passage_with_its_words():
    @annotator
    def longest_word(passage):
        start, end = max(passage.cut(), key=lambda word: word[1] - word[0])
        yield start, end, "LONG"

    assert found(longest_word) == [("aspirin", "LONG")]


def test_white_space_at_the_edges_is_no_part_of_a_label():
    assert found(yielding((4, 11, "DOSE"))) == [("20 mg", "DOSE")]


def test_what_cuts_a_word_takes_the_whole_word_where_that_is_asked_for():
    assert found(yielding((6, 9, "DOSE"), cutting="widen")) == [("20 mg", "DOSE")]


def test_what_cuts_a_word_is_left_out_where_that_is_asked_for():
    items = [(6, 10, "A"), (5, 9, "B"), (14, 21, "DRUG")]
    assert found(yielding(*items, cutting="skip")) == [("aspirin", "DRUG")]


def test_of_labels_that_overlap_the_leftmost_counts_then_the_longest():
    assert found(yielding((8, 21, "B"), (0, 4, "A"), (0, 7, "C"), (14, 21, "D"))) == [
        ("Take 20", "C"),
        ("mg of aspirin", "B"),
    ]
    assert flat([]) == []


@pytest.mark.parametrize(
    ("item", "message"),
    [
        (
            (6, 10, "DOSE"),
            "fixed labels '0 mg' DOSE in 'Take 20 mg of aspirin.', which cuts the word '20'; yield whole words",
        ),
        ((5, 9, "DOSE"), "which cuts the word 'mg'"),
        ((4, 5, "DOSE"), "fixed labels ' ' DOSE, which holds no word"),
        ((4, 40, "DOSE"), "fixed yields [4, 40) DOSE of 'Take 20 mg of aspirin.', which has 22 characters"),
        ((7, 5, "DOSE"), "fixed yields [7, 5) DOSE"),
        ((5, 7), "fixed yields (5, 7); yield (start, end, type) in characters"),
        ((5, 7, ""), "fixed yields (5, 7, '')"),
        ("20 mg", "fixed yields '20 mg'"),
        (re.search("20", DOSE.text), "fixed yields the match '20' without a type; name a group"),
    ],
)
def test_a_wrong_label_is_an_error_that_names_the_function_and_its_file(item, message):
    with pytest.raises(InputError) as caught:
        yielding(item)([DOSE])
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{__file__}: ")


def test_an_error_in_a_function_is_one_line_with_its_place_and_the_text():
    @annotator
    def hasty(text):
        yield from [1 / 0]

    line = hasty.function.__code__.co_firstlineno + 2
    with pytest.raises(InputError) as caught:
        hasty([DOSE])
    what = "hasty fails at 'Take 20 mg of aspirin.': ZeroDivisionError: division by zero"
    assert str(caught.value) == f"{__file__}:{line}: {what}"


def test_a_long_text_is_quoted_around_the_place():
    passage = Passage("one " * 50 + "two" + " one" * 50)
    with pytest.raises(InputError, match=r"in '….{60}…', which cuts the word 'two'"):
        yielding((200, 202, "X"))([passage])


def test_a_function_that_takes_something_else_is_refused_at_once():
    with pytest.raises(InputError, match=r"rule\(sentence\) takes neither text nor passage; give it one parameter"):

        @annotator
        def rule(sentence):
            return []


@pytest.fixture
def rules(tmp_path):
    def write(content, name="rules.py"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    yield write
    for name in [name for name in sys.modules if name.startswith("gleanner_annotators_")]:
        del sys.modules[name]


def test_a_file_and_a_name_in_it(rules):
    path = rules(
        "import re\nfrom gleanner.gazetteer.annotator import annotator\n"
        "@annotator(type='DOSE')\ndef dosage(text):\n    return re.finditer('20 mg', text)\n"
        "def plain(text):\n    return [(14, 21, 'DRUG')]\n"
    )
    assert found(load(f"{path}:dosage")) == [("20 mg", "DOSE")]
    assert found(load(f"{path}:plain")) == [("aspirin", "DRUG")]
    for name in ("dosage", "plain"):
        copy = pickle.loads(pickle.dumps(load(f"{path}:{name}")))
        assert copy([DOSE]) == load(f"{path}:{name}")([DOSE])


def test_a_module_and_a_name_in_it(rules, monkeypatch):
    path = rules("def plain(text):\n    return [(14, 21, 'DRUG')]\n", "some_rules.py")
    monkeypatch.syspath_prepend(path.parent)
    assert found(load("some_rules:plain")) == [("aspirin", "DRUG")]
    monkeypatch.delitem(sys.modules, "some_rules")
    rules("import no_such_module_here\n", "lacking_rules.py")
    rules("def plain(text)\n", "broken_rules.py")
    for name, reason in (("lacking", "ModuleNotFoundError: No module named"), ("broken", "SyntaxError: expected ':'")):
        with pytest.raises(InputError, match=f"{name}_rules cannot be imported: {reason}"):
            load(f"{name}_rules:plain")


def test_a_function_at_the_top_of_a_module_can_be_pickled():
    assert pickle.loads(pickle.dumps(dosage)) is dosage
    other = replace(dosage, cutting="skip")
    assert pickle.loads(pickle.dumps(other)) == other


def test_one_inside_a_function_cannot_be_pickled():
    with pytest.raises(pickle.PicklingError, match="'fixed' is not at the top of a module"):
        pickle.dumps(yielding())


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("dosage", "'dosage' names no annotator; write file.py:function or package.module:function"),
        ("rules.py:", "'rules.py:' names no annotator"),
        ("absent.py:dosage", "absent.py: no such file"),
        ("no_such_module:dosage", "there is no module 'no_such_module'; name the file"),
        ("no_such.module:dosage", "there is no module 'no_such.module'"),
    ],
)
def test_places_where_nothing_is(place, message):
    with pytest.raises(InputError) as caught:
        load(place)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("def other(text): ...\n", ": no 'rule' in it; it has: no annotator"),
        ("rule = 3\n", ": 'rule' is no annotator but 3; write @annotator over a function"),
        ("x = 1\nx.y\n", ":2: AttributeError: 'int' object has no attribute 'y'; mend the file"),
        ("x = 1\ndef rule(text)\n", ":2: SyntaxError: expected ':'; mend the file"),
        (
            "import no_such_module_here\n",
            ":1: ModuleNotFoundError: No module named 'no_such_module_here'; mend the file",
        ),
        ("def rule(words): ...\n", ": rule(words) takes neither text nor passage"),
    ],
)
def test_files_that_are_wrong(rules, content, message):
    path = rules(content)
    with pytest.raises(InputError) as caught:
        load(f"{path}:rule")
    assert str(caught.value).startswith(f"{path}{message}")


def test_a_class_is_no_annotator(rules):
    path = rules("from gleanner.gazetteer.annotator import FunctionAnnotator as rule\n")
    with pytest.raises(InputError, match="is no annotator"):
        load(f"{path}:rule")
    assert isinstance(dosage, FunctionAnnotator)
