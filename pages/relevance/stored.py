"""Stored trainings that the Relevance learning page, and the figure at the top of Home, show when they open."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from dpcore import disk_cache
from dpcore.experiments import relevance
from dpcore.experiments.relevance import Outcomes, RelevanceParams, Sweep
from ui.runner.prepared_result import opening_file

__all__ = ["N_DRAWS", "OPENING", "stored_outcomes", "stored_sweep", "write_opening"]

OPENING = opening_file("relevance", "trainings")
N_DRAWS = 40
"""Number of trainings with other noise."""


def stored_sweep(params: RelevanceParams) -> Sweep | None:
    """Return the stored trainings at every ε, or None if their parameters differ from ``params`` in more than ε."""
    found = _read()[0] if _opens(params) else None
    return None if found is None else replace(found, params=params)


def stored_outcomes(params: RelevanceParams) -> Outcomes | None:
    """Return the stored trainings with other noise, or None if their parameters differ in more than ε."""
    found = _read()[1] if _opens(params) else None
    return None if found is None else replace(found, params=params)


def _opens(params: RelevanceParams) -> bool:
    default_params = RelevanceParams()
    return params.but(epsilon=default_params.epsilon) == default_params


@cache
def _read() -> tuple[Sweep | None, Outcomes | None]:
    found: tuple[Sweep, Outcomes] | None = disk_cache.read(OPENING)
    return found or (None, None)


def write_opening(file: Path = OPENING) -> None:
    """Train with the page's default parameters, and write the results to a file."""
    usual = RelevanceParams()
    problem = relevance.problem_of(usual)
    person = relevance.chosen_person(problem, usual)
    *_, outcomes = relevance.run_outcomes(problem, usual, person, n_draws=N_DRAWS)
    disk_cache.write(file, (relevance.run_sweep(problem, usual), outcomes))
