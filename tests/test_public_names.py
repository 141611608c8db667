import subprocess
import sys

import pytest

import gleanner

NAMES = ["Corpus", "DictionaryAnnotator", "GleannerError", "InputError", "Sentence", "Span", "Tagger", "__version__"]
VERBS = ["annotate", "evaluate", "read", "train", "write"]


def test_the_exported_names_are_these():
    assert gleanner.__all__ == [*NAMES, *VERBS]
    assert dir(gleanner) == gleanner.__all__


@pytest.mark.parametrize("name", gleanner.__all__)
def test_every_name_is_there(name):
    assert getattr(gleanner, name)


@pytest.mark.parametrize("name", VERBS)
def test_verbs_can_be_called_whatever_was_imported_before(name):
    assert callable(getattr(gleanner, name))


def test_the_packages_beside_the_verbs_are_packages():
    import gleanner.evaluation.report as report
    from gleanner.training.settings import Settings

    sentence = gleanner.Sentence(("Ada",), (gleanner.Span(0, 1, "PER"),), complete=True)
    assert gleanner.evaluate([sentence], [sentence], bootstrap=0) == report.evaluate(
        [sentence], [sentence], bootstrap=0
    )
    assert Settings().seed == 0


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        _ = gleanner.magic


def test_importing_is_light():
    program = "import sys, gleanner; gleanner.Sentence; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_command_line_starts_without_numpy():
    program = "import sys, gleanner.cli.main; sys.exit(bool({'numpy', 'torch'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
