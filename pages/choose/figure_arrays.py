"""Numerical arrays of the figure of Choose ε: errors, groups and attackers over ε, in the user's unit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore.audit import PointedAt
from dpcore.experiments import choose
from dpcore.experiments.choose import GOAL_GRID, ChooseParams, Costs, People, Problem
from dpcore.experiments.choose.params import RELEASES_GRID, TABLES_GRID, YEARS_GRID
from dpcore.experiments.choose.releases import COUNTS
from pages.choose.reading import Reading
from ui.figure_kit.common import EPSILONS, array
from ui.live import Array

__all__ = ["arrays", "attacks", "of_costs", "of_groups"]

Floats = NDArray[np.float64]
_E = len(EPSILONS)


def arrays(
    problem: Problem,
    params: ChooseParams,
    costs: Costs | None,
    attack: PointedAt | None,
    people: People | None,
    display: Reading,
    hulls: Floats | None = None,
) -> dict[str, Array]:
    """Return all arrays of the figure; NaN where a result is missing."""
    methods = choose.methods_at(params, problem, costs)
    return {
        "epsilon_now": array(EPSILONS, "epsilon"),
        **of_costs(problem, params, costs, display),
        **of_groups(problem, params, costs, display),
        **attacks(problem, params, attack, methods),
        **_backwards(problem, params, costs, display),
        **_of_people(problem, people, display),
        "people_now": _enough(problem, people),
        **_left(problem, params, methods, hulls),
        **_tables(problem),
    }


def of_costs(
    problem: Problem, params: ChooseParams, costs: Costs | None, display: Reading
) -> dict[str, Array]:
    """Return the arrays of every method's median error over ε, and of the selected method's spread."""
    nothing, factor = np.full((3, _E), np.nan), display.factor
    chosen = params.chosen(problem.methods)
    known = costs.tried if costs else {}
    shown = nothing
    if costs and (chosen == "best" or chosen in known):
        shown = costs.quantiles(chosen) * factor
    curves = {
        f"error_{name}": array(
            (known[name].quantiles()[1] if name in known else nothing[0]) * factor
        )
        for name in problem.methods
    }
    return curves | {
        "low": array(shown[0]),
        "middle": array(shown[1]),
        "high": array(shown[2]),
        "error_now": array(shown[1], "epsilon"),
        "high_now": array(shown[2], "epsilon"),
        "best": array(np.nan if costs is None else costs.best * factor),
        "trivial": array(np.nan if costs is None else costs.trivial * factor),
    }


def of_groups(
    problem: Problem, params: ChooseParams, costs: Costs | None, display: Reading
) -> dict[str, Array]:
    """Return the mean error of every displayed group and of all records over ε, and the largest group error at
    every ε.
    """
    groups, chosen = problem.groups(params.group, params.least), params.chosen(problem.methods)
    rows = np.full((len(groups), _E), np.nan)
    everybody = np.full(_E, np.nan)
    if costs and (chosen == "best" or chosen in costs.tried):
        rows = costs.by_group(problem, params.group, chosen, params.least) * display.factor
        everybody = costs.everybody(problem, chosen) * display.factor
    curves = {f"group_{k}": array(row) for k, row in enumerate(rows)}
    return curves | {
        "everybody": array(everybody),
        "worst_now": array(rows.max(axis=0) if len(rows) else np.full(_E, np.nan), "epsilon"),
        "everybody_now": array(everybody, "epsilon"),
    }


def _backwards(
    problem: Problem, params: ChooseParams, costs: Costs | None, display: Reading
) -> dict[str, Array]:
    """Return the error limits in the user's unit, and the ε that each requires; NaN if no ε suffices."""
    goals = [choose.goal_error(problem, goal) for goal in GOAL_GRID]
    chosen = params.chosen(problem.methods)
    known = costs and (chosen == "best" or chosen in costs.tried)
    answers = [choose.needed(costs, goal, chosen) if costs and known else None for goal in goals]
    return {
        "goal_at": array(np.array(goals) * display.factor, "goal"),
        "needed": array([a.epsilon if a else np.nan for a in answers], "goal"),
    }


def _of_people(problem: Problem, people: People | None, display: Reading) -> dict[str, Array]:
    """Return measured and extrapolated errors against the number of people, for every ε."""
    if people is None:
        one = np.full((_E, 1), np.nan)
        names = ("measured", "beyond_low", "beyond_middle", "beyond_high")
        none = {name: array(one, "epsilon") for name in names}
        return none | {"sizes": array([1.0]), "beyond": array([1.0])}
    curves = {
        "measured": people.measured,
        "beyond_low": people.low,
        "beyond_middle": people.middle,
        "beyond_high": people.high,
    }
    return {
        "sizes": array(people.sizes),
        "beyond": array(people.beyond),
        **{name: array(choose.between(part).T * display.factor, "epsilon")
           for name, part in curves.items()},
    }  # fmt: skip


def _enough(problem: Problem, people: People | None) -> Array:
    """Return the number of people that each error limit requires at every ε, axes (goal, ε); NaN if unknown."""
    goals = [choose.goal_error(problem, goal) for goal in GOAL_GRID]
    rows = [np.full(_E, np.nan) if people is None else people.enough(goal) for goal in goals]
    return array(rows, "goal", "epsilon")


def _tables(problem: Problem) -> dict[str, Array]:
    """Return arrays of the typical and the large errors of a noisy count and a noisy mean, at every ε.

    Errors of the count are in people, errors of the mean in per cent of the range. Half of all draws exceed the
    typical error, a tenth exceed the large one.
    """
    count, mean = choose.count_error(EPSILONS), choose.mean_error(EPSILONS, problem.n_samples)
    return {
        "count": array(count),
        "count_high": array(choose.count_error(EPSILONS, 0.9)),
        "mean": array(100 * mean),
        "mean_high": array(100 * choose.mean_error(EPSILONS, problem.n_samples, 0.9)),
        "count_now": array(count, "epsilon"),
        "mean_now": array(100 * mean, "epsilon"),
    }


def _left(
    problem: Problem, params: ChooseParams, methods: list[str | None], hulls: Floats | None
) -> dict[str, Array]:
    """Return the arrays on publishing k = releases · years · tables results about the same records, for every ε.

    They hold the total ε of the k results, and the ε that each result may have if their total is to be ε.
    """
    k = np.array(RELEASES_GRID)[:, None, None] * np.array(YEARS_GRID)[:, None] * TABLES_GRID
    dims = ("releases", "years", "tables")
    place = np.searchsorted(COUNTS, k)
    total = choose.together(problem, methods, params.delta, COUNTS)
    if hulls is not None and methods[0] == "hulls":
        total[COUNTS.index(params.n_releases)] = hulls
    each = choose.each_may_cost(problem, methods, params.delta, COUNTS)
    return {
        "n_releases": array(k, *dims),
        "together": array(np.minimum(total, 1e4)[place], *dims),
        "added": array(k[..., None] * np.array(EPSILONS), *dims),
        "each": array(each[place], *dims),
        "together_now": array(total[place], *dims, "epsilon"),
        "each_now": array(each[place], *dims, "epsilon"),
    }


def attacks(
    problem: Problem, params: ChooseParams, attack: PointedAt | None, methods: list[str | None]
) -> dict[str, Array]:
    """Return how many of 100 guesses are right, at every ε: the proved maximum, and the attacks on noise and on
    models.
    """
    proof = choose.most_right(EPSILONS, params.delta)
    knows = choose.best_attack(problem, methods, params.delta)
    seen = np.full(_E, np.nan) if attack is None else attack.right
    each = seen[None] if attack is None or attack.each is None else attack.each.right
    low, high = np.quantile(each, (0.1, 0.9), axis=0)
    return {
        "proof": array(100 * proof),
        "knows": array(100 * knows),
        "seen": array(100 * seen),
        "proof_at": array(100 * proof, "epsilon"),
        "proof_now": array(np.ceil(1000 * proof - 1e-9) / 1000, "epsilon"),  # said as a bound
        "knows_now": array(knows, "epsilon"),
        "seen_now": array(seen, "epsilon"),
        "seen_low": array(np.round(100 * low), "epsilon"),
        "seen_high": array(np.round(100 * high), "epsilon"),
    }
