"""Records: whole, in order, the same however many processes made them; and what a stopped run leaves."""

import errno
import gzip
import json
import os
from contextlib import suppress
from dataclasses import replace
from io import FileIO
from pathlib import Path

import pytest
from shouting import Shout

from gleanner import read
from gleanner.engine import output as module
from gleanner.engine.inputs import sources
from gleanner.engine.run import How, run
from gleanner.errors import GleannerError, InputError

SENTENCES = 120


class Stop(Exception):
    """What a killed run looks like from inside."""


def stop_after(count):
    seen = []

    def watch(result):
        seen.append(result)
        if len(seen) == count:
            raise Stop

    return watch


def test_one_record_a_sentence_in_order(text, shout):
    lines = shout(text).decode().splitlines()
    assert len(lines) == SENTENCES
    assert json.loads(lines[4]) == {"text": "PARAGRAPH 2 SAYS NAÏVE THINGS."}


def test_any_number_of_workers_gives_the_same_bytes(text, shout, tmp_path):
    alone = shout(text)
    for workers in (2, 3):
        assert shout(text, output=tmp_path / f"{workers}.jsonl", how=How(workers=workers)) == alone


def test_several_files_and_formats_in_order(text, shout, tmp_path):
    other = tmp_path / "more.jsonl"
    other.write_text('{"tokens": ["Ada", "wrote"]}\n')
    lines = shout(other, text).decode().splitlines()
    assert json.loads(lines[0]) == {"text": "ADA WROTE"}
    assert len(lines) == SENTENCES + 1


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
@pytest.mark.parametrize("stopped", [1, 5])
def test_a_run_that_is_killed_goes_on_and_ends_with_the_same_bytes(text, shout, tmp_path, ending, stopped):
    if ending == ".zst":
        pytest.importorskip("zstandard")
    whole = shout(text, output=tmp_path / f"whole.jsonl{ending}")
    output = tmp_path / f"out.jsonl{ending}"
    with pytest.raises(Stop):
        shout(text, output=output, watch=stop_after(stopped))
    assert not output.exists()
    part = output.with_name(f"{output.name}.part")
    with part.open("ab") as handle:
        handle.write(b'{"te')  # half a block that the manifest does not know
    done = []
    assert shout(text, output=output, watch=done.append) == whole
    assert 0 < len(done) <= 30
    assert not part.exists()


def test_what_is_done_is_not_done_again(text, shout):
    with pytest.raises(Stop):
        shout(text, watch=stop_after(4))
    again = []
    shout(text, watch=again.append)
    every = []
    shout(text, how=How(force=True), watch=every.append)
    assert [r.number for r in again] == [r.number for r in every][4:]


def test_a_worker_that_is_killed_loses_nothing(text, shout, tmp_path):
    text.write_text(text.read_text().replace("Paragraph 20 ", "Paragraph 20 DIE "))
    alone = shout(text)
    mark = tmp_path / "died"
    killed = shout(text, output=tmp_path / "2.jsonl", task=Shout(deadly=str(mark)), how=How(workers=2))
    assert mark.exists()
    assert killed == alone


def test_a_block_that_always_kills_is_given_up(text, shout, tmp_path):
    text.write_text(text.read_text().replace("Paragraph 20 ", "Paragraph 20 DIE "))
    with pytest.raises(GleannerError, match="a process died 3 times at block"):
        shout(text, task=Shout(deadly=str(tmp_path / "no" / "such" / "folder")), how=How(workers=2))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_comes_after_all_that_was_before_it(text, shout, tmp_path, workers):
    text.write_text(text.read_text().replace("Paragraph 30 ", "Paragraph 30 FAIL "))
    with pytest.raises(InputError, match="somewhere: it says FAIL"):
        shout(text, how=How(workers=workers))
    part = (tmp_path / "out.jsonl.part").read_text().splitlines()
    assert 40 < len([json.loads(line) for line in part]) <= 60


@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_that_cannot_be_read_stops_the_run_and_once_mended_it_goes_on(text, shout, tmp_path, workers):
    bad = tmp_path / "z.txt.gz"
    good = gzip.compress(b"The last one.\n" * 100)
    bad.write_bytes(good[:-10])
    how = How(workers=workers)
    with pytest.raises(InputError, match=r"z\.txt\.gz:\d+: the packed file is cut off"):
        shout(text, bad, how=how)
    manifest = json.loads((tmp_path / "out.jsonl.manifest.json").read_text())
    assert manifest["records"] >= SENTENCES
    bad.write_bytes(good)
    again = []
    (tmp_path / "out.jsonl.part").exists()
    if manifest["done"][0] == 0:
        assert len(shout(text, bad, how=how, watch=again.append).splitlines()) == SENTENCES + 100
        assert {result.file for result in again} == {1}


def test_other_settings_or_inputs_are_refused(text, shout, tmp_path):
    with pytest.raises(Stop):
        shout(text, watch=stop_after(2))
    with pytest.raises(InputError, match=r"begun with another configuration; .*--force"):
        shout(text, task=Shout(fingerprint="other"))
    with pytest.raises(InputError, match="begun with another number of shards"):
        shout(text, shards=2)
    text.write_text(text.read_text() + " More.")
    with pytest.raises(InputError, match="begun with another input"):
        shout(text)
    assert len(shout(text, how=How(force=True)).splitlines()) == SENTENCES + 1


def test_an_output_that_exists_is_kept(text, shout, tmp_path):
    (tmp_path / "out.jsonl").write_text("mine")
    with pytest.raises(InputError, match="the output exists"):
        shout(text)
    assert (tmp_path / "out.jsonl").read_text() == "mine"


@pytest.mark.parametrize("what", ["", "[]", "{}", '{"bytes": 3}'])
def test_a_manifest_of_another_make(text, shout, tmp_path, what):
    (tmp_path / "out.jsonl.manifest.json").write_text(what)
    with pytest.raises(InputError, match="no manifest of gleanner"):
        shout(text)


def test_a_part_that_was_cut(text, shout, tmp_path):
    with pytest.raises(Stop):
        shout(text, watch=stop_after(2))
    (tmp_path / "out.jsonl.part").write_bytes(b"")
    with pytest.raises(InputError, match="damaged"):
        shout(text)


def test_shards_hold_all_and_depend_on_nothing_but_the_input(text, tmp_path):
    found = {}
    for workers in (1, 2):
        folder = tmp_path / str(workers)
        folder.mkdir()
        run(Shout(), sources([text]), folder / "out.jsonl.gz", shards=3, how=How(workers=workers))
        names = [f"out-0000{k}-of-00003.jsonl.gz" for k in range(3)]
        assert sorted(path.name for path in folder.iterdir()) == [*names, "out.jsonl.gz.manifest.json"]
        found[workers] = [(folder / name).read_bytes() for name in names]
    assert found[1] == found[2]
    assert sum(len(gzip.decompress(data).splitlines()) for data in found[1]) == SENTENCES
    assert all(found[1])


@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("limit", [1, 47, 1000])
def test_a_limit(text, shout, tmp_path, limit, workers, ending):
    unpack = gzip.decompress if ending else bytes
    whole = unpack(shout(text, output=tmp_path / f"whole.jsonl{ending}")).splitlines()
    limited = shout(text, output=tmp_path / f"some.jsonl{ending}", limit=limit, how=How(workers=workers))
    assert unpack(limited).splitlines() == whole[:limit]


def test_a_limit_is_kept_when_a_run_goes_on(text, shout):
    with pytest.raises(Stop):
        shout(text, limit=30, watch=stop_after(2))
    assert len(shout(text, limit=30).splitlines()) == 30


def test_a_full_disk(text, shout, tmp_path, monkeypatch):
    whole = shout(text, output=tmp_path / "whole.jsonl")
    room = 1000

    class Full(FileIO):
        def write(self, data):
            if self.tell() + len(data) > room:
                if self.tell() < room:
                    return super().write(data[: room - self.tell()])
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().write(data)

    monkeypatch.setattr(module, "FileIO", Full)
    with pytest.raises(InputError, match=r"No space left on device; free some space: .* records are kept") as caught:
        shout(text)
    assert str(caught.value).startswith(str(tmp_path / "out.jsonl"))
    kept = (tmp_path / "out.jsonl.part").read_bytes()
    assert whole.startswith(kept)
    assert 0 < len(kept) <= room
    assert kept.endswith(b"\n")
    monkeypatch.undo()
    assert shout(text) == whole


def test_two_do_not_write_the_same(text, shout):
    def again(result):
        shout(text)

    with pytest.raises(InputError, match="another gleanner is writing this"):
        shout(text, watch=again)


def test_nothing_in_it(shout, tmp_path):
    (tmp_path / "a.txt").write_text(" \n\n ")
    with pytest.raises(InputError, match="no sentence in it"):
        shout(tmp_path / "a.txt")


def test_no_folder(text, shout, tmp_path):
    with pytest.raises(InputError, match="make the folder first"):
        shout(text, output=tmp_path / "no" / "out.jsonl")


def test_a_draw_is_the_same_wherever_it_is_made(text):
    from gleanner.engine.inputs import Block

    block = Block(1, 2, 3)
    items = list(range(10_000))
    drawn = block.drawn(items, 0.3, seed=5)
    assert 2800 < len(drawn) < 3200
    assert drawn == replace(block, text="whatever").drawn(items, 0.3, seed=5)
    assert drawn != block.drawn(items, 0.3, seed=6)
    assert drawn != replace(block, number=3).drawn(items, 0.3, seed=5)


def test_notes_of_all_blocks_are_given_at_the_end(text, shout, tmp_path):
    whole = []
    shout(text, output=tmp_path / "whole.jsonl", note=whole.append)
    with pytest.raises(Stop):
        shout(text, watch=stop_after(3))
    again = []
    shout(text, note=again.append, how=How(workers=2))
    assert again == whole
    assert whole[0].endswith(" of 0")
    assert sum(int(note.split()[0]) for note in whole) == SENTENCES
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out.jsonl", "out.jsonl.manifest.json"]


def test_a_note_counts_what_a_limit_left(text, shout):
    notes = []
    shout(text, limit=13, note=notes.append)
    assert sum(int(note.split()[0]) for note in notes) == 13


def test_parquet_goes_on_too(text, tmp_path):
    pytest.importorskip("pyarrow")
    found = {}
    for name, watches in (("whole", [lambda result: None]), ("again", [stop_after(3), lambda result: None])):
        output = tmp_path / f"{name}.parquet"
        for watch in watches:
            with suppress(Stop):
                run(Shout(), sources([text]), output, watch=watch)
        found[name] = [sentence.text for sentence in read(output)]
    assert found["whole"] == found["again"]
    assert len(found["whole"]) == SENTENCES
    assert not list(tmp_path.glob("*.part"))


def test_addresses(text, shout, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/in/a.txt", text.read_bytes())
    memory.pipe("/in/b.jsonl", b'{"tokens": ["Ada"]}\n')
    (tmp_path / "b.jsonl").write_bytes(b'{"tokens": ["Ada"]}\n')
    address = f"memory://out/{tmp_path.name}.jsonl.gz"
    run(Shout(), sources(["memory://in/*"]), address)
    assert gzip.decompress(memory.cat(f"/out/{tmp_path.name}.jsonl.gz")) == shout(text, tmp_path / "b.jsonl")
    with pytest.raises(InputError, match="the output exists"):
        run(Shout(), sources(["memory://in/*"]), address)
    with pytest.raises(InputError, match="no such file"):
        sources(["memory://in/c.txt"])


@pytest.mark.filterwarnings("default")  # Ray has some of its own
def test_ray_makes_the_same_records(text, shout, tmp_path, monkeypatch):
    pytest.importorskip("ray.data")
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    packed = tmp_path / "packed.txt.gz"
    packed.write_bytes(gzip.compress(text.read_bytes()))
    alone = shout(text, packed, output=tmp_path / "alone.jsonl")
    with pytest.raises(Stop):
        shout(text, packed, watch=stop_after(4), how=How("ray", 2))
    assert shout(text, packed, how=How("ray", 2)) == alone
    text.write_text(text.read_text().replace("Paragraph 30 ", "Paragraph 30 FAIL "))
    with pytest.raises(InputError, match="somewhere: it says FAIL"):
        shout(text, output=tmp_path / "failed.jsonl", how=How("ray", 2))
    assert len((tmp_path / "failed.jsonl.part").read_text().splitlines()) > 40


@pytest.mark.parametrize("change", [lambda file: os.truncate(file, 900), lambda file: file.write_text("x" * 99999)])
def test_a_file_that_changes_while_it_is_read(text, shout, change):
    with pytest.raises(InputError, match="the file changed while it was read"):
        shout(text, watch=lambda result: change(text))


def test_a_file_that_is_gone_when_all_of_it_was_read(text, shout):
    assert len(shout(text, watch=lambda result: text.unlink(missing_ok=True)).splitlines()) == SENTENCES


@pytest.mark.parametrize("shards", [1, 2])
def test_what_is_read_is_not_written_over(shout, tmp_path, shards):
    name = module.shard_names("out.jsonl", shards)[-1]
    (tmp_path / name).write_text('{"tokens": ["Ada", "wrote"]}\n')
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="the output is a file that is read, too"):
        shout(tmp_path / "folder" / ".." / name, output=tmp_path / "out.jsonl", shards=shards, how=How(force=True))
    assert (tmp_path / name).read_text() == '{"tokens": ["Ada", "wrote"]}\n'
