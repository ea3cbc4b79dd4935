"""The matrix page's work: what it starts, what waits to be asked for, what is shown instead."""

import threading

import pytest
import streamlit as st

from dpcore.experiments import matrix
from dpcore.experiments.matrix import MatrixParams
from pages.matrix.pipeline import PIPELINE
from ui.jobs import pools
from ui.jobs.pool import Jobs

PARAMS = MatrixParams(dataset="iris", epochs=1)


@pytest.fixture(autouse=True)
def jobs(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(matrix, "n_draws_for", lambda problem: 2)
    monkeypatch.setattr(matrix.outcomes, "n_draws_for", lambda problem: 2)
    jobs = Jobs()
    monkeypatch.setattr(pools, "shared_jobs", lambda: jobs)
    yield jobs
    jobs.close()


def until(good):
    for _ in range(3000):
        found = good()
        if found:
            return found
        threading.Event().wait(0.02)
    raise AssertionError("it never came")


def test_a_settled_page_gets_the_study_then_previews_and_draws():
    assert len(PIPELINE.state(PARAMS, dragging=True)["study"].sweep.nodes) == 1

    def whole():
        state = PIPELINE.state(PARAMS)
        return None if state.busy else state

    state = until(whole)
    assert len(state["study"].sweep.nodes) > 1
    assert len(state["outcomes"].errors) == 2
    assert set(state.previews()) == set(matrix.LINES)
    assert state["spread"] is None  # only when it is asked for
    moved = PIPELINE.state(PARAMS.but(epsilon=5.0, matrix_noise_std=0.0), dragging=True)
    assert moved["study"] is state["study"]
    assert moved["outcomes"] is state["outcomes"]


def test_the_spread_goes_on_while_it_is_asked_for_and_stops_with_the_rest(monkeypatch):
    begun = threading.Event()

    def spread(problem, params, *, progress, check):
        begun.set()
        while True:
            check()
            threading.Event().wait(0.005)

    monkeypatch.setattr(matrix, "run_spread", spread)
    PIPELINE.ask("spread", PARAMS)
    assert begun.wait(10)
    PIPELINE.state(PARAMS)
    assert not PIPELINE.ask("spread", PARAMS.but(epsilon=5.0)).done
    PIPELINE.cancel(PARAMS)
    assert until(lambda: PIPELINE.ask("spread", PARAMS).cancelled)


def test_data_that_are_not_to_be_had_are_said(monkeypatch):
    monkeypatch.setattr(matrix, "draft_study", lambda problem, params: problem)
    own = PIPELINE.state(PARAMS.but(dataset="own"), dragging=True)
    assert own.said.startswith("Your own table is not in use yet")
    monkeypatch.setattr("dpcore.datasets.available", lambda name: name != "har")
    har = PIPELINE.state(PARAMS.but(dataset="har"), dragging=True)
    assert "DPCORE_DATA" in har.said
    for state in (own, har):
        assert state.said.endswith("Breast cancer is shown instead.")
        assert state.params.dataset == "breast_cancer"
