import json
from pathlib import Path

import pytest

from gleanner.benchmark.places import Places
from gleanner.benchmark.store import Benchmark
from gleanner.benchmark.table import check_settings, crossed, make, read
from gleanner.errors import InputError

ROOT = Path(__file__).parent.parent.parent
TABLES = sorted((ROOT / "benchmarks/quality").glob("*.yaml"))
PLAIN = {"name": "plain", "method.name": "plain"}


def test_settings_stand_among_the_keys_of_a_row_or_below_settings(raw):
    (row,) = make(raw({"name": "a", "method.name": "plain", "settings": {"method.head": "crf"}, "mask": 0.5})).rows
    assert row.settings == {"method.name": "plain", "method.head": "crf"}
    assert row.key == {"name": "a", "mask": 0.5, "method.name": "plain", "method.head": "crf"}


def test_a_row_is_stronger_than_the_table_and_null_is_the_default(raw):
    rows = ({**PLAIN, "training.epochs": 9}, {"name": "b", "method.name": "plain", "method.head": None})
    table = make(raw(*rows))
    first, second = (table.settings_of(row, Places(Path()), 3) for row in table.rows)
    assert (first.training.epochs, first.method["head"], first.seed) == (9, "linear", 3)
    assert second.method == {"name": "plain"}


def test_settings_name_folders(raw):
    table = make(raw({**PLAIN, "bilstm.vectors": "{data}/a.txt", "encoder": "{encoders}/b"}))
    assert table.settings_of(table.rows[0], Places(Path("d"), Path("e")), 1).bilstm.vectors == "d/a.txt"
    with pytest.raises(InputError, match="needs a folder of encoders; name it with --encoders"):
        Places(Path("d")).filled("{encoders}/b")


def test_baselines(raw):
    rows = [{"name": name, "method.name": "plain"} for name in "abcd"]
    table = make(raw(*rows[:3], rows[3] | {"baseline": "c"}))
    assert [table.baseline_of(row).name for row in table.rows] == ["a", "a", "c", "c"]
    assert make(raw(*rows, baseline="b")).baseline_of(table.rows[0]).name == "b"


def test_the_title_the_seeds_and_the_baseline_change_no_number(raw):
    one, other = make(raw(PLAIN)), make(raw({**PLAIN, "baseline": "plain"}, title="Other", about="x", seeds=[7]))
    assert (one.key, one.rows[0].key) == (other.key, other.rows[0].key)


def test_a_row_that_draws_nothing_has_one_run(raw):
    table = make(raw(PLAIN, {"name": "d", "dictionary": "names.tsv"}, seeds=[4, 5]))
    assert [table.seeds_of(row) for row in table.rows] == [(4, 5), (0,)]
    assert table.files_of(table.rows[1]) == ("names.tsv", "dev.jsonl", "test.jsonl")


BAD = {
    "no title": ({"title": None}, "title: "),
    "an unknown key": ({"sedes": [1]}, "no setting is called 'sedes'"),
    "a wrong seed": ({"seeds": [1, -1]}, "seeds.1: input should be greater than or equal to 0, not -1"),
    "a seed twice": ({"seeds": [1, 1]}, "there are two seeds '1'"),
    "no seed": ({"seeds": []}, "seeds: "),
    "no row": ({"rows": []}, "rows: "),
    "a row that is no mapping": ({"rows": ["plain"]}, "rows.0: "),
    "a row without a name": ({"rows": [{"method.name": "plain"}]}, "rows.0.name is missing; see docs/benchmark.md"),
    "a wrong value in a row": ({"rows": [PLAIN | {"mask": 2}]}, "rows.0.mask: input should be less than or equal to 1"),
    "an unknown key in a row": ({"rows": [PLAIN | {"maks": 1}]}, "no setting is called 'rows.0.maks'"),
    "a setting of no section": ({"rows": [PLAIN | {"data.train": "a"}]}, "rows.0 (plain): no setting of a table"),
    "a setting without a section": ({"settings": {"epochs": 3}}, "no setting of a table is called 'epochs'"),
    "two of a name": ({"rows": [PLAIN, PLAIN]}, "there are two rows 'plain'"),
    "two of a file": ({"rows": [{**PLAIN, "name": "a b"}, {**PLAIN, "name": "a/b"}]}, "there are two rows 'a-b'"),
    "no method": ({"rows": [{"name": "a"}]}, "rows.0 (a): no method"),
    "two kinds": (
        {"rows": [{"name": "a", "dictionary": "d", "predictions": "p"}]},
        "both a dictionary and predictions",
    ),
    "gold alone": ({"rows": [PLAIN | {"gold": "g"}]}, "gold belongs to predictions"),
    "a trained dictionary": ({"rows": [{"name": "a", "dictionary": "d", "mask": 0.5}]}, "what is not trained"),
    "no such baseline": ({"baseline": "b"}, "the baseline 'b' is no row"),
    "no such baseline of a row": ({"rows": [PLAIN | {"baseline": "b"}]}, "rows.0 (plain): the baseline 'b' is no row"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_mistake_is_named_with_file_and_key(raw, kind):
    change, message = BAD[kind]
    with pytest.raises(InputError) as caught:
        make(raw(PLAIN) | change, Path("t.yaml"))
    assert str(caught.value).startswith(f"t.yaml: {message}") or message in str(caught.value)
    assert str(caught.value).startswith("t.yaml: ")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"name": "a", "method.name": "magic"}, "t.yaml: row 'a': no method is called 'magic'"),
        (PLAIN | {"method.rate": 1}, "t.yaml: row 'plain': plain has no setting 'method.rate'"),
        (PLAIN | {"training.epochs": 0}, "t.yaml: row 'plain': training.epochs: "),
        (PLAIN | {"method.head": "magic"}, "t.yaml: row 'plain': no head is called 'magic'"),
        (
            {"name": "a", "method.name": "nrces", "method.head": "crf"},
            "t.yaml: row 'a': the loss nrces counts each unit",
        ),
        ({"name": "a", "method.name": "roster"}, "t.yaml: row 'a': roster rewrites sentences"),
        (
            PLAIN | {"encoder": "bilstm", "lexicon.file": "a"},
            "t.yaml: row 'plain': the encoder 'bilstm' has no use for",
        ),
    ],
)
def test_settings_are_checked_before_anything_runs(raw, row, message):
    table = make(raw(row))
    with pytest.raises(InputError) as caught:
        check_settings(table, table.rows[0], Places(Path()), Path("t.yaml"))
    assert str(caught.value).startswith(message)


def test_encoders_with_a_lexicon(raw, benchmark):
    rows = ({**PLAIN, "encoder": "flat", "lexicon.size": 20}, {**PLAIN, "name": "b", "lexicon.way": "adapter"})
    made = benchmark(*rows)
    made.check(made.table.rows)
    assert made.table.settings_of(made.table.rows[0], made.places, 1).lexicon.size == 20


def test_methods_crossed_without_a_file():
    table = crossed(["plain", "top"], "a/silver.jsonl", "d", None, "bilstm", {"training.epochs": 3})
    assert [row.name for row in table.rows] == ["plain", "top"]
    assert (table.title, table.encoder, table.judged) == ("Methods on silver.jsonl", "bilstm", "dev")


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_the_tables_of_the_repository(path, tmp_path):
    table = read(path)
    for row in table.rows:
        if row.trains:
            check_settings(table, row, Places(tmp_path, tmp_path), path)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_all_runs_that_are_kept_belong_to_a_row(path, tmp_path):
    benchmark = Benchmark(path.stem, read(path), Places(tmp_path), ROOT / "benchmarks/results")
    kept = {file for file in benchmark.runs.glob("*.json") if file.name != "gold.json"}
    assert kept == {job.path for job in benchmark.jobs() if job.stored() is not None}
    assert all("text" not in json.loads(file.read_text()) for file in kept)
