import pytest


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Writes a file into the folder where the test runs, and gives its name back."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    return write
