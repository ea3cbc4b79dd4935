"""The regression page's work: what the page began, its Cancel ends."""

import pytest

from dpcore.experiments.regression import RegressionParams, named_problem
from pages.regression import pipeline as compute
from ui.jobs import Jobs, Snapshot


class Recorder(Jobs):
    """Begins nothing; remembers what was asked for and what was cancelled."""

    def __init__(self):
        super().__init__()
        self.begun, self.cancelled = set(), set()

    def poll(self, key, work, *, wait=0.0):
        self.begun.add(key)
        return Snapshot()

    def cancel(self, key):
        self.cancelled.add(key)


@pytest.mark.parametrize("method", ["printed", "tight", "descent"])
def test_cancel_ends_every_job_the_page_began(monkeypatch, method):
    jobs = Recorder()
    monkeypatch.setattr(compute.shell, "jobs", lambda: jobs)
    params = RegressionParams(dataset="diabetes", method=method)
    found = compute.answer(named_problem("diabetes"), params, dragging=False)
    assert found.busy
    assert {key[0] for key in jobs.begun} >= {"regression methods", "regression line"}
    compute.cancel(params)
    assert jobs.begun <= jobs.cancelled
