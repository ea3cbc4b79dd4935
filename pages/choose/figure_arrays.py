"""Arrays that the figure of the Choose ε page draws, most of them with one entry per ε.

The arrays hold errors of methods and of groups of records, shares of right membership guesses, sufficient numbers of
people, and the total ε of several planned results.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcore.audit import PointedAt
from dpcore.experiments import choose
from dpcore.experiments.choose import GOAL_GRID, ChooseParams, Costs, People, Problem
from dpcore.experiments.choose.problem import RELEASES_GRID, TABLES_GRID, YEARS_GRID
from dpcore.experiments.choose.releases import COUNTS
from pages.choose.people_axis import bounds
from pages.choose.reading import Reading
from ui.figure_kit.common import EPSILONS, array
from ui.live import Array

__all__ = ["CROWD", "CROWD_SHAPE", "arrays", "attacks", "of_costs", "of_groups"]

Floats = NDArray[np.float64]
_E = len(EPSILONS)
CROWD = 1000
"""Number of records in the pictogram of wrong answers."""
_COLUMNS = 34
CROWD_SHAPE = (_COLUMNS, math.ceil(CROWD / _COLUMNS))
"""Columns and rows of the pictogram."""


def arrays(
    problem: Problem,
    params: ChooseParams,
    costs: Costs | None,
    attack: PointedAt | None,
    people: People | None,
    display: Reading,
    hulls: Floats | None = None,
) -> dict[str, Array]:
    """Return all arrays of the figure, with NaN for results that are not computed yet.

    ``display`` converts errors into the user's unit. ``hulls`` (E,) is the total ε of all planned results, if they
    are computed by affine hulls.
    """
    methods = choose.methods_at(params, problem, costs)
    return {
        "epsilon_now": array(EPSILONS, "epsilon"),
        **of_costs(problem, params, costs, display),
        **(_crowd(params.chosen(problem.methods), costs) if problem.classifies else {}),
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
    """Return the median error of every method at every ε, and the middle 80 % of the selected method's errors."""
    factor = display.factor
    shown = _quantiles(costs, params.chosen(problem.methods)) * factor
    curves = {
        f"error_{name}": array(_quantiles(costs, name)[1] * factor) for name in problem.methods
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


def _quantiles(costs: Costs | None, method: str) -> Floats:
    """Return the 10, 50 and 90 % quantiles (3, E) of a method's error at every ε; NaN stands for unknown ones."""
    if costs is None or not _is_tried(costs, method):
        return np.full((3, _E), np.nan)
    return costs.quantiles(method)


def _is_tried(costs: Costs, method: str) -> bool:
    return method == "best" or method in costs.tried


def _crowd(chosen: str, costs: Costs | None) -> dict[str, Array]:
    """Return the positions of a thousand dots (records), and how many get a wrong answer with and without privacy.

    The number with privacy follows from the median error of the method ``chosen`` at every ε. The positions are in
    random order, so that the first k dots are scattered over the picture.
    """
    columns, rows = CROWD_SHAPE
    k = np.random.default_rng(0).permutation(CROWD)
    places = np.stack([k % columns + 0.5, rows - 0.5 - k // columns], -1)
    wrong = np.round(CROWD * _quantiles(costs, chosen)[1])
    plain = np.nan if costs is None else round(CROWD * costs.best)
    return {
        "crowd": array(places),
        "wrong": array(wrong, "epsilon"),
        "wrong_plain": array(plain),
        "wrong_more": array(wrong - plain, "epsilon"),
        **_named(places, wrong, plain),
    }


def _named(places: Floats, wrong: Floats, plain: float) -> dict[str, Array]:
    """Return the positions of the two dots that have a label in the pictogram.

    The first dot stands for records that get a wrong answer even without privacy, the second for records that get a
    wrong answer only with privacy. A dot has one position for all ε; it is NaN where there is no such record.
    """
    x, y = CROWD_SHAPE
    made = {}
    always = plain if np.isnan(wrong).all() else min(plain, np.nanmin(wrong))
    least = plain if np.isnan(wrong).all() else max(np.nanmin(wrong), plain + 1)
    for name, first, last, height in (("anyway", 0, always, 0.78), ("privacy", plain, least, 0.3)):
        place = np.full(2, np.nan)
        if np.isfinite(last) and last > first:
            some = places[int(first) : int(last)]
            place = some[np.abs(some - (0.2 * x, height * y)).sum(axis=1).argmin()]
        shown = np.ones(_E, bool) if name == "anyway" else wrong > plain
        made[f"{name}_x"] = array(place[0])
        made[f"{name}_y"] = array(np.where(shown, place[1], np.nan), "epsilon")
    return made


def of_groups(
    problem: Problem, params: ChooseParams, costs: Costs | None, display: Reading
) -> dict[str, Array]:
    """Return the mean errors of the selected method at every ε, for groups of records.

    The arrays hold the error of each displayed group, of the worst group, and of all records together.
    """
    groups, chosen = problem.groups(params.group, params.least), params.chosen(problem.methods)
    rows = np.full((len(groups), _E), np.nan)
    everybody = np.full(_E, np.nan)
    if costs and _is_tried(costs, chosen):
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
    """Return the error limits that a reader can set, in the user's unit, and the smallest sufficient ε for each.

    The entry is NaN if no ε suffices.
    """
    goals = [choose.goal_error(problem, goal) for goal in GOAL_GRID]
    chosen = params.chosen(problem.methods)
    answers = [
        choose.needed(costs, goal, chosen) if costs and _is_tried(costs, chosen) else None
        for goal in goals
    ]
    return {
        "goal_at": array(np.array(goals) * display.factor, "goal"),
        "needed": array([a.epsilon if a else np.nan for a in answers], "goal"),
    }


def _of_people(problem: Problem, people: People | None, display: Reading) -> dict[str, Array]:
    """Return the measured and the extrapolated errors against the number of people, at every ε."""
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
    """Return the number of people (goal, ε) that keeps the error below each error limit (goal) at each ε.

    The number is NaN if it is unknown.
    """
    goals = [choose.goal_error(problem, goal) for goal in GOAL_GRID]
    rows = [np.full(_E, np.nan) if people is None else people.enough(goal) for goal in goals]
    return array(rows, "goal", "epsilon")


def _tables(problem: Problem) -> dict[str, Array]:
    """Return the typical and the large error of a noisy count and of a noisy mean, at every ε.

    Half of all noise draws have an error above the typical error, and a tenth have an error above the large one.
    Errors of the count are in people, errors of the mean in per cent of the range.
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
    """Return arrays on the k results that are planned about the same records, k = releases · years · tables.

    - The total ε of all k results, at every ε of one result.
    - The ε that one result may have, at every total ε.
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
    """Return how many of 100 membership guesses are right at every ε.

    The arrays hold the largest number that the guarantee allows, the number that the best known attack on the
    noise reaches, and the number that the attack on trained models reaches.
    """
    proof = np.array(bounds(choose.guarantee(params, problem)))
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
