"""Pages that are drawn before anybody comes: all made and kept, nothing started, nobody in the way."""

import logging
import threading
from dataclasses import dataclass, replace

import numpy as np
import pytest
import streamlit as st

from dpcore.experiments.params import Params
from ui import live
from ui.early import figure_store
from ui.embed import render_jobs
from ui.frame.page_spec import PageEntry, PageSpec
from ui.jobs import pool as jobs_module
from ui.jobs import pools, render_queue
from ui.live import Axis, Figure, Panel, array_files, layers
from ui.live.transport import Delivery, message
from ui.runner import Pipeline, Stage, View
from ui.server import cache_warmup


@dataclass(frozen=True, kw_only=True)
class Some(Params):
    """Nothing can be set."""


@pytest.fixture(autouse=True)
def store(monkeypatch, tmp_path):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(st, "session_state", {})
    found = array_files.Store(2**20)
    monkeypatch.setattr("ui.live.transport.PUBLIC", found)
    monkeypatch.setattr("ui.server.cache_warmup.PUBLIC", found)
    monkeypatch.setattr(figure_store, "PUBLIC", found)
    figure_store.forget()
    anew(monkeypatch)
    yield found
    figure_store.forget()


def anew(monkeypatch):
    """A new process knows of no results."""
    shared = jobs_module.Jobs()
    monkeypatch.setattr(pools, "shared_jobs", lambda: shared)


@pytest.fixture
def runs():
    return []


@pytest.fixture
def page(runs):
    def slow(problem, params, context):
        runs.append("slow")
        return np.linspace(0, 1, 5)

    def quick(problem, params, context):
        runs.append("quick")
        return np.ones(5)

    def figure(state):
        runs.append("figure")
        known = {
            name: live.Array(found.astype(np.float32), (None,))
            for name, found in state.results.items()
        }
        lines = [layers.Line(x=[0.0, 1.0, 2.0, 3.0, 4.0], y=name) for name in known]
        panel = Panel(
            key="a",
            title="A",
            x=Axis(range=(0, 4)),
            y=Axis(range=(0, 1)),
            layers=lines,
            alt="A line.",
        )
        return Figure(controls=[], values={}, panels=[panel], arrays=known)

    stages = [Stage("quick", quick, behind=False), Stage("slow", slow)]
    return PageSpec(
        key="some", title="Some", question="?", group="", params=Some, controls=[], figure=figure,
        pipeline=Pipeline(name="some", stages=stages), words=lambda state: runs.append("words"),
        meaning=lambda state: "It grows.", noise="It computes nothing of people.",
    )  # fmt: skip


def free():
    return True


def test_what_is_prepared_is_drawn_and_packed_and_nothing_is_started(
    page, runs, store, monkeypatch
):
    cache_warmup.draw([page], free=free)
    assert runs == ["quick", "figure", "words"], "what takes long is left to whoever asks for it"
    View("some", page.pipeline, Some()).make()
    anew(monkeypatch)
    runs.clear()
    cache_warmup.draw([page], free=free)
    assert runs == ["quick", "figure", "words"]
    state = page.pipeline.state(Some())
    assert state.busy is None
    assert sorted(state.results) == ["quick", "slow"]
    assert runs == ["quick", "figure", "words"], "and the first reader computes nothing"
    sent = message(page.figure(state), Delivery(store=store))["files"]
    files = [store.get(file["url"].rpartition("/")[2]) for file in sent]
    assert files
    assert all(file._parts is None for file in files), "compressed before anybody asks"


def test_a_page_whose_results_come_later_is_drawn_again_then(page, runs):
    cache_warmup.draw([page], free=free)
    assert not figure_store.is_there("some"), "a part is missing"
    runs.clear()
    assert cache_warmup.again([page], free=free) == [page]
    assert runs == [], "looking draws nothing"
    View("some", page.pipeline, Some()).make()
    assert cache_warmup.again([page], free=lambda: False) == [page]
    assert cache_warmup.again([page], free=free) == []
    assert figure_store.is_there("some")
    assert figure_store.on_page("/some", "")


def test_the_figures_of_a_page_without_a_pipeline_are_made(page, runs, store):
    made = page.figure(page.pipeline.still(Some()))
    cache_warmup.draw(
        [PageEntry(key="a", title="A", question="?", group="", first=lambda: [made])], free=free
    )
    assert store.nbytes > 0
    cache_warmup.draw([PageEntry(key="b", title="B", question="?", group="")], free=free)


def test_an_error_is_a_sentence_and_the_next_page_is_drawn(page, runs, caplog):
    def fails(state):
        raise ZeroDivisionError("secret")

    with caplog.at_level(logging.WARNING):
        cache_warmup.draw([replace(page, figure=fails), page], free=free)
    assert [record.getMessage() for record in caplog.records] == [
        "The page Some could not be drawn ahead (ZeroDivisionError): its first reader draws it."
    ]
    assert "words" in runs


def test_readers_go_first_and_the_end_ends_it(monkeypatch, page, runs):
    own = render_queue.RenderQueue()
    monkeypatch.setattr(render_queue, "is_idle", own.is_idle)
    cache_warmup._stopped.clear()
    with own.turn():
        assert not own.is_idle()
        drawing = threading.Thread(
            target=cache_warmup.draw, args=[[page]], kwargs={"free": cache_warmup._free}
        )
        drawing.start()
        drawing.join(0.2)
        assert runs == []
    drawing.join(30)
    assert "words" in runs
    runs.clear()
    cache_warmup.stop()
    cache_warmup.draw([page], free=cache_warmup._free)
    assert runs == []


def test_it_is_done_where_it_is_asked_for(monkeypatch, page, runs):
    imported = threading.Thread(target=lambda: None)
    imported.start()
    monkeypatch.setattr("dpcore.experiments.relevance.warm", lambda: runs.append("compiled"))
    for asked, done in (("", False), ("1", True)):
        monkeypatch.setenv(cache_warmup.AHEAD, asked)
        monkeypatch.setattr("gc.freeze", lambda: None)
        cache_warmup.start(lambda: [page], after=imported)
        for thread in threading.enumerate():
            if thread.name == render_jobs.AHEAD_THREAD:
                for _ in range(300):
                    if "compiled" in runs:
                        break
                    thread.join(0.1)
                cache_warmup.stop()
                thread.join(30)
                assert not thread.is_alive()
        assert ("words" in runs) is done
        assert runs.pop() == "compiled", "after the pages, or alone"
