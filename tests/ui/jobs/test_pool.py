"""Background jobs: results arrive, can be stopped, never grow without bound."""

import queue
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from ui.jobs.pool import Jobs
from ui.jobs.reports import Report, Snapshot


@dataclass
class Sized:
    nbytes: int


@pytest.fixture
def jobs():
    return Jobs(workers=2, max_bytes=1000, patience=30)


def until_done(jobs, key, work):
    for _ in range(2000):
        snapshot = jobs.poll(key, work, wait=0.01)
        if snapshot.done:
            return snapshot
        threading.Event().wait(0.005)
    raise AssertionError("the job never ended")


def test_stages_improve_the_answer(jobs):
    gate = threading.Event()

    def work(report, cancelled):
        report(Report("rough", 0.5, "half way"))
        gate.wait(10)
        report(Report("fine", 1.0))

    first = jobs.poll("a", work, wait=10)
    assert (first.value, first.fraction, first.text, first.done) == (
        "rough",
        0.5,
        "half way",
        False,
    )
    assert first.seconds_left is not None
    gate.set()
    last = until_done(jobs, "a", work)
    assert (last.value, last.done, last.cancelled) == ("fine", True, False)


def test_result_is_kept_and_not_computed_again(jobs):
    runs = []

    def work(report, cancelled):
        runs.append(1)
        report(Report(1, 1.0))

    until_done(jobs, "a", work)
    until_done(jobs, "a", work)
    assert len(runs) == 1


def test_cancel_keeps_what_there_is(jobs):
    def work(report, cancelled):
        report(Report("rough", 0.1))
        while not cancelled():
            threading.Event().wait(0.001)
        report(Report(None, 0.2))

    assert jobs.poll("a", work, wait=10).value == "rough"
    jobs.cancel("a")
    ended = until_done(jobs, "a", work)
    assert ended.cancelled
    assert (ended.value, ended.fraction) == ("rough", 0.2)


def test_job_nobody_asks_for_stops_and_can_start_again():
    jobs = Jobs(patience=0.05)
    stopped, runs = threading.Event(), []

    def work(report, cancelled):
        runs.append(1)
        while not cancelled():
            threading.Event().wait(0.001)
        stopped.set()
        report(Report("late", 0.5))

    jobs.poll("a", work)
    assert stopped.wait(10)
    for _ in range(1000):
        if jobs.peek("a") is None:
            break
        threading.Event().wait(0.005)
    assert jobs.peek("a") is None
    jobs.poll("a", work)
    assert stopped.wait(10)


def test_a_job_that_is_left_stops_sooner_unless_somebody_else_asks(monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("ui.jobs.pool.time", SimpleNamespace(monotonic=lambda: clock[0]))
    jobs, answers, asked = Jobs(patience=5), queue.Queue(), queue.Queue()

    def work(report, cancelled):
        while asked.get(timeout=10):
            answers.put(cancelled())

    def stops():
        asked.put(True)
        return answers.get(timeout=10)

    jobs.poll("a", work)
    clock[0] += 1
    jobs.leave("a")
    clock[0] += 2.4
    assert not stops()
    jobs.poll("a", work)  # somebody else
    clock[0] += 2.6
    assert not stops()
    jobs.leave("a")
    jobs.leave("nothing of that name")
    assert not stops()
    clock[0] += 2.6
    assert stops()
    asked.put(False)
    jobs.close()


def test_old_results_leave_when_the_bound_is_reached(jobs):
    for key in range(5):
        until_done(jobs, key, lambda report, _: report(Report(Sized(400), 1.0)))
    jobs.poll(4, lambda report, _: None)
    kept = [key for key in range(5) if jobs.peek(key)]
    assert kept[-1] == 4
    assert len(kept) <= 2


def test_bad_input_becomes_its_sentence_and_a_bug_only_its_class(jobs, caplog):
    def bad(report, cancelled):
        raise ValueError("clip_norm=-1 is not allowed: give a number above 0.")

    def bug(report, cancelled):
        raise KeyError("secret cell")

    assert until_done(jobs, "bad", bad).error.startswith("clip_norm=-1")
    assert "KeyError" in until_done(jobs, "bug", bug).error
    assert "secret" not in caplog.text + until_done(jobs, "bug", bug).error


def test_work_that_fails_after_it_was_told_to_stop_has_not_failed(jobs, caplog):
    begun = threading.Event()

    def ends_with_the_process(report, cancelled):
        report(Report("part", 0.5))
        begun.set()
        while not cancelled():
            threading.Event().wait(0.002)
        raise RuntimeError("cannot schedule new futures after interpreter shutdown")

    jobs.poll("late", ends_with_the_process)
    assert begun.wait(30)
    jobs.cancel("late")
    found = until_done(jobs, "late", ends_with_the_process)
    assert (found.value, found.cancelled, found.error) == ("part", True, "")
    assert caplog.text == ""


def test_a_job_says_what_it_does_and_how_long_it_will_take():
    assert Snapshot().words("Training") == "Training"
    assert (
        Snapshot(text="draw 3", seconds_left=4.4).words("Drawing")
        == "Drawing: draw 3, about 4 s left"
    )
    assert Snapshot(seconds_left=0.1).words("Drawing") == "Drawing, about 1 s left"
    assert Snapshot(done=True, text="draw 3").words("Drawing") == ""


def test_work_that_was_told_to_stop_hears_nothing_else_afterwards():
    jobs, heard = Jobs(workers=1, patience=0.05), []
    gate, asked_again = threading.Event(), threading.Event()

    def work(report, cancelled):
        threading.Event().wait(0.2)  # nobody asks meanwhile
        heard.append(cancelled())
        gate.set()
        asked_again.wait(10)
        heard.append(cancelled())

    jobs.poll("slow", work)
    assert gate.wait(10)
    jobs.poll("slow", work)  # somebody comes back just then
    asked_again.set()
    for _ in range(500):
        if len(heard) == 2:
            break
        threading.Event().wait(0.01)
    assert heard == [True, True]


def test_many_who_ask_at_once_wait_for_the_one_that_makes_it(jobs):
    made, begun, go = [], threading.Event(), threading.Event()

    def make():
        made.append(threading.get_ident())
        begun.set()
        assert go.wait(10)
        return "made"

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(jobs.now, "a", make)
        assert begun.wait(10)
        others = [pool.submit(jobs.now, "a", make) for _ in range(6)]
        assert jobs.now("b", lambda: "another") == "another"  # is not held up
        go.set()
        assert {found.result(10) for found in (first, *others)} == {"made"}
    assert len(made) == 1


def test_one_who_fails_to_make_it_leaves_it_to_the_next(jobs):
    def fails():
        raise ValueError("no such data")

    with pytest.raises(ValueError, match="no such data"):
        jobs.now("a", fails)
    assert jobs.now("a", lambda: 3) == 3


def test_one_whose_script_is_ended_takes_nobody_with_it(jobs):
    begun, go = threading.Event(), threading.Event()

    class Ended(BaseException):
        """As Streamlit ends the script of a reader who goes on."""

    def ends():
        begun.set()
        assert go.wait(10)
        raise Ended

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(jobs.now, "a", ends)
        assert begun.wait(10)
        other = pool.submit(jobs.now, "a", lambda: "made")
        go.set()
        assert other.result(10) == "made"
        assert isinstance(first.exception(10), Ended)
