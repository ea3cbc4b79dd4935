"""Many trainings in two worlds: with one person, and without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.descent import descend
from dpcore.experiments.descent.budget import levels
from dpcore.experiments.descent.data import Problem
from dpcore.experiments.descent.params import DescentParams
from dpcore.experiments.descent.sweep import GRID, field

__all__ = ["N_DRAWS", "Outcomes", "chosen_person", "run_outcomes"]

Floats = NDArray[np.float64]
N_DRAWS = 40


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """D draws of chance at V noise levels.

    ``accuracy`` (D, V) with the person; ``with_record`` and ``without_record`` (D, V): the score z
    that the released model gives to the person's own record, towards their own class; ``agreement``
    (V, 28, 28): the share of the draws whose model says class 1 there, rows from the bottom up.
    """

    accuracy: Floats
    with_record: Floats
    without_record: Floats
    agreement: Floats


def chosen_person(problem: Problem, params: DescentParams) -> int:
    """Return the record that the two worlds differ in."""
    order = problem.surprise()
    return int(order[min(round(params.person / 100 * (len(order) - 1)), len(order) - 1)])


def run_outcomes(
    problem: Problem,
    params: DescentParams,
    *,
    n_draws: int = N_DRAWS,
) -> Iterator[Outcomes]:
    """Yield better and better outcomes, one draw more each time; everybody else's coins are the same.

    Parameters
    ----------
    problem : Problem
        Data and model.
    params : DescentParams
        How it is trained, and who is the person.
    n_draws : int
        How many draws, ≥ 1.

    Yields
    ------
    Outcomes
    """
    who = chosen_person(problem, params)
    noise = levels(params) * (params.parts in ("both", "noise"))
    side = 1.0 if problem.y[who] > 0 else -1.0
    rows: list[tuple[Floats, Floats, Floats]] = []
    says_one = np.zeros((len(noise), GRID, GRID))
    for draw in range(1, n_draws + 1):
        worlds = [_train(problem, params, noise, draw, without) for without in (None, who)]
        scores = [side * problem.model.scores(w, problem.X[[who]])[:, 0] for w in worlds]
        rows.append((problem.accuracy(worlds[0]), scores[0], scores[1]))
        says_one += field(problem, worlds[0]) > 0.5
        accuracy, with_record, without_record = (
            np.array(column) for column in zip(*rows, strict=True)
        )
        yield Outcomes(
            accuracy=accuracy,
            with_record=with_record,
            without_record=without_record,
            agreement=says_one / draw,
        )


def _train(
    problem: Problem, params: DescentParams, noise: Floats, draw: int, without: int | None
) -> Floats:
    path = descend(
        problem.model, problem.X, problem.y, params.recipe(), noise,
        sgd.Streams.of(params.seed, draw), snapshots=np.array([params.n_steps]), without=without,
    )  # fmt: skip
    return path.weights[:, 0]
