"""Measured noise of the trainings on the prototype pages, to check the claimed ε.

The noise is in initialization, steps and lots (batches).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from dpcore import accounting, sgd
from dpcore.audit.claims import NoiseDraw, loop_noise, reached, steps_event
from dpcore.audit.noise_accounting import calls
from dpcore.experiments.grids import DELTA_GRID, EPOCHS_GRID, EPSILON_GRID
from dpcore.experiments.relevance import Problem, RelevanceParams, budget
from dpcore.guarantee import Guarantee
from dpcore.lvq import init, matrix_train, train

__all__ = ["prototype_noise"]


def prototype_noise(
    run: Callable[[], object], problem: Problem, params: RelevanceParams
) -> Iterator[NoiseDraw]:
    """Measure the noise in a training, first in the steps, then in the initialization.

    The noise is measured at the ε of ``params``. Steps are left out if their lots have no records.

    Parameters
    ----------
    run : callable
        Function that runs the page's training; it is interrupted before its main loop.
    problem, params
        The learning problem, and the page's parameters.
    """
    trains_matrix = problem.first is not None
    module = matrix_train if trains_matrix else train
    promised = budget.guarantee(params, problem)
    with calls(init, "start") as starts:
        args, named = reached(module, "sweep", run)
    lots = next(one for one in args if isinstance(one, sgd.Lots))
    K = int(np.sum(np.asarray(named["noise_multiplier"]) > 0))
    measured = loop_noise(module, named, matrix=trains_matrix)[:K]
    nodes = np.asarray(named["noise_multiplier"], float)[:K]
    where = DELTA_GRID.index(params.delta), EPOCHS_GRID.index(params.epochs)
    place = budget.index_table(params, nodes)[EPSILON_GRID.index(params.epsilon), *where]
    sigma = float(np.exp(np.interp(place, np.arange(K), np.log(measured))))
    steps = budget.n_steps(params.epochs, params.sample_rate)
    relation, fixed = budget.neighbouring(params), params.lots == "fixed"
    part = promised.parts[-1]
    if lots.indices.size:
        yield NoiseDraw(
            what=f"{steps} steps", promised=promised, neighbouring=relation, epsilon=part.epsilon, delta=part.delta,
            event=steps_event(sigma, lots, len(problem.y), steps, fixed=fixed), least=0.7, room=0.03,
        )  # fmt: skip
    yield _start(starts[-1][1], round(float(place)), nodes, problem.X.shape[1], params, promised)


def _start(
    named: dict[str, Any], level: int, nodes: Any, d: int, params: Any, promised: Guarantee
) -> NoiseDraw:
    """Measure the noise of the initialization on class counts and on class sums, one after the other.

    While the noise on one of them is measured, the other has no noise.
    """
    many, large, loud = 300, 1e8, 1e4
    scales = {key: float(np.asarray(named[key])[level]) for key in ("count_scale", "sum_scale")}

    def spread(name: str, sums: float) -> float:
        noise_scales: dict[str, Any] = {
            key: loud * scale if key == name else 0.0 for key, scale in scales.items()
        }
        means = init.start(
            np.full((many, 20), sums), np.full(many, large), kind=named["kind"], project=False,
            rng=np.random.default_rng(0), **noise_scales,
        )  # fmt: skip
        return float(large / loud * np.asarray(means, float).std())

    on_sums, on_counts = spread("sum_scale", 0.0), spread("count_scale", large)
    twice = 2.0 if params.lots == "fixed" else 1.0
    if named["kind"] == "laplace":
        cost = twice * math.sqrt(2) * (1 / on_counts + d / on_sums)
        event: accounting.Event = accounting.Repeated(accounting.Pure(cost / 2), 2)
    else:
        reach = twice * math.hypot(1 / on_counts, math.sqrt(d) / on_sums)
        event = accounting.GaussianEvent(1 / reach)
    return NoiseDraw(
        what="start", promised=promised, event=event, least=0.5, room=0.08,
        epsilon=float(budget.start_epsilons(params, nodes)[level]),
        delta=0.0 if named["kind"] == "laplace" else params.delta / 2,
    )  # fmt: skip
