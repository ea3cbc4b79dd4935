"""The relevance page's work: what it starts, what its handles leave alone, what it knows of own data."""

import threading

import numpy as np
import pytest
import streamlit as st

from dpcore.datasets import OwnChoices, load, own_table, read_csv
from dpcore.experiments.relevance import Problem, RelevanceParams
from dpcore.experiments.relevance import params as module
from pages.relevance import pipeline
from pages.relevance.figure import figure
from pages.relevance.pipeline import PIPELINE
from ui.jobs import pools
from ui.jobs.pool import Jobs

PARAMS = RelevanceParams(dataset="iris", prototypes_per_class=1, epochs=1)


@pytest.fixture(autouse=True)
def jobs(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(pipeline, "N_DRAWS", 2)
    jobs = Jobs()
    monkeypatch.setattr(pools, "shared_jobs", lambda: jobs)
    yield jobs
    for each in (jobs, st.session_state.get("own_jobs")):
        if each:
            each.close()


def until(good, params=PARAMS):
    for _ in range(3000):
        state = PIPELINE.state(params)
        if good(state):
            return state
        threading.Event().wait(0.02)
    raise AssertionError("it never came")


def test_a_settled_page_gets_the_sweep_then_draws_and_previews():
    state = until(lambda state: not state.busy)
    assert len(state["sweep"].nodes) > 1
    assert len(state["outcomes"].errors) == 2
    assert set(state.previews()) == {
        "clip_norm", "learning_rate", "init_share", "prototypes_per_class", "sample_rate",
    }  # fmt: skip
    assert PIPELINE.state(PARAMS.but(epsilon=5.0, person=50)).results["sweep"] is state["sweep"]
    moved = PIPELINE.state(PARAMS.but(seed=7, person=50), dragging=True)
    assert len(moved["sweep"].nodes) == 1
    assert moved["outcomes"].errors.shape[1] == 1  # for the person alone who is being moved


def test_a_handle_that_comes_by_a_value_again_gets_what_was_drafted_there():
    """Where pictures are the prototypes, each number of them is trained when the handle comes by."""
    params = RelevanceParams(dataset="iris", epochs=1, seed=11)
    st.session_state.clear()
    first = {
        m: PIPELINE.state(params.but(prototypes_per_class=m), dragging=True)["sweep"]
        for m in (2, 3, 4)
    }
    again = {
        m: PIPELINE.state(params.but(prototypes_per_class=m), dragging=True)["sweep"] for m in first
    }
    for m, sweep in again.items():
        assert sweep is first[m]
        direct = pipeline.relevance.draft_sweep(
            Problem(load("iris"), m), params.but(prototypes_per_class=m)
        )
        np.testing.assert_array_equal(sweep.errors, direct.errors)


def test_pictures_have_no_preview_of_how_many_they_are():
    names = {stage.name for stage in PIPELINE.stages
             if stage.when is None or stage.when(Problem(load("digits"), 1), PARAMS)}  # fmt: skip
    assert "preview prototypes_per_class" not in names


def test_the_best_prototypes_are_found_again_for_data_that_were_made_anew(monkeypatch):
    monkeypatch.setattr(module, "_DRAFT_SIZE", 0)
    for problem in (Problem(load("iris"), 1), Problem(load("iris"), 1)):
        monkeypatch.setattr(pipeline.relevance, "problem_of", lambda *_, found=problem: found)
        assert not problem.best_known
        state = until(lambda state, problem=problem: problem.best_known and state["sweep"])
        assert state.problem is problem
        assert len(until(lambda state: len(state["sweep"].nodes) > 1)["sweep"].nodes) > 1


def table(seed):
    rows = np.random.default_rng(seed).uniform(0, 1, (20, 2))
    raw = "a,b,kind\n" + "".join(f"{a},{b},{'uv'[i % 2]}\n" for i, (a, b) in enumerate(rows))
    said = OwnChoices(task="classification", target="kind", features=("a", "b"))
    return own_table(read_csv(raw.encode()), said)


def test_own_data_stay_in_their_session_and_another_table_is_another_question(jobs):
    params = PARAMS.but(dataset="own")
    found = []
    for seed in (1, 2):
        st.session_state["own_data"] = table(seed)
        found.append(until(lambda state: len(state["sweep"].nodes) > 1, params))
    assert [state.problem.dataset for state in found] != [found[0].problem.dataset] * 2
    assert (found[0]["sweep"].errors != found[1]["sweep"].errors).any()
    assert not jobs._jobs
    del st.session_state["own_data"]
    assert "Your own table is not in use yet" in PIPELINE.state(params).said


def test_a_card_shows_medians_where_the_draws_are_known_and_this_draw_elsewhere():
    params = RelevanceParams(dataset="iris", prototypes_per_class=1, epochs=1)
    before = PIPELINE.still(params, "sweep", stored=("outcomes",))
    PIPELINE.still(params, "outcomes")
    after = PIPELINE.still(params, "sweep", stored=("outcomes",))
    assert len(after["outcomes"].errors) == 2
    notes = [figure(state).read(figure(state).readouts[0])[1] for state in (before, after)]
    assert notes[0] == "this draw"
    assert notes[1].startswith("median of 2 trainings")
