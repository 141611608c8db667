import json

import pytest

from gleanner import read, write
from gleanner.benchmark import measure as module
from gleanner.benchmark.measure import measure, training_sentences
from gleanner.benchmark.store import Job
from gleanner.training.reporter import Silent

PLAIN = {"name": "plain", "method.name": "plain"}


class Stop(Silent):
    """Ends a run after its first evaluation, as a kill would."""

    def evaluated(self, entry):
        raise KeyboardInterrupt


def only(benchmark):
    (job,) = benchmark.jobs()
    return job


def told(measured):
    """What must not depend on how often a run was killed."""
    record = {key: measured.record[key] for key in ("test", "dev", "history")}
    return record | {"right": measured.counts.run.right.tolist(), "found": measured.counts.run.found.tolist()}


def test_a_run_and_what_is_kept_of_it(benchmark):
    job = only(benchmark(PLAIN))
    assert job.stored() is None
    measured = measure(job, Silent())
    job.store(*measured)
    run = job.stored()
    assert run.test["gold"] == job.benchmark.gold.sum() == 12
    assert run.counts.right.sum() == run.test["true_positives"]
    assert [entry["epoch"] for entry in run.history] == [1, 2]
    assert run.dev["f1"] == max(entry["f1"] for entry in run.history)
    assert run.history[int(run.dev["epoch"]) - 1]["f1"] == run.dev["f1"]
    assert run.seconds > 0
    assert run.memory["rss"] > 100
    assert run.memory["cuda"] is None
    assert "Euler" not in job.path.read_text()  # none of the text


def test_a_killed_run_goes_on_and_gives_the_same(benchmark, monkeypatch):
    straight = told(measure(only(benchmark(PLAIN, output="straight")), Silent()))
    job = only(benchmark(PLAIN))
    with pytest.raises(KeyboardInterrupt):
        measure(job, Stop())
    assert list(job.work.glob("model/stages/*/checkpoint.safetensors"))
    assert told(measure(job, Silent())) == straight


def test_a_run_that_was_killed_on_the_test_set_is_not_trained_again(benchmark, monkeypatch):
    job = only(benchmark(PLAIN))
    straight = measure(job, Silent())
    monkeypatch.setattr(module, "run", None)
    again = measure(job, Silent())
    assert told(again) == told(straight)
    assert again.record["seconds"] >= straight.record["seconds"] > 0


def test_the_beginning_of_another_run_is_of_no_use(benchmark, data, tiny_sentences):
    job = only(benchmark(PLAIN))
    with pytest.raises(KeyboardInterrupt):
        measure(job, Stop())
    write(tiny_sentences[:12], data / "train.jsonl")
    changed = told(measure(job, Silent()))
    assert changed == told(measure(only(benchmark(PLAIN, output="straight")), Silent()))


def test_nor_is_a_beginning_in_another_arithmetic(benchmark, monkeypatch):
    job = only(benchmark(PLAIN | {"training.precision": "auto"}))
    monkeypatch.setattr(module, "resolve", lambda *_: "another")
    with pytest.raises(KeyboardInterrupt):
        measure(job, Stop())
    (begun,) = job.work.glob("model/stages/*")
    monkeypatch.undo()
    measure(job, Silent())
    assert not begun.exists()


@pytest.mark.parametrize("change", ["data", "row", "settings", "nothing"])
def test_results_of_other_settings_or_data_do_not_count(benchmark, stored, data, change):
    stored(only(benchmark(PLAIN)), [0.5], "1", "1", "1")
    rows, keys = (PLAIN | {"every": 2} if change == "row" else PLAIN,), {}
    if change == "data":
        write(list(read(data / "train.jsonl"))[:3], data / "train.jsonl")
    if change == "settings":
        keys = {"settings": {"training.epochs": 9}}
    assert (only(benchmark(*rows, **keys)).stored() is None) == (change != "nothing")


def test_without_the_data_what_is_kept_is_believed(benchmark, stored, data):
    job = only(benchmark(PLAIN))
    stored(job, [0.5], "1", "1", "1")
    for file in data.iterdir():
        file.unlink()
    assert job.stored() is not None


def test_rows_choose_their_sentences(benchmark, data):
    rows = [
        PLAIN,
        {"name": "few", "method.name": "plain", "every": 3, "complete": True},
        {"name": "hidden", "method.name": "plain", "mask": 1.0},
        {"name": "others", "method.name": "plain", "train": "dev.jsonl"},
    ]
    table = benchmark(*rows, every=2)
    whole, few, hidden, others = (list(training_sentences(Job(table, row, 1))) for row in table.table.rows)
    train = list(read(data / "train.jsonl"))
    assert whole == train[::2]
    assert [sentence.words for sentence in few] == [sentence.words for sentence in train[::3]]
    assert all(sentence.complete for sentence in few)
    assert [sentence.words for sentence in hidden] == [sentence.words for sentence in whole]
    assert not any(sentence.entities for sentence in hidden)
    assert others == list(read(data / "dev.jsonl"))[::2]


def test_labels_of_one_s_own(benchmark, data):
    own = {"dictionaries": ["names.tsv", "phrases.txt:?"], "rules": {"case": "ignore"}}
    (data / "phrases.txt").write_text("Paris\n")
    job = only(benchmark(PLAIN | {"silver": own}))
    train = list(read(data / "train.jsonl"))
    sentences = list(training_sentences(job))
    assert [sentence.words for sentence in sentences] == [sentence.words for sentence in train]
    found = {(s.phrase(span).lower(), span.label) for s in sentences for span in s.spans}
    assert found <= {("euler", "PER"), ("marie curie", "PER"), ("london", "LOC"), ("paris", "?")}
    assert len(found) >= 2
    assert {"names.tsv", "phrases.txt"} <= set(job.key["files"])
    assert json.loads(json.dumps(job.key)) == job.key


def test_a_dictionary_alone(benchmark):
    job = only(benchmark({"name": "d", "dictionary": "names.tsv"}))
    record, counts = measure(job, Silent())
    assert record["test"]["precision"] == 1.0
    assert 0 < record["test"]["recall"] < 1
    assert record["test"]["true_positives"] == counts.run.found.sum()
    assert record["history"] == []


def test_a_dictionary_in_chinese_where_words_are_characters(benchmark, data, tiny_chinese):
    write(tiny_chinese, data / "test.jsonl")
    (data / "names.tsv").write_text("PER\t王小明\nPER\t欧拉\nLOC\t北京\n", encoding="utf-8")
    record, _ = measure(only(benchmark({"name": "d", "dictionary": "names.tsv"})), Silent())
    names = [sentence.phrase(span) for sentence in tiny_chinese for span in sentence.entities]
    wanted = sum(name.replace(" ", "") in ("王小明", "欧拉", "北京") for name in names)
    assert record["test"]["true_positives"] == record["test"]["predicted"] == wanted > 0


def test_somebodys_predictions(benchmark):
    record, counts = measure(only(benchmark({"name": "p", "predictions": "half.jsonl"})), Silent())
    assert record["test"]["precision"] == 1.0
    assert record["dev"] is None
    assert counts.score.gold == 12
    without_test = only(benchmark({"name": "p", "predictions": "dev.jsonl"}, test=None))
    assert measure(without_test, Silent()).record["dev"]["f1"] == 1.0


def test_predictions_of_other_sentences_are_compared_with_nothing(benchmark):
    job = only(benchmark({"name": "p", "predictions": "empty.jsonl", "gold": "train.jsonl"}))
    record, counts = measure(job, Silent())
    assert (record["test"]["gold"], record["test"]["recall"], counts) == (40, 0.0, None)
    job.store(record, counts)
    assert job.stored().counts is None
    assert not job.path.with_name("gold.json").exists()


def test_a_table_without_a_test_set_reads_none(benchmark, data):
    (data / "test.jsonl").unlink()
    record, counts = measure(only(benchmark(PLAIN, test=None)), Silent())
    assert record["test"] is None
    assert counts.run.right.sum() == record["dev"]["true_positives"]


def test_a_damaged_result_is_an_error(benchmark):
    job = only(benchmark(PLAIN))
    job.path.parent.mkdir(parents=True)
    job.path.write_text(json.dumps({"row": {}})[:5])
    with pytest.raises(Exception, match="remove it; the run is made again"):
        job.stored()
