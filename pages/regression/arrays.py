"""Arrays that the figure of the Linear regression page draws: lines, objectives, errors, and splits of ε."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import regression
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression import (
    METHODS,
    Comparison,
    Fits,
    NeighbouringRuns,
    Objective,
    OtherFits,
    RegressionParams,
    Setting,
    Shares,
    attacks,
)
from dpcore.experiments.regression.problem import ANSWERS
from dpcore.units import Unit
from ui.figure_kit.common import EPSILONS, array
from ui.figure_kit.estimates import difference_arrays, median_arrays, rate_arrays, unknown_arrays
from ui.figure_kit.outcomes import Someone, someone
from ui.live import OUTCOME, Array

__all__ = [
    "arrays",
    "of_fits",
    "of_method",
    "of_trials",
    "opening_arrays",
    "other_arrays",
    "outcome_arrays",
    "person_of",
]

Floats = NDArray[np.float64]
_N_EPSILON = len(EPSILON_GRID)
_FAR = 1e6


def arrays(
    params: RegressionParams, setting: Setting, results: Mapping[str, Any]
) -> dict[str, Array]:
    """Return all arrays of the figure.

    ``setting`` has the data. ``results`` maps the names of the pipeline's stages to the results computed so far.
    """
    fits, objective = results.get("fits"), results.get("objective")
    return {
        **_still(setting),
        **_lines(setting, fits),
        **_objective(setting, objective, fits),
        **_contours(params, objective),
        **_numbers(params, setting, fits),
        **_of_methods(setting, fits, results.get("comparison")),
        **_of_splits(results.get("shares"), results.get("tried")),
        **_of_neighbouring_runs(setting, results.get("neighbouring_runs")),
    }


def of_fits(
    params: RegressionParams, setting: Setting, fits: Fits, runs: NeighbouringRuns | None
) -> dict[str, Array]:
    """Return the arrays of the figure that change when a setting of private gradient descent changes.

    They hold the fitted lines, the errors of these lines, and an attacker's success. ``fits`` are the fits of private
    gradient descent. ``runs`` are fits on two neighbouring data sets, which the attacker tells apart; if ``runs`` is
    None, there are no arrays for the attacker.
    """
    return {
        **_lines(setting, fits),
        **_objective(setting, None, fits),
        **_numbers(params, setting, fits),
        **_quantiles(fits),
        **_of_neighbouring_runs(setting, runs),
    }


def _own_unit(setting: Setting, scaled: Floats) -> Floats:
    """Convert points (..., 2) from [-1, 1] to the units of the data; a point has the first feature and the target."""
    bounds = setting.bounds
    middle, half = (bounds.low[0] + bounds.high[0]) / 2, (bounds.high[0] - bounds.low[0]) / 2
    across = middle + half * scaled[..., 0]
    return np.stack([across, bounds.unscale_target(scaled[..., 1])], axis=-1)


def _still(setting: Setting) -> dict[str, Array]:
    shown = setting.shown
    return {
        "points": _points(setting),
        "points_scaled": array(shown),
        "zeros": Array(np.zeros(len(shown), np.int32), (None,)),
        "epsilon_now": array(EPSILONS, "epsilon"),
        "ends": array([setting.bounds.low[0], setting.bounds.high[0]]),
        "true_point_x": array(setting.best[0]),
        "true_point_y": array(setting.best[1]),
    }


def _at_ends(setting: Setting, theta: Floats) -> Floats:
    """Return the predictions (..., 2) of lines at both bounds of the first feature, at the means of other features.

    ``theta`` (..., D) has the D coefficients of each line.
    """
    base = theta[..., 0] + theta[..., 2:] @ setting.centre[2:]
    both = np.stack([base - theta[..., 1], base + theta[..., 1]], axis=-1)
    return setting.bounds.unscale_target(np.clip(both, -_FAR, _FAR))


def _many(curves: Floats) -> Floats:
    """Join m curves (m, E, p), of p points each, to one curve (E, m·(p + 1)) with gaps, for each of E values of ε."""
    parts = np.concatenate([curves, np.full((*curves.shape[:-1], 1), np.nan)], axis=-1)
    return parts.transpose(1, 0, 2).reshape(curves.shape[1], -1)


def _lines(setting: Setting, fits: Fits | None) -> dict[str, Array]:
    ends = [setting.bounds.low[0], setting.bounds.high[0]]
    m = 1 if fits is None else len(fits.coefficients)
    theta = _nothing(1, setting.n_features + 1).transpose(1, 0, 2)
    theta = theta if fits is None else fits.coefficients
    end_heights = _at_ends(setting, theta)
    ideal = setting.best if fits is None else fits.ideal
    return {
        "lines_x": array(np.tile([*ends, ends[0]], m)),
        "lines_y": array(_many(end_heights), "epsilon"),
        "line_y": array(end_heights[0], "epsilon"),
        "best_y": array(_at_ends(setting, setting.best)),
        "ideal_y": array(_at_ends(setting, ideal)),
    }


def outcome_arrays(setting: Setting, fits: Fits) -> dict[str, Array]:
    """Return, for every noise draw, the fitted line, its slope, and its typical error on new records."""
    half = (setting.bounds.target_high - setting.bounds.target_low) / 2
    errors = fits.test[: len(fits.coefficients)]
    return {
        **_over_outcomes(setting, fits.coefficients),
        "outcome_off": array(half * np.sqrt(errors).T, "epsilon", OUTCOME),
    }


def _over_outcomes(setting: Setting, theta: Floats, ending: str = "") -> dict[str, Array]:
    """Return lines and their slopes, in the units of the data, for every noise draw.

    ``theta`` (m, E, D) has the D coefficients of m draws at E values of ε. ``ending`` is appended to the array
    names.
    """
    bounds = setting.bounds
    unit = (bounds.target_high - bounds.target_low) / (bounds.high[0] - bounds.low[0])
    return {
        f"outcome_line{ending}": array(_at_ends(setting, theta).swapaxes(0, 1), "epsilon", OUTCOME),
        f"outcome_claim{ending}": array(unit * theta[..., 1].T, "epsilon", OUTCOME),
    }


def person_of(setting: Setting, params: RegressionParams, unit: Unit) -> Someone:
    """Return the person whose record the neighbouring data set replaces, with the positions of both records."""
    person = attacks.replaced(setting, params)
    home, away = (_own_unit(setting, place) for place in (person.home, person.away))
    first = attacks.person_row(setting, type(params)().person)
    return someone(home, _points(setting), person.row, first=first, unit=unit, away=away)


def other_arrays(setting: Setting, fits: OtherFits) -> dict[str, Array]:
    """Return the lines fitted to the neighbouring data set: a private line for every draw, and two without noise."""
    return {
        **_over_outcomes(setting, fits.coefficients, "_without"),
        "lines_y_without": array(_many(_at_ends(setting, fits.coefficients)), "epsilon"),
        "best_y_without": array(_at_ends(setting, fits.best)),
        "ideal_y_without": array(_at_ends(setting, fits.ideal)),
    }


def _points(setting: Setting) -> Array:
    return array(_own_unit(setting, setting.shown))


def _curves(a: Any, b: Any, lost: Any) -> Array:
    """Return noisy objectives at² - 2bt, parabolas in the slope t, as rows (a, b, lost) for every ε.

    The arguments have the axes (draws, ε) or (ε,). ``lost`` is 1 for an objective without a minimum, else 0.
    """
    a, b, lost = (np.atleast_2d(part).T for part in np.broadcast_arrays(a, b, lost))
    return array(np.stack([a, b, lost], axis=-1), "epsilon")


def _objective(
    setting: Setting, objective: Objective | None, fits: Fits | None
) -> dict[str, Array]:
    sums, n = setting.train, setting.n_samples
    a, b = (float(part) / n for part in regression.along(sums.quadratic, sums.linear, setting.best))
    by_name = {"true_parabola": array([[a, b, 0.0]])}
    if objective is None:
        slopes = _nothing(1) if fits is None else fits.coefficients[..., 1].T
        place = np.clip(np.stack([slopes, a * slopes**2 - 2 * b * slopes], -1), -_FAR, _FAR)
        zeros = Array(np.zeros(place.shape[1], np.int32), (None,))
        return by_name | {"landed": array(place, "epsilon"), "landed_labels": zeros}
    lost = np.zeros(objective.curvature.shape) if fits is None else fits.indefinite
    return by_name | {
        "parabolas": _curves(objective.curvature, objective.slope, lost),
        "parabola": _curves(objective.curvature[0], objective.slope[0], lost[0]),
        "fixed_parabola": _curves(objective.fixed_curvature, objective.fixed_slope, 0.0),
    }


def _contours(params: RegressionParams, objective: Objective | None) -> dict[str, Array]:
    if objective is None:
        return {}
    by_name: dict[str, Array] = {}
    # Heights that suit the true valley, whatever its steepness.
    unit = 1.7 * float(np.sqrt(max(np.linalg.det(objective.true_matrix), 1e-12)))
    pairs = {
        "raw": (objective.matrix, objective.point),
        "fixed": (objective.fixed_matrix, objective.fixed_point),
    }
    if params.repair == "none":
        del pairs["fixed"]
    for name, (matrix, point) in pairs.items():
        for side, curve in zip(
            ("up", "down"), regression.level_curves(matrix, point, unit), strict=True
        ):
            for axis, key in enumerate("xy"):
                inside = np.clip(curve[..., axis], -99, 99)
                by_name[f"{name}_{side}_{key}"] = array(inside, "epsilon")
        for axis, key in enumerate("xy"):
            by_name[f"{name}_point_{key}"] = array(np.clip(point[:, axis], -99, 99), "epsilon")
    low, middle, high = np.quantile(objective.lowest, (0.1, 0.5, 0.9), axis=0)
    by_name |= {
        "lowest_low": array(low),
        "lowest_middle": array(middle),
        "lowest_high": array(high),
        "lowest_now": array(middle, "epsilon"),
        "true_lowest": array(objective.true_lowest),
    }
    curve, _ = regression.level_curves(
        objective.true_matrix[None], objective.true_point[None], unit
    )
    by_name |= {f"true_{key}": array(curve[0, :, axis]) for axis, key in enumerate("xy")}
    return by_name


def _noise_to_signal(params: RegressionParams, setting: Setting) -> Floats:
    """Return, for every ε, the size of the noise on the matrix A, divided by the smallest eigenvalue of A.

    A is the matrix of the objective's quadratic term. The size of the noise is the standard deviation of the
    eigenvalues of the noise matrix, s·sd·√D:

    - s: noise scale.
    - sd: standard deviation of an off-diagonal element of unit noise.
    - D = d + 1: number of rows.
    """
    d = setting.n_features
    sd = regression.unit_noise(params, d, 1, np.random.default_rng(0)).off_diagonal_sd
    lowest = max(float(np.linalg.eigvalsh(setting.train.quadratic)[0]), 1e-9)
    return np.asarray(regression.noise_scales(params)[:-1] * sd * np.sqrt(d + 1) / lowest)


def _typical(setting: Setting, fits: Fits | None) -> dict[str, Array]:
    """Return the typical errors of private lines, of least squares and of a constant, and the slopes of the lines.

    A typical error is a root mean squared error. Errors and slopes are in the units of the data.
    """
    half = (setting.bounds.target_high - setting.bounds.target_low) / 2
    best = half * np.sqrt(float(setting.test.mse(setting.best)))
    across = (setting.bounds.high[0] - setting.bounds.low[0]) / 2
    unit = half / across  # of a slope on [-1, 1]: so much of the target for one more of the feature
    still = {"claim_best": array(unit * setting.best[1])} | {
        "best_off": array(best),
        "guess_off": array(half * np.sqrt(setting.guess_mse)),
    }
    if fits is None:
        return still | unknown_arrays("private_off", "noise_off", "cost_off", "claim") | {
            "draw_off": array(np.nan), "claim_draw": array(np.nan), "method_off": array(np.nan),
        }  # fmt: skip
    slopes = unit * fits.coefficients[..., 1]
    off, ideal = half * np.sqrt(fits.test), half * np.sqrt(fits.ideal_test)
    return {
        **still,
        **median_arrays("private_off", off, "epsilon"),
        **difference_arrays("noise_off", off - ideal, "epsilon"),
        **difference_arrays("cost_off", off - best, "epsilon"),
        "draw_off": array(off[0], "epsilon"),
        **median_arrays("claim", slopes, "epsilon"),
        "claim_draw": array(slopes[0], "epsilon"),
        "method_off": array(_price_of(ideal, best)),
    }


def _numbers(params: RegressionParams, setting: Setting, fits: Fits | None) -> dict[str, Array]:
    best, test = setting.best, setting.test
    best_test = float(test.mse(best))
    median = _nothing() if fits is None else np.median(fits.test, axis=0)
    train = _nothing() if fits is None else np.median(fits.train, axis=0)
    ideal = np.nan if fits is None else fits.ideal_test
    by_name = {
        "loss": array(median, "epsilon"),
        **_typical(setting, fits),
        "train_loss": array(train, "epsilon"),
        "best_test": array(best_test),
        "best_train": array(setting.train.mse(best)),
        "guess_test": array(setting.guess_mse),
        "guess_price": array(setting.guess_mse - best_test),
        "method_price": array(_price_of(ideal, best_test)),
        **(
            unknown_arrays("noise_price")
            if fits is None
            else difference_arrays("noise_price", fits.test - fits.ideal_test, "epsilon")
        ),
        "no_minimum": array(
            _nothing() if fits is None else fits.indefinite.mean(axis=0), "epsilon"
        ),
    }  # fmt: skip
    if params.stepwise:
        multipliers = regression.noise_multipliers(params, np.array(EPSILON_GRID))
        by_name["step_noise"] = array(multipliers, "epsilon")
    if params.objective:
        by_name["noise_signal"] = array(_noise_to_signal(params, setting), "epsilon")
    return by_name


def _nothing(*shape: int) -> Floats:
    return np.full((_N_EPSILON, *shape), np.nan)


def of_method(setting: Setting, comparison: Comparison | None, name: str) -> dict[str, Array]:
    """Return the arrays of the method ``name`` in the comparison of methods, with NaN for errors not computed yet.

    - Training and test error at every ε: the median, and the ends of the middle 80 %.
    - Excess error, the test error minus that of least squares: of the method without noise, and of the median with
      noise at every ε.
    """
    by_name: dict[str, Array] = {}
    for which in ("test", "train"):
        known = getattr(comparison, which).get(name) if comparison else None
        low, middle, high = np.full((3, _N_EPSILON), np.nan) if known is None else known
        by_name[f"{which}_{name}"] = array(middle)
        by_name[f"{which}_{name}_now"] = array(middle, "epsilon")
        by_name[f"{which}_{name}_span"] = array(np.stack([low, high], -1), "epsilon")
    best_test = float(setting.test.mse(setting.best))
    price = _price_of(comparison.ideal_test.get(name, np.nan) if comparison else np.nan, best_test)
    whole = (
        comparison.test[name][1] if comparison and name in comparison.test else _nothing()
    ) - best_test
    by_name[f"price_{name}"] = array([0.0, price])
    by_name[f"noise_{name}"] = array(np.stack([np.full(_N_EPSILON, price), whole], -1), "epsilon")
    return by_name


def _of_methods(
    setting: Setting, fits: Fits | None, comparison: Comparison | None
) -> dict[str, Array]:
    by_name: dict[str, Array] = {}
    for name in METHODS:
        by_name |= of_method(setting, comparison, name)
    by_name |= _quantiles(fits)
    own_share = _nothing() if fits is None else fits.indefinite.mean(axis=0)
    for name in ("printed", "tight", "joint", "gaussian"):
        share = comparison.indefinite.get(name) if comparison else None
        by_name[f"share_{name}"] = array(_nothing() if share is None else share)
    by_name["share_own"] = array(own_share)
    return by_name


def _quantiles(fits: Fits | None) -> dict[str, Array]:
    """Return the 10, 50 and 90 % quantiles of the training and test errors of the displayed fits, at every ε."""
    by_name: dict[str, Array] = {}
    for which in ("test", "train"):
        own = np.full((3, _N_EPSILON), np.nan) if fits is None else fits.quantiles(which)
        for name, values in zip(("low", "middle", "high"), own, strict=True):
            by_name[f"{which}_{name}"] = array(values)
    return by_name


def _of_splits(shares: Shares | None, tried: Floats | None) -> dict[str, Array]:
    if shares is None:
        return {}
    return {
        "variance": array(shares.variance),
        "tried_variance": array(np.column_stack([regression.TRIED, shares.tried_variance])),
        "tried_labels": Array(np.zeros(len(regression.TRIED), np.int32), (None,)),
        "excess": array(shares.excess[0] / shares.excess[0].min()),
        "least_share": array(shares.least),
        **{f"mark_{name}": array(at) for name, at in shares.marks.items()},
        **of_trials(tried),
    }


def of_trials(tried: Floats | None) -> dict[str, Array]:
    """Return the arrays of the median errors for twelve splits of ε between two noisy sums.

    ``tried`` (E, 12) has the errors at E values of ε. If it is None, the errors are NaN.
    """
    trial = _nothing(len(regression.TRIED)) if tried is None else tried
    best = trial.argmin(axis=1) if tried is not None else np.zeros(_N_EPSILON, int)
    x = np.broadcast_to(regression.TRIED, trial.shape)
    return {
        "tried_error": array(np.stack([x, trial], -1), "epsilon"),
        "tried_line": array(trial, "epsilon"),
        "tried_best": array(regression.TRIED[best], "epsilon"),
        "tried_least": array(trial[np.arange(_N_EPSILON), best], "epsilon"),
    }


def _of_neighbouring_runs(setting: Setting, runs: NeighbouringRuns | None) -> dict[str, Array]:
    if runs is None:
        return {}
    edge = np.array([[-1.0], [1.0]])
    base = setting.centre[2:]
    lines = {}
    for name, theta in (("here", setting.best), ("there", runs.best_there)):
        lines[f"{name}_line"] = array((theta[0] + theta[2:] @ base + theta[1] * edge)[:, 0])
    by_name = {
        f"{name}_points": array(
            np.clip(getattr(runs, name)[:40, :, :2], -99, 99).transpose(1, 0, 2), "epsilon"
        )
        for name in ("here", "there")
    }
    n = min(len(runs.here), 40)
    return {
        **lines,
        **by_name,
        "world_labels": Array(np.zeros(n, np.int32), (None,)),
        "person_away": array(runs.away[None]),
        "person_home": array(runs.home[None]),
        "one": Array(np.zeros(1, np.int32), (None,)),
        "here_counts": array(runs.here_counts, "epsilon"),
        "there_counts": array(runs.there_counts, "epsilon"),
        **rate_arrays("guessed", runs.guessed, runs.tries, "epsilon"),
    }


def _price_of(ideal: float, best: float) -> float:
    """Return ``ideal``, a method's error without noise, minus the ``best`` error; rounding errors are set to 0."""
    return 0.0 if abs(ideal - best) < 1e-9 * best else ideal - best


@cache
def opening_arrays() -> dict[str, Array]:
    """Return the density of an averaged answer, an attacker's success rate, and the total ε of all answers.

    There is an entry for every ε of one answer and every number of answers.
    """
    density = np.stack([attacks.averaged_density(n) for n in ANSWERS], axis=1)
    peak = density.max(axis=2, keepdims=True)
    right = np.stack([attacks.guesses_right(n) for n in ANSWERS], axis=1)
    return {
        "answers_there": array(density / peak, "epsilon", "answers"),
        "attacker_right": array(right, "epsilon", "answers"),
        "attacker_curve": array(right.T, "answers"),
        "answers_cost": array(np.outer(EPSILON_GRID, ANSWERS), "epsilon", "answers"),
    }
