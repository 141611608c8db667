"""Runs in processes of their own. Each takes seconds to start, so there are few."""

import multiprocessing
import os
import signal

import pytest

from gleanner.benchmark import pool
from gleanner.benchmark.measure import measure
from gleanner.cli.models import hush
from gleanner.training.reporter import Silent

PLAIN = {"name": "plain", "method.name": "plain"}
SAMPLING = {"name": "sampling", "method.name": "negative-sampling"}
FAILING = {"name": "failing", "method.name": "plain", "train": "empty.jsonl"}


class Listener:
    """Remembers what happens, and does something at the first score."""

    def __init__(self, at_score=None):
        self.at_score = at_score
        self.events = []

    def began(self, job):
        self.events.append(("began", str(job)))

    def went_on(self, job, state):
        if state.f1 is not None and self.at_score is not None:
            act, self.at_score = self.at_score, None
            act(job)

    def ended(self, job, measured):
        self.events.append(("ended", str(job)))

    def failed(self, job, reason):
        self.events.append(("failed", str(job), reason))


def interrupt(job):
    raise KeyboardInterrupt


def kill(job):
    for process in multiprocessing.active_children():
        os.kill(process.pid, signal.SIGKILL)


def numbers(run):
    """Without the losses, whose last digits depend on the number of threads."""
    return run.test, run.dev, [entry["f1"] for entry in run.history], run.counts.right.tolist()


@pytest.fixture
def straight(benchmark):
    """What a run gives that nothing interrupts."""

    def straight(row):
        (job,) = benchmark(row, output="straight").jobs()
        job.store(*measure(job, Silent()))
        return numbers(job.stored())

    return straight


def test_ctrl_c_ends_all_processes_and_the_same_call_goes_on(benchmark, straight):
    jobs = benchmark(PLAIN, SAMPLING).jobs()
    with pytest.raises(KeyboardInterrupt):
        pool.run(jobs, 2, Listener(interrupt), hush)
    assert multiprocessing.active_children() == []
    assert any(list(job.work.glob("model/stages/*/*.safetensors")) for job in jobs)
    assert pool.run([job for job in jobs if job.stored() is None], 2, Listener(), hush) == 0
    assert [numbers(job.stored()) for job in jobs] == [straight(PLAIN), straight(SAMPLING)]
    assert not (jobs[0].benchmark.output / "work").exists()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill")
def test_one_failure_does_not_stop_the_others(benchmark, straight):
    jobs = benchmark(FAILING, PLAIN, SAMPLING).jobs()
    heard = Listener(kill)
    assert pool.run(jobs, 1, heard, hush) == 2
    assert [event[0] for event in heard.events] == ["began", "failed", "began", "failed", "began", "ended"]
    assert "the training data has no entity" in heard.events[1][2]
    assert "the process ended with signal SIGKILL; perhaps there was not enough memory" in heard.events[3][2]
    assert [job.stored() is None for job in jobs] == [True, True, False]
    assert pool.run(jobs[1:2], 1, Listener(), hush) == 0
    assert numbers(jobs[1].stored()) == straight(PLAIN)


def test_a_bug_is_kept_with_its_traceback(benchmark, data):
    (job,) = benchmark(PLAIN).jobs()
    heard = Listener()
    assert pool.run([job], 1, heard, signal.default_int_handler) == 1  # what cannot be called without arguments
    assert heard.events[-1][0] == "failed"
    assert "TypeError" in heard.events[-1][2]
    assert "default_int_handler" in (job.work / "error.txt").read_text()
