"""Output folders: a run's own, and those of others."""

import pytest

from gleanner.errors import InputError
from gleanner.training import record


def test_a_record_comes_back(tmp_path):
    output = tmp_path / "some" / "model"
    assert record.read(output) is None
    record.write(output, {"fingerprint": "ab", "finished": False, "word": "Göttingen"})
    record.refuse_foreign(output)
    assert record.read(output) == {"fingerprint": "ab", "finished": False, "word": "Göttingen"}
    assert [entry.name for entry in output.iterdir()] == ["run.json"]


def test_new_and_empty_folders_are_anybodys(tmp_path):
    record.refuse_foreign(tmp_path)
    record.refuse_foreign(tmp_path / "new")


def test_a_finished_run_is_kept(tmp_path):
    record.write(tmp_path, {"fingerprint": "ab", "finished": True})
    with pytest.raises(InputError, match="holds a finished run; choose another --output"):
        record.refuse_foreign(tmp_path)


def test_other_peoples_folders_are_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(InputError, match="exists and is not empty"):
        record.refuse_foreign(tmp_path)


def test_a_file_is_no_folder(tmp_path):
    path = tmp_path / "model"
    path.write_text("")
    with pytest.raises(InputError, match="not a folder"):
        record.refuse_foreign(path)
    with pytest.raises(InputError, match="cannot be made: Not a directory"):
        record.make_folder(path / "below")


@pytest.mark.parametrize("content", ["{", "[]", "{}", "7", "\ud800"])
def test_a_run_json_of_somebody_else(tmp_path, content):
    (tmp_path / "run.json").write_text(content, encoding="utf-8", errors="surrogatepass")
    with pytest.raises(InputError, match=r"run\.json: .*; choose another --output"):
        record.refuse_foreign(tmp_path)
