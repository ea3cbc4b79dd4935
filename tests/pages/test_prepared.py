"""What is prepared for the real pages: it is what a page computes, and a page that finds it computes nothing."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import streamlit as st

from dpcore._serialize import pack
from dpcore.code_digest import modules
from dpcore.datasets import OwnChoices, own_table, read_csv
from pages import PAGES, specs
from pages.prepare import tour, work
from ui.frame.page_spec import PageSpec
from ui.jobs import pool as jobs_module
from ui.jobs import pools
from ui.runner.look import Look
from ui.runner.preparation import View

ROOT = Path(__file__).resolve().parents[2]
PIPELINES = [spec for spec in specs() if isinstance(spec, PageSpec)]
LOOK = "choose, look: diabetes"
QUICK = ("relevance, data: Iris", LOOK)


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def session(monkeypatch):
    shared = jobs_module.Jobs()
    monkeypatch.setattr(pools, "shared_jobs", lambda: shared)
    monkeypatch.setattr(st, "session_state", {})
    return st.session_state


def test_every_page_its_data_and_the_links_of_the_tour_are_prepared(monkeypatch, tmp_path):
    monkeypatch.delenv("DPCORE_DATA", raising=False)
    without = [view.name for view in work()]
    assert len(set(without)) == len(without)
    for spec in PIPELINES:
        assert f"{spec.key}, as it opens" in without
    there = {(view.plan.name, view.params) for view in work()}
    params = {spec.key: spec.params for spec in PIPELINES}
    assert {
        (key, params[key].from_link(link)[0]) for key, _, link, _ in tour() if key in params
    } <= there
    assert not any("mnist" in name or "own" in name for name in map(str.lower, without))
    (tmp_path / "mnist.npz").write_bytes(b"some")
    monkeypatch.setenv("DPCORE_DATA", str(tmp_path))
    assert any("mnist" in view.name.lower() for view in work())
    assert set(params) <= set(PAGES)


@pytest.mark.parametrize("name", QUICK)
def test_what_is_kept_is_what_a_page_computes_bit_by_bit(name, session, monkeypatch):
    view = next(view for view in work() if view.name == name)
    assert view.make() == []
    assert view.is_there()
    compared = 0
    look = Look(view.plan, view.params)
    for stage in view._stages(look):
        kept = look._job(stage)[2]
        found = kept.ready()
        if found is None or compared == 4:
            continue
        again, there = pack(kept.compute()), pack(found)
        assert all(np.array_equal(again[part], there[part]) for part in ("tree", "body")), (
            stage.name
        )
        compared += 1
    assert compared


OPENED = """
import sys
from ui.jobs import pool
from tests.pages import visits

ran = []
pool.Jobs._run = lambda self, job, work: ran.append(1) or None
page = visits.app("choose", dataset="diabetes", depth="understand")
assert not page.exception, page.exception
busy = visits.data(page)["busy"]
print("busy" if busy else "settled", "ran", len(ran))
"""


def opened():
    known = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", OPENED], cwd=ROOT, env=known, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def test_all_stages_of_choose_are_kept_and_a_page_that_finds_them_starts_nothing(
    session, monkeypatch
):
    """In this process, and in two servers at once that open the page for the first time."""
    ran = []
    monkeypatch.setattr(jobs_module.Jobs, "_run", lambda self, job, work: ran.append(work))
    view = next(view for view in work() if view.name == LOOK)
    view.plan.state(view.params)
    assert ran, "or this test says nothing"
    assert view.make() == []
    later = jobs_module.Jobs()
    monkeypatch.setattr(pools, "shared_jobs", lambda: later)
    session.clear()
    ran.clear()
    state = view.plan.state(view.params)
    assert (state.busy, ran) == (None, [])
    assert state["costs"].whole
    assert set(state["costs"].tried) == set(state.problem.methods)
    assert state["attack"].members.shape == state["attack"].others.shape == (50,)
    assert state["people"] is None  # its tab is not the one that opens
    readers = [opened() for _ in range(2)]
    for reader in readers:
        said, wrong = reader.communicate(timeout=600)
        assert said == "settled ran 0\n", wrong[-2000:]


def code_of(spec, stage):
    """The modules that a stage's result hangs on, as far as they are of the project."""
    reader = [spec.pipeline.data.run] if spec.pipeline.data else []
    packages = ("dpcore", "pages", "ui")
    return modules(stage.run, *reader, spec.params, packages=packages)


# A small page may stand in one module as a whole: then its results hang on its words as well.
APART = [spec for spec in PIPELINES if find_spec(f"pages.{spec.key}.pipeline")]


@pytest.mark.parametrize("spec", APART, ids=lambda spec: spec.key)
def test_a_result_hangs_on_what_computes_it_and_on_no_words_and_no_other_page(spec):
    for stage in spec.pipeline.stages:
        found = code_of(spec, stage)
        own = f"pages.{spec.key}"
        assert {f"{own}.pipeline", spec.params.__module__} <= found
        assert any(name.startswith("dpcore.experiments.") for name in found)
        assert {name for name in found if name.startswith("pages.")} <= {
            name for name in found if name.startswith(f"{own}.") or name == own
        }, "another page"
        last = {name.rpartition(".")[2] for name in found if name.startswith(f"{own}.")}
        assert last.isdisjoint(
            {"words", "meaning", "page", "spec", "figure", "exports", "controls"}
        )


def table(spec):
    rows = np.random.default_rng(1).uniform(0, 1, (40, 2))
    last = [
        f"{a + b}" if spec.key == "regression" else "uv"[i % 2] for i, (a, b) in enumerate(rows)
    ]
    lines = [f"{a},{b},{c}\n" for (a, b), c in zip(rows, last, strict=True)]
    task = "regression" if spec.key == "regression" else "classification"
    said = OwnChoices(task=task, target="c", features=("a", "b"))
    return own_table(read_csv(("a,b,c\n" + "".join(lines)).encode()), said)


OWN = [spec for spec in PIPELINES if spec.pipeline.data and spec.pipeline.data.own]


@pytest.mark.parametrize("spec", OWN, ids=lambda spec: spec.key)
def test_own_data_leave_nothing_on_disk(spec, session, place):
    data = spec.pipeline.data
    session[data.own] = table(spec)
    params = spec.params().but(**{data.choice: "own"})
    look = Look(spec.pipeline, params, starts=True)
    assert look.said == ""
    for stage in spec.pipeline.stages:
        _, _, kept = look._job(stage)
        if data.choice not in stage.ignored(params):
            assert kept.file is None, stage.name
            assert not kept.write(np.ones(3))
    for name in {stage.name for stage in spec.pipeline.stages[:1]}:
        assert look.now(spec.pipeline.stage(name)) is not None
    assert View(spec.key, spec.pipeline, params).make()
    assert not [path for path in place.rglob("*") if path.is_file()]
