"""What a glance at the news is told: it runs no page, and what is waited for goes on."""

import gc
import json
import threading
import time
from dataclasses import dataclass

import pytest
import streamlit as st

from dpcore.experiments.params import Params, control
from tests.ui.routed import routed
from ui.jobs import job_status, pools
from ui.jobs.job_status import Awaited
from ui.jobs.pool import Jobs
from ui.jobs.reports import Snapshot
from ui.runner import Cancelled, Pipeline, Stage, previews
from ui.server.job_status_routes import ROUTES

SHORT = Snapshot("half", 0.5, done=True, cancelled=True, version=1)
PATIENCE = 1.0  # of the jobs: one that nobody asks for stops after it


@dataclass(frozen=True)
class Numbers(Params):
    epsilon: float = control(1.0, symbol="ε", grid=(0.5, 1.0, 2.0))


class Steps:
    """Work in three steps, each of which is let go by a test."""

    def __init__(self):
        self.go, self.cut = threading.Semaphore(0), False

    def __call__(self, problem, params, context):
        for step in range(3):
            while not self.go.acquire(timeout=0.005):
                try:
                    context.check()
                except Cancelled:
                    self.cut = True
                    raise
            context.progress((step + 1) / 4)
            yield f"{params.epsilon} {step}"


@pytest.fixture
def session(monkeypatch):
    jobs, state = Jobs(workers=4, patience=PATIENCE), {}
    monkeypatch.setattr(pools, "shared_jobs", lambda: jobs)
    monkeypatch.setattr(st, "session_state", state)
    yield state
    jobs.close()


def page(*stages):
    return Pipeline(name="page", stages=stages)


def expecting(pipeline, better_from=0.0):
    """The watch of a figure that was just sent."""
    state = pipeline.state(Numbers(), near=("epsilon",))
    found = job_status.watch("page")
    assert found.expect(state.look.awaited(), better_from=better_from)
    return found


def until(met):
    for _ in range(4000):
        if met():
            return True
        time.sleep(0.005)
    return False


def test_no_news_while_nothing_is_known_then_news_with_each_better_result_and_the_last(session):
    steps = Steps()
    pipeline = page(Stage("sweep", steps, doing="Trying"))
    for _ in range(3):
        watch = expecting(pipeline)
        assert watch.answer()["news"] is False
        steps.go.release()
        assert until(lambda watch=watch: watch.answer()["news"])
    state = pipeline.state(Numbers())
    assert state.busy is None or until(lambda: pipeline.state(Numbers()).busy is None)
    assert pipeline.state(Numbers()).look.awaited() == [], "nothing is waited for any more"


def test_one_more_of_many_better_results_waits_for_its_time_and_the_last_does_not(session):
    steps = Steps()
    pipeline = page(Stage("sweep", steps, doing="Trying"))
    expecting(pipeline)
    steps.go.release()
    assert until(lambda: pipeline.state(Numbers())["sweep"])
    watch = expecting(pipeline, better_from=time.monotonic() + 600)
    steps.go.release()
    assert until(lambda: watch.answer().get("busy", {}).get("progress") == 0.5)
    assert watch.answer()["busy"]["text"].startswith("Trying")
    assert watch.answer()["news"] is False
    steps.go.release()
    assert until(lambda: watch.answer()["news"])


def test_a_preview_that_grows_is_no_news_until_it_is_whole(session):
    steps = Steps()
    watch = expecting(page(*previews(steps, "epsilon", doing="Drawing {}")))
    steps.go.release(2)
    assert until(lambda: watch.answer().get("busy", {}).get("progress") == 0.5)
    assert "ε" in watch.answer()["busy"]["text"]
    assert watch.answer()["news"] is False
    steps.go.release()
    assert until(lambda: watch.answer()["news"])


def test_glances_keep_the_work_going_and_without_them_it_stops(session):
    steps = Steps()
    watch = expecting(page(Stage("sweep", steps, doing="Trying")))
    end = time.monotonic() + 2.5 * PATIENCE
    while time.monotonic() < end:
        assert watch.answer()["news"] is False
        time.sleep(0.02)
    assert not steps.cut
    assert until(lambda: steps.cut)
    assert until(lambda: watch.answer()["news"]), "it is gone: the page has to start it again"


def test_what_this_session_has_stopped_is_not_waited_for(session):
    steps = Steps()
    pipeline = page(Stage("sweep", steps, doing="Trying"))
    expecting(pipeline)
    pipeline.cancel(Numbers())
    assert pipeline.state(Numbers()).look.awaited() == []


def test_a_whole_result_in_place_of_one_that_was_cut_short_is_news(session):
    jobs = pools.shared_jobs()

    watch = job_status.watch("page")
    watch.expect([Awaited(jobs, "key", SHORT)], better_from=time.monotonic() + 600)
    assert jobs.now("key", lambda: "whole") == "whole"  # for another session
    now = jobs.peek("key")
    assert (now.done, now.version) == (SHORT.done, SHORT.version), "or this test says nothing"
    assert watch.answer() == {"news": True}


def asked(path):
    """What the route alone answers."""
    status, headers, body = routed(path, ROUTES)
    return status, headers["cache-control"], json.loads(body)


@pytest.mark.parametrize("prefix", ["", "/class/dp"])
def test_a_browser_hears_of_its_own_page_alone_and_nothing_is_kept(session, prefix):
    watch = expecting(page(Stage("sweep", Steps(), doing="Trying")))
    status, kept, found = asked(f"{prefix}/news/{watch.token}")
    assert (status, kept, found["news"]) == (200, "no-store", False)
    assert asked(f"{prefix}/news/another") == (200, "no-store", {"news": True})


def test_a_watch_ends_with_its_session(session):
    token = expecting(page(Stage("sweep", Steps(), doing="Trying"))).token
    assert job_status.answer(token)["news"] is False
    session.clear()
    gc.collect()
    assert job_status.answer(token) == {"news": True}
