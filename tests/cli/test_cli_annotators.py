import pytest
import typer
from typer.testing import CliRunner

from gleanner.cli import annotators
from gleanner.errors import InputError
from gleanner.gazetteer.lexicon import Lexicon
from gleanner.gazetteer.passage import Passage
from gleanner.gazetteer.recipe import Recipe
from gleanner.gazetteer.store import save
from gleanner.gazetteer.term import Term
from gleanner.types import Sentence, Span


@pytest.fixture
def asked(tmp_path):
    """The recipe that a command line with these options asks for."""

    def asked(*options, lexicons=(), **given):
        app, made = typer.Typer(), []

        @app.command()
        def command(
            ambiguity: annotators.AmbiguityOption = "drop",
            type_order: annotators.TypeOrder = None,
            functions: annotators.Functions = None,
            functions_first: annotators.FunctionsFirst = False,
            combine: annotators.Combine = "priority",
            candidates: annotators.Candidates = None,
            common: annotators.Common = None,
        ):
            chosen = {
                "ambiguity": ambiguity,
                "type_order": type_order,
                "functions": functions,
                "functions_first": functions_first,
                "combine": combine,
                "candidates": candidates,
            }
            made.append(annotators.recipe(lexicons, **chosen, **given))
            assert common is None or common == 0.5

        result = CliRunner().invoke(app, options)
        if result.exception:
            raise result.exception
        return made[0]

    return asked


def test_nothing_asked(asked):
    assert asked() == Recipe()


def test_everything_asked(asked, tmp_path):
    rules = tmp_path / "rules.py"
    rules.write_text("def dosage(text):\n    return []\n")
    place, folder = f"{rules}:dosage", tmp_path / "lexicon"
    options = ["--ambiguity", "priority", "--type-order", "PER, LOC", "--annotator", place, "--annotators-first"]
    options += ["--combine", "vote", "--candidates", "capitals", "--common", "0.5"]
    expected = Recipe((folder,), (place,), True, "priority", ("PER", "LOC"), frozenset(["May"]), "capitals", "vote")
    assert asked(*options, lexicons=[folder], common=["May"]) == expected


def test_gold_gives_weights_to_a_vote_only(asked, tmp_path):
    folder = tmp_path / "lexicon"
    save(Lexicon.compile([("a.tsv", [Term("Ada", ("PER",), 1)])]), folder)
    gold = [Sentence(("Ada",), (Span(0, 1, "PER"),), complete=True)]
    assert asked("--combine", "vote", lexicons=[folder], gold=gold).weights[0]("PER") == 2 / 3
    assert asked(lexicons=[folder], gold=gold).weights == ()
    assert asked(lexicons=[folder]).annotator()([Passage("Ada")])[0][0].type == "PER"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--type-order", "PER"], r"an order of types \(PER\) with the rule 'drop'"),
        (["--annotator", "rules"], "'rules' names no annotator"),
        (["--annotator", "absent.py:dosage"], "absent.py: no such file"),
        (["--candidates", "nouns"], "candidates cannot be found by 'nouns'"),
        (["--candidates", "capitals"], "--candidates without a dictionary"),
    ],
)
def test_what_is_wrong_is_told_at_once(asked, options, message):
    with pytest.raises(InputError, match=message):
        asked(*options)
