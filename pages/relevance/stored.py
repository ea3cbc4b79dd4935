"""Stored trainings with which the Relevance learning page opens, and with it the figure at the top of Home."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from dpcore.experiments import relevance
from dpcore.experiments.relevance import Outcomes, RelevanceParams, Sweep

__all__ = ["N_DRAWS", "OPENING", "stored_outcomes", "stored_sweep", "write_opening"]

OPENING = Path(__file__).resolve().parents[2] / "assets" / "relevance" / "opening.npz"
N_DRAWS = 40
"""Number of trainings with other noise."""
R = TypeVar("R", Sweep, Outcomes)


def stored_sweep(params: RelevanceParams) -> Sweep | None:
    """Return the stored trainings at every ε, or None if ``params`` are not those with which the page opens."""
    return _read(Sweep, "sweep", params.epsilon) if _opens(params) else None


def stored_outcomes(params: RelevanceParams) -> Outcomes | None:
    """Return the stored trainings with other noise, or None if ``params`` are not those with which the page opens."""
    return _read(Outcomes, "outcomes", params.epsilon) if _opens(params) else None


def _opens(params: RelevanceParams) -> bool:
    default_params = RelevanceParams()
    return params.but(epsilon=default_params.epsilon) == default_params


@cache
def _read(kind: type[R], name: str, epsilon: float) -> R:
    with np.load(OPENING) as file:
        found: dict[str, Any] = {
            one.name: file[f"{name}.{one.name}"] for one in fields(kind) if one.name != "params"
        }
    return kind(params=RelevanceParams(epsilon=epsilon), **found)


def write_opening(file: Path = OPENING) -> None:
    """Train with the page's default parameters, and write the results to a file."""
    usual = RelevanceParams()
    problem = relevance.problem_of(usual)
    person = relevance.chosen_person(problem, usual)
    *_, outcomes = relevance.run_outcomes(problem, usual, person, n_draws=N_DRAWS)
    results: dict[str, Sweep | Outcomes] = {
        "sweep": relevance.run_sweep(problem, usual), "outcomes": outcomes
    }  # fmt: skip
    arrays = {
        f"{name}.{one.name}": getattr(result, one.name)
        for name, result in results.items()
        for one in fields(result)
        if one.name != "params"
    }
    file.parent.mkdir(exist_ok=True)
    np.savez_compressed(file, **arrays)
