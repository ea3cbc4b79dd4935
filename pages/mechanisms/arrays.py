"""Numerical arrays of the figure of Mechanisms, in the units of the question."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import mechanisms
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.mechanisms import MechanismsParams, Outputs, Query
from dpcore.experiments.mechanisms.additive import ALPHA
from dpcore.experiments.mechanisms.params import ANSWERS, GROUP_GRID, PEOPLE_GRID
from dpcore.mechanisms import RandomizedResponse, randomized_response
from ui.figure_kit.common import DENSITY_TOP, EPSILONS, array
from ui.live import Array

__all__ = ["arrays"]

_BEYOND = 60.0  # times what one person changes: further than any panel shows
_CLAIM = np.array(EPSILON_GRID)[:, None, None, None]


def arrays(params: MechanismsParams, found: Outputs, asked: Query) -> dict[str, Array]:
    """Return the arrays that the figure of the question ``asked`` draws."""
    return {
        "sensitivity": array(asked.sensitivity),
        **_worlds(params, found, asked),
        **_draws(params, found, asked),
        **_tests(params, found, asked),
        **_numbers(found, asked),
        **_comparison(params),
        **_choosing(params),
    }


def _people(asked: Query) -> NDArray[np.int64]:
    """Return, for each of K group sizes, the number of people by which the neighbouring data sets differ, (K,)."""
    return np.array([asked.differing(k) for k in GROUP_GRID])


def _dims(found: Outputs, *more: str) -> tuple[str, ...]:
    return ("epsilon", *(() if found.pure else ("delta",)), *more)


def _cut(found: Outputs, values: Any) -> Any:
    """Return values at the first δ only, if δ has no effect on the mechanism; else at every δ."""
    return values[:, 0] if found.pure else values


def _worlds(params: MechanismsParams, found: Outputs, asked: Query) -> dict[str, Array]:
    unit, f, k = asked.sensitivity, asked.answer, _people(asked)
    axis, far = _noise_axis(params, found)
    place = f + unit * _endless(_spread(params, found, found.places, far), _BEYOND)
    density = _endless(found.density, None)
    grow = np.exp(np.minimum(EPSILON_GRID, 50.0))[:, None]
    return {
        "scale_of": array(_cut(found, found.scale / far), *_dims(found)),
        "x": array(place, axis),
        "x_other": array(place[:, None] - unit * k[:, None], axis, "group"),
        "density": array(density, "epsilon"),
        "band_high": array(np.minimum(grow * density, 3 * DENSITY_TOP), "epsilon"),
        "band_low": array(density / grow, "epsilon"),
        "area_x": array(f + unit * _cut(found, found.area_x), *_dims(found, "group")),
        "area_low": array(_cut(found, found.area_low), *_dims(found, "group")),
        "area_high": array(_cut(found, found.area_high), *_dims(found, "group")),
        "truth": array(f),
        "truth_other": array(f - unit * k, "group"),
    }


def _endless(values: Any, beyond: float | None) -> Any:
    """Return a curve with one more value at both ends, so that it reaches the edges of the panel.

    The end values are moved outwards by ``beyond``, or are 0 if it is None.
    """
    first, last = values[..., :1], values[..., -1:]
    ends = (0 * first, 0 * last) if beyond is None else (first - beyond, last + beyond)
    return np.concatenate([ends[0], values, ends[1]], axis=-1)


def _draws(params: MechanismsParams, found: Outputs, asked: Query) -> dict[str, Array]:
    unit, k = asked.sensitivity, _people(asked)
    axis, far = _noise_axis(params, found)
    draws = asked.answer + unit * _spread(params, found, found.draws, far)
    high = found.heights[: len(draws)]  # of a family the same at every scale
    other = draws[:, None] - unit * k[:, None]
    return {
        "draws": array(np.stack([draws, high], -1), axis),
        "draws_other": array(
            np.stack([other, np.broadcast_to(high[:, None], other.shape)], -1), axis, "group"
        ),
        "newest": array(draws, axis, "n_answers"),
        "fallen": array(np.array(ANSWERS, float), "n_answers"),
    }


def _tests(params: MechanismsParams, found: Outputs, asked: Query) -> dict[str, Array]:
    """Return the privacy loss at each output, and the error rates of the most powerful test."""
    k = _people(asked)
    return {
        "loss_x": array(asked.answer + asked.sensitivity * found.loss_x, "group"),
        "loss": array(_cut(found, found.loss / (_CLAIM * k[:, None])), *_dims(found, "group")),
        "one_person": array(1 / k, "group"),
        "one_person_below": array(-1 / k, "group"),
        "miss": array(_cut(found, found.miss), *_dims(found, "group")),
        "miss_bound": array(_allowed(found), *_dims(found)),
    }


def _noise_axis(params: MechanismsParams, found: Outputs) -> tuple[str, float]:
    """Return the name of the axis for the noise scale, and the largest scale.

    Draws are linear in the scale, except those of staircase noise, which have the axis "epsilon".
    """
    family = params.noise != "staircase"
    return ("s", float(found.scale.max())) if family else ("epsilon", 1.0)


def _spread(params: MechanismsParams, found: Outputs, values: Any, far: float) -> Any:
    """Return draws at scale 0 and at the largest scale ``far``, between which the browser interpolates.

    Staircase noise has one array of draws for every ε instead.
    """
    if params.noise == "staircase":
        return values[:, 0]
    return np.stack([0 * values[0, 0], values[0, 0] * far / found.scale[0, 0]])


def _allowed(found: Outputs) -> Any:
    """Return the smallest type II error that (ε, δ)-DP allows at each type I error α, for one record."""
    eps = np.array(EPSILON_GRID)[:, None, None]
    delta = np.zeros(1) if found.pure else np.array(DELTA_GRID)
    d = delta[:, None]
    with np.errstate(over="ignore"):
        steep = 1 - d - np.exp(eps) * ALPHA
    flat = np.exp(-eps) * (1 - d - ALPHA)
    return _cut(found, np.maximum(np.maximum(steep, flat), 0))


def _numbers(found: Outputs, asked: Query) -> dict[str, Array]:
    error = found.error * asked.sensitivity
    return {
        "scale_now": array(_cut(found, found.scale * asked.sensitivity), *_dims(found)),
        "error_now": array(_cut(found, error), *_dims(found)),
        "real_epsilon": array(_cut(found, found.real_epsilon), *_dims(found)),
        "delta_now": array(_cut(found, found.delta_now), *_dims(found, "group")),
        "guesses": array(_cut(found, found.spy), *_dims(found, "group")),
        "group_epsilon": array(np.outer(EPSILON_GRID, GROUP_GRID), "epsilon", "group"),
        "epsilon_now": array(EPSILONS, "epsilon"),
    }


def _comparison(params: MechanismsParams) -> dict[str, Array]:
    found = mechanisms.compare()
    unit = mechanisms.query(params).sensitivity
    people = PEOPLE_GRID.index(params.n_people)
    return {
        "error_laplace": array(unit * found.errors["laplace"]),
        "error_staircase": array(unit * found.errors["staircase"]),
        "error_geometric": array(found.errors["geometric"]),
        "error_gaussian": array((unit * found.errors["gaussian"]).T, "delta"),
        "error_classical": array((unit * found.errors["classical"]).T, "delta"),
        "spread_laplace": array(found.spread_laplace, "epsilon"),
        "spread_gaussian": array(found.spread_gaussian, "epsilon", "delta"),
        "spread_classical": array(found.spread_classical, "epsilon", "delta"),
        "crossing": array(found.crossing, "epsilon", "delta"),
        "crossing_whole": array(np.floor(found.crossing) + 1, "epsilon", "delta"),
        "crossing_classical": array(found.crossing_classical, "epsilon", "delta"),
        "central": array(found.central, "epsilon"),
        "local": array(found.local, "epsilon"),
        "response": array(found.response, "epsilon"),
        "central_now": array(found.central[:, people], "epsilon"),
        "local_now": array(found.local[:, people], "epsilon"),
    }


def _pairs(heights: Any) -> Any:
    """Return bar heights with an empty bar after each, so that two sets of bars can alternate."""
    return np.stack([heights, np.zeros_like(heights)], -1).reshape(len(heights), -1)


def _choosing(params: MechanismsParams) -> dict[str, Array]:
    """Return the probability of every option under the exponential mechanism, correct and as printed in a lecture.

    Both are given for both neighbouring data sets; the answers of randomized response are included.
    """
    chosen = mechanisms.choices(params)
    return {
        "right": array(_pairs(chosen.right), "epsilon"),
        "right_other": array(_pairs(chosen.right_other), "epsilon"),
        "printed": array(_pairs(chosen.printed), "epsilon"),
        "printed_other": array(_pairs(chosen.printed_other), "epsilon"),
        "shown": array(chosen.shown, "epsilon"),
        "printed_shown": array(chosen.printed_shown, "epsilon"),
        "real_printed": array(chosen.real_printed, "epsilon"),
        "at_least": array(chosen.at_least, "epsilon"),
        "says_yes": array([_pairs(m.matrix[:, 1][None, ::-1])[0] for m in _coins()], "epsilon"),
        "says_no": array([_pairs(m.matrix[:, 0][None, ::-1])[0] for m in _coins()], "epsilon"),
    }


def _coins() -> list[RandomizedResponse]:
    return [randomized_response(e) for e in EPSILON_GRID]
