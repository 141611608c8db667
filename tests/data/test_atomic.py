"""Files that appear whole or not at all."""

import errno
import os
import stat
from pathlib import Path

import pytest

from gleanner.data.atomic import atomic, atomic_folder
from gleanner.errors import InputError


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_at_the_end(tmp_path):
    path = tmp_path / "a.txt"
    with atomic(path) as handle:
        handle.write("é\n")
        assert not path.exists()
    assert path.read_bytes() == "é\n".encode()
    assert names(tmp_path) == ["a.txt"]


def test_bytes(tmp_path):
    with atomic(tmp_path / "a.bin", binary=True) as handle:
        handle.write(b"\xff")
    assert (tmp_path / "a.bin").read_bytes() == b"\xff"


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_leaves_everything_as_it_was(tmp_path, error):
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(error), atomic(path) as handle:
        handle.write("new")
        raise error
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_full_disk(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")
    message = r"a\.txt: cannot be written: No space left on device; free some"
    with pytest.raises(InputError, match=message) as caught, atomic(path):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert caught.value.exit_code == 2
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]


def test_a_disk_that_is_found_full_at_the_end(tmp_path, monkeypatch):
    def fail(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InputError, match="No space left"), atomic(tmp_path / "a.txt") as handle:
        handle.write("new")
    assert names(tmp_path) == []


def test_a_folder_that_may_not_be_written(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "open", fail)  # root may write everywhere, so the mode of a folder would not do
    message = "Permission denied; choose a folder that you may write to"
    with pytest.raises(InputError, match=message), atomic(tmp_path / "a.txt"):
        pass


def test_no_such_folder(tmp_path):
    with pytest.raises(InputError, match="make the folder first"), atomic(tmp_path / "b" / "a.txt"):
        pass


@pytest.mark.parametrize(("make", "message"), [(os.mkdir, "a folder, not a file"), (os.mkfifo, "not a regular file")])
def test_what_is_no_file_is_not_replaced(tmp_path, make, message):
    path = tmp_path / "a"
    make(path)
    with pytest.raises(InputError, match=message), atomic(path):
        pass
    assert names(tmp_path) == ["a"]


def test_a_link_stays_and_modes_are_kept(tmp_path):
    target, link = tmp_path / "a.txt", tmp_path / "link"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    with atomic(link) as handle:
        handle.write("new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_half_a_character(tmp_path):
    with pytest.raises(InputError, match=r"'\\ud800' cannot be written"), atomic(tmp_path / "a.txt") as handle:
        handle.write("\ud800")
    assert names(tmp_path) == []


def test_folders(tmp_path):
    path = tmp_path / "a"
    for content in ("old", "new"):
        with atomic_folder(path) as folder:
            (folder / f"{content}.txt").write_text(content)
            assert not (path / f"{content}.txt").exists()
    assert names(path) == ["new.txt"]
    with pytest.raises(KeyError), atomic_folder(path) as folder:
        (folder / "newer.txt").write_text("")
        raise KeyError
    assert names(path) == ["new.txt"]
    assert names(tmp_path) == ["a"]


def test_a_folder_steps_back_when_it_cannot_be_replaced(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.mkdir()
    (path / "old.txt").write_text("old")
    rename = Path.rename

    def fail(source, target):
        if target == path and source.name.endswith(".tmp") and not (source / "old.txt").exists():
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(InputError, match="cannot be written"), atomic_folder(path):
        pass
    assert names(path) == ["old.txt"]
    assert names(tmp_path) == ["a"]


def test_a_file_where_a_folder_should_be(tmp_path):
    (tmp_path / "a").write_text("old")
    with pytest.raises(InputError, match="not a folder"), atomic_folder(tmp_path / "a"):
        pass
