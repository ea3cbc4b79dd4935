"""Prepared results: found where they are whole and of this code, else computed as if there were none."""

import errno
from dataclasses import dataclass

import numpy as np
import pytest
import streamlit as st

from dpcore import disk_cache
from dpcore.experiments.params import Params, control
from ui.jobs import pool as jobs_module
from ui.jobs import pools
from ui.runner import Data, Pipeline, Stage, View, prepared_result

DATA = "dataset"


@dataclass(frozen=True, kw_only=True)
class Some(Params):
    dataset: str = control("iris", choices=("iris", "own"))
    seed: int = control(0, low=0, high=9)


class Problem:
    pass


@pytest.fixture(autouse=True)
def session(monkeypatch, tmp_path):
    monkeypatch.setenv("DPCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(st, "session_state", {})
    restarted(monkeypatch)
    return st.session_state


def restarted(monkeypatch):
    """What a new server knows: nothing."""
    shared = jobs_module.Jobs()
    monkeypatch.setattr(pools, "shared_jobs", lambda: shared)
    st.session_state.clear()


@pytest.fixture
def runs():
    return []


@pytest.fixture
def page(runs):
    def slow(problem, params, context):
        runs.append(params.seed)
        problem.best = np.ones(2)
        return np.random.default_rng(params.seed).normal(size=50)

    stage = Stage("slow", slow, rests_on=("best",), wait=30.0)
    data = Data("data", lambda upload, params, context: Problem(), own="own_data")
    return Pipeline(name="page", stages=[stage], data=data)


def files():
    return sorted(disk_cache.folder().rglob("page-slow-*.npz"))


def test_a_prepared_result_is_there_at_once_and_the_same(page, runs, monkeypatch):
    view = View("page", page, Some())
    assert not view.is_there()
    assert view.make() == []
    assert view.is_there()
    assert runs == [0]
    made = page.state(Some())["slow"]
    restarted(monkeypatch)
    state = page.state(Some())
    assert runs == [0], "found, not computed"
    assert state.busy is None
    assert state["slow"].tobytes() == made.tobytes()
    assert (state.problem.best == 1).all(), "and what the problem knew then"
    restarted(monkeypatch)
    assert (page.still(Some(), "slow")["slow"] == made).all()
    assert page.state(Some(seed=1))["slow"] is not None
    assert runs == [0, 1]
    assert view.make() == []
    assert runs == [0, 1], "what is there is skipped"


def test_what_other_code_has_made_is_not_shown(page, runs, monkeypatch):
    View("page", page, Some()).make()
    (file,) = files()
    monkeypatch.setattr(prepared_result, "code_digest", lambda *functions, packages: "other code")
    restarted(monkeypatch)
    page.state(Some())
    assert runs == [0, 0]
    assert not View("page", page, Some()).is_there()
    assert file.exists()


def test_another_file_of_data_is_another_result(page, runs, monkeypatch):
    View("page", page, Some()).make()
    monkeypatch.setattr(prepared_result.datasets, "mark", lambda name: "another file")
    page.state(Some())
    assert runs == [0, 0]
    monkeypatch.setattr(prepared_result.datasets, "mark", lambda name: None)
    restarted(monkeypatch)
    assert page.state(Some())["slow"] is not None
    assert runs == [0, 0, 0]


DAMAGES = {
    "short": lambda raw: raw[: len(raw) // 2],
    "flipped": lambda raw: raw[:300] + bytes([raw[300] ^ 8]) + raw[301:],
    "foreign": lambda raw: b"not ours",
    "empty": lambda raw: b"",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_computed_and_replaced(page, runs, monkeypatch, damage):
    view = View("page", page, Some())
    view.make()
    (file,) = files()
    whole = disk_cache.read(file)[0]
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    assert not view.is_there()
    restarted(monkeypatch)
    state = page.state(Some())
    assert runs == [0, 0]
    assert state.error == ""
    assert (state["slow"] == whole).all()
    assert (disk_cache.read(file)[0] == whole).all()
    assert view.is_there()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_takes_nothing_is_said_when_preparing_and_no_matter_to_a_page(
    page, runs, monkeypatch, number
):
    def refuse(*args, **options):
        raise OSError(number, "no")

    monkeypatch.setattr(np, "savez_compressed", refuse)
    view = View("page", page, Some())
    (sentence,) = view.make()
    assert "cannot be written to, or the disk is full" in sentence
    assert not view.is_there()
    restarted(monkeypatch)
    state = page.state(Some())
    assert state["slow"] is not None
    assert (state.error, runs) == ("", [0, 0])
    assert runs == [0, 0]
    assert files() == []


def test_own_data_are_neither_looked_for_nor_kept(page, runs, session, monkeypatch):
    asked = []
    monkeypatch.setattr(disk_cache, "result_file", lambda *a, **k: asked.append(a))
    session["own_data"] = object()
    assert page.state(Some(dataset="own"))["slow"] is not None
    assert page.state(Some(dataset="own")).now("slow") is not None
    assert runs
    assert asked == []
    assert "own" in View("page", page, Some(dataset="own")).make()[0]
    assert not disk_cache.folder().exists()


def test_what_is_never_kept_is_no_failure(monkeypatch):
    stage = Stage("pictures", lambda *given: [lambda: 0], wait=30.0)
    page = Pipeline(name="page", stages=[stage])
    view = View("page", page, Some())
    assert view.make() == []
    assert view.is_there()
    assert page.state(Some())["pictures"]


def test_many_who_ask_at_once_read_it_once():
    shared, reads = jobs_module.Jobs(), []
    for _ in range(3):
        shared.offer("key", lambda: reads.append(1) or np.ones(2))
    assert reads == [1]
    assert shared.peek("key").whole
    shared.offer("other", lambda: None)
    assert shared.peek("other") is None
    shared.close()
