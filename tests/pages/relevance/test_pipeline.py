"""The relevance page's computations: what was known of data that are no longer kept is found again."""

import time

from dpcore.datasets import load
from dpcore.experiments.relevance import Problem, RelevanceParams
from dpcore.experiments.relevance import problem as module
from pages.relevance import pipeline as compute
from ui.jobs import Jobs


def test_the_best_prototypes_are_found_again_for_data_that_were_made_anew(monkeypatch):
    monkeypatch.setattr(module, "_QUICK_SIZE", 0)
    jobs = Jobs()
    monkeypatch.setattr(compute.shell, "jobs", lambda: jobs)
    params = RelevanceParams(dataset="iris", epochs=1)
    for problem in (Problem(load("iris"), 1), Problem(load("iris"), 1)):
        assert not problem.best_known
        for _ in range(300):
            answer = compute.answer(problem, params, dragging=False)
            if problem.best_known and len(answer.sweep.nodes) > 1:
                break
            time.sleep(0.1)
        assert problem.best_known
        assert len(answer.sweep.nodes) > 1
    compute.cancel(params)
