"""The work of the page Linear regression: Cancel ends all of it, and each result knows what it needs."""

import numpy as np
import pytest

from dpcore.experiments import regression
from dpcore.experiments.regression import RegressionParams
from pages.regression.pipeline import PIPELINE
from ui.jobs import pools
from ui.jobs.pool import Jobs
from ui.jobs.reports import Snapshot
from ui.live.depth import Depth


class Recorder(Jobs):
    """Begins nothing; remembers what was asked for and what was cancelled."""

    def __init__(self):
        super().__init__()
        self.begun, self.cancelled = set(), set()

    def poll(self, key, work, *, wait=0.0):
        if key[1] == "data":
            return super().poll(key, work, wait=30)
        self.begun.add(key)
        return Snapshot()

    def cancel(self, key):
        self.cancelled.add(key)


@pytest.fixture
def jobs(monkeypatch):
    found = Recorder()
    monkeypatch.setattr(pools, "shared_jobs", lambda: found)
    yield found
    found.close()


TABS = ("No minimum?", "All methods", "The split of ε")
NEAR = ("n_samples", "n_features", "delta")


def visited(params):
    """Ask as a reader does who opens every tab and comes near every handle."""
    for tab in TABS:
        PIPELINE.state(params, tab=tab, near=NEAR)


@pytest.mark.parametrize("method", ["printed", "tight", "descent"])
def test_cancel_ends_every_job_the_page_began(jobs, method):
    params, names = RegressionParams(dataset="diabetes", method=method), set()
    for tab in TABS:
        assert PIPELINE.state(params, tab=tab, near=NEAR).busy
        names |= {key[1] for key in jobs.begun}
        PIPELINE.cancel(params)
        assert jobs.begun <= jobs.cancelled
    assert names >= {
        "comparison",
        "tried",
        "page n_samples",
        "trials n_features",
        "descents n_samples",
    }


def test_another_method_asks_for_no_other_comparison_and_no_other_trials(jobs):
    for method in ("printed", "joint", "adassp"):
        visited(RegressionParams(dataset="diabetes", method=method))
    counted = [key[1] for key in jobs.begun]
    assert counted.count("comparison") == counted.count("tried") == 1
    assert counted.count("page n_samples") == 3


def test_no_handle_of_delta_is_drawn_for_a_method_without_it(jobs):
    visited(RegressionParams(dataset="diabetes", method="printed"))
    assert "page delta" not in {key[1] for key in jobs.begun}
    visited(RegressionParams(dataset="diabetes", method="gaussian"))
    assert "page delta" in {key[1] for key in jobs.begun}


def test_a_descent_has_fewer_draws_while_a_handle_moves(jobs):
    params = RegressionParams(dataset="diabetes", method="descent", n_samples=50, n_features=10)
    whole = PIPELINE.state(params)["fits"]
    assert len(whole.test) == regression.N_DRAWS
    moved = PIPELINE.state(params.but(n_samples=100), dragging=True)["fits"]
    assert len(moved.test) == 8
    assert PIPELINE.state(params, dragging=True)["fits"] is whole


def test_data_that_cannot_be_had_are_said_and_others_shown(jobs):
    state = PIPELINE.state(RegressionParams(dataset="own"))
    assert "not in use yet" in state.said
    assert "The patients with diabetes are shown instead." in state.said
    assert state.params.dataset == "diabetes"
    assert np.isfinite(state["fits"].test).any()


def test_at_look_only_what_it_shows_is_asked_for(jobs):
    state = PIPELINE.state(
        RegressionParams(dataset="diabetes"), depth=Depth.LOOK, near=("n_samples", "n_features")
    )
    assert not jobs.begun, "neither handle is there at Look"
    assert [name for name, value in state.results.items() if value is not None] == [
        "fits",
        "other_fits",
    ]
