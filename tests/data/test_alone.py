import subprocess
import sys

import pytest

from gleanner.data.alone import LOCK, alone
from gleanner.errors import InputError

HOLD = """
import sys
from pathlib import Path
from gleanner.data.alone import alone
with alone(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def other(tmp_path):
    """Another process that is alone in the folder until its input ends."""
    with subprocess.Popen([sys.executable, "-c", HOLD, tmp_path], stdin=-1, stdout=-1, text=True) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_one_is_refused(tmp_path, other):
    with pytest.raises(InputError, match="another gleanner is at work in this folder"), alone(tmp_path):
        pass
    other.communicate()  # it ends
    with alone(tmp_path):
        pass


def test_a_process_that_is_killed_leaves_the_folder_free(tmp_path, other):
    other.kill()
    other.wait()
    with alone(tmp_path):
        assert (tmp_path / LOCK).exists()
    assert not list(tmp_path.iterdir())


def test_an_error_within_frees_it(tmp_path):
    with pytest.raises(KeyError), alone(tmp_path):
        raise KeyError
    with alone(tmp_path):
        pass
