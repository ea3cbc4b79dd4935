"""Arrays of numbers that the figure of the Mechanisms page draws.

Answers are in the unit of the chosen question, such as people or euros.
"""

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
from ui.figure_kit.common import DENSITY_TOP, EPSILONS, array, interleave
from ui.live import Array

__all__ = ["arrays"]

_BEYOND = 60.0  # times what one person changes: further than any panel shows
_CLAIM = np.array(EPSILON_GRID)[:, None, None, None]


def arrays(params: MechanismsParams, outputs: Outputs, query: Query) -> dict[str, Array]:
    """Return all arrays of the figure for the chosen question ``query``."""
    return {
        "sensitivity": array(query.sensitivity),
        **_worlds(params, outputs, query),
        **_draws(params, outputs, query),
        **_tests(params, outputs, query),
        **_numbers(outputs, query),
        **_comparison(params),
        **_choosing(params),
    }


def _people(query: Query) -> NDArray[np.int64]:
    """Return the number of people (K,) in which the neighbouring data sets differ, for each of K group sizes."""
    return np.array([query.differing(k) for k in GROUP_GRID])


def _dims(outputs: Outputs, *more: str) -> tuple[str, ...]:
    return ("epsilon", *(() if outputs.pure else ("delta",)), *more)


def _cut(outputs: Outputs, values: Any) -> Any:
    """Return ``values`` (E, D, ...), for E values of ε and D values of δ.

    If δ has no effect, return only the values (E, ...) at the first δ.
    """
    return values[:, 0] if outputs.pure else values


def _worlds(params: MechanismsParams, outputs: Outputs, query: Query) -> dict[str, Array]:
    unit, f, k = query.sensitivity, query.answer, _people(query)
    axis, far = _noise_axis(params, outputs)
    place = f + unit * _endless(_spread(params, outputs, outputs.places, far), _BEYOND)
    density = _endless(outputs.density, None)
    grow = np.exp(np.minimum(EPSILON_GRID, 50.0))[:, None]
    return {
        "scale_of": array(_cut(outputs, outputs.scale / far), *_dims(outputs)),
        "x": array(place, axis),
        "x_other": array(place[:, None] - unit * k[:, None], axis, "group"),
        "density": array(density, "epsilon"),
        "band_high": array(np.minimum(grow * density, 3 * DENSITY_TOP), "epsilon"),
        "band_low": array(density / grow, "epsilon"),
        "area_x": array(f + unit * _cut(outputs, outputs.area_x), *_dims(outputs, "group")),
        "area_low": array(_cut(outputs, outputs.area_low), *_dims(outputs, "group")),
        "area_high": array(_cut(outputs, outputs.area_high), *_dims(outputs, "group")),
        "truth": array(f),
        "truth_other": array(f - unit * k, "group"),
    }


def _endless(values: Any, beyond: float | None) -> Any:
    """Return the coordinates of a curve with one value added at each end, so that the curve fills the panel.

    If the coordinates are those on the x axis, the added values are ``beyond`` away from the ends. If ``beyond`` is
    None, the coordinates are those on the y axis, and the added values are 0.
    """
    first, last = values[..., :1], values[..., -1:]
    ends = (0 * first, 0 * last) if beyond is None else (first - beyond, last + beyond)
    return np.concatenate([ends[0], values, ends[1]], axis=-1)


def _draws(params: MechanismsParams, outputs: Outputs, query: Query) -> dict[str, Array]:
    unit, k = query.sensitivity, _people(query)
    axis, far = _noise_axis(params, outputs)
    draws = query.answer + unit * _spread(params, outputs, outputs.draws, far)
    high = outputs.heights[: len(draws)]  # of a family the same at every scale
    other = draws[:, None] - unit * k[:, None]
    return {
        "draws": array(np.stack([draws, high], -1), axis),
        "draws_other": array(
            np.stack([other, np.broadcast_to(high[:, None], other.shape)], -1), axis, "group"
        ),
        "newest": array(draws, axis, "n_answers"),
        "fallen": array(np.array(ANSWERS, float), "n_answers"),
    }


def _tests(params: MechanismsParams, outputs: Outputs, query: Query) -> dict[str, Array]:
    """Return the privacy loss at each output, and the error rates of the most powerful test."""
    k = _people(query)
    return {
        "loss_x": array(query.answer + query.sensitivity * outputs.loss_x, "group"),
        "loss": array(
            _cut(outputs, outputs.loss / (_CLAIM * k[:, None])), *_dims(outputs, "group")
        ),
        "one_person": array(1 / k, "group"),
        "one_person_below": array(-1 / k, "group"),
        "miss": array(_cut(outputs, outputs.miss), *_dims(outputs, "group")),
        "miss_bound": array(_allowed(outputs), *_dims(outputs)),
    }


def _noise_axis(params: MechanismsParams, outputs: Outputs) -> tuple[str, float]:
    """Return the name of the array axis along which the noise scale changes, and the largest value on this axis.

    Staircase noise is not proportional to its scale. Its axis is "epsilon", and the returned value is 1.
    """
    family = params.noise != "staircase"
    return ("s", float(outputs.scale.max())) if family else ("epsilon", 1.0)


def _spread(params: MechanismsParams, outputs: Outputs, values: Any, far: float) -> Any:
    """Return noise draws at scale 0 and at the largest scale ``far``.

    The browser interpolates between the two. For staircase noise, return the draws at every ε instead.
    """
    if params.noise == "staircase":
        return values[:, 0]
    return np.stack([0 * values[0, 0], values[0, 0] * far / outputs.scale[0, 0]])


def _allowed(outputs: Outputs) -> Any:
    """Return the smallest type II error that (ε, δ)-DP allows a test for one record, at every type I error α."""
    eps = np.array(EPSILON_GRID)[:, None, None]
    delta = np.zeros(1) if outputs.pure else np.array(DELTA_GRID)
    d = delta[:, None]
    with np.errstate(over="ignore"):
        steep = 1 - d - np.exp(eps) * ALPHA
    flat = np.exp(-eps) * (1 - d - ALPHA)
    return _cut(outputs, np.maximum(np.maximum(steep, flat), 0))


def _numbers(outputs: Outputs, query: Query) -> dict[str, Array]:
    error = outputs.error * query.sensitivity
    return {
        "scale_now": array(_cut(outputs, outputs.scale * query.sensitivity), *_dims(outputs)),
        "error_now": array(_cut(outputs, error), *_dims(outputs)),
        "real_epsilon": array(_cut(outputs, outputs.real_epsilon), *_dims(outputs)),
        "delta_now": array(_cut(outputs, outputs.delta_now), *_dims(outputs, "group")),
        "guesses": array(_cut(outputs, outputs.spy), *_dims(outputs, "group")),
        "group_epsilon": array(np.outer(EPSILON_GRID, GROUP_GRID), "epsilon", "group"),
        "epsilon_now": array(EPSILONS, "epsilon"),
    }


def _comparison(params: MechanismsParams) -> dict[str, Array]:
    comparison = mechanisms.compare()
    unit = mechanisms.query(params).sensitivity
    people = PEOPLE_GRID.index(params.n_people)
    return {
        "error_laplace": array(unit * comparison.errors["laplace"]),
        "error_staircase": array(unit * comparison.errors["staircase"]),
        "error_geometric": array(comparison.errors["geometric"]),
        "error_gaussian": array((unit * comparison.errors["gaussian"]).T, "delta"),
        "error_classical": array((unit * comparison.errors["classical"]).T, "delta"),
        "spread_laplace": array(comparison.spread_laplace, "epsilon"),
        "spread_gaussian": array(comparison.spread_gaussian, "epsilon", "delta"),
        "spread_classical": array(comparison.spread_classical, "epsilon", "delta"),
        "crossing": array(comparison.crossing, "epsilon", "delta"),
        "crossing_whole": array(np.floor(comparison.crossing) + 1, "epsilon", "delta"),
        "crossing_classical": array(comparison.crossing_classical, "epsilon", "delta"),
        "central": array(comparison.central, "epsilon"),
        "local": array(comparison.local, "epsilon"),
        "response": array(comparison.response, "epsilon"),
        "central_now": array(comparison.central[:, people], "epsilon"),
        "local_now": array(comparison.local[:, people], "epsilon"),
    }


def _choosing(params: MechanismsParams) -> dict[str, Array]:
    """Return the probability of every option under the exponential mechanism, on both neighbouring data sets.

    There are arrays for the correct mechanism, for the one that Sarkar's lecture prints, and for randomized
    response.
    """
    chosen = mechanisms.choices(params)
    return {
        "right": array(interleave(chosen.right), "epsilon"),
        "right_other": array(interleave(chosen.right_other), "epsilon"),
        "printed": array(interleave(chosen.printed), "epsilon"),
        "printed_other": array(interleave(chosen.printed_other), "epsilon"),
        "shown": array(chosen.shown, "epsilon"),
        "printed_shown": array(chosen.printed_shown, "epsilon"),
        "real_printed": array(chosen.real_printed, "epsilon"),
        "at_least": array(chosen.at_least, "epsilon"),
        "says_yes": array([interleave(m.matrix[:, 1][None, ::-1])[0] for m in _coins()], "epsilon"),
        "says_no": array([interleave(m.matrix[:, 0][None, ::-1])[0] for m in _coins()], "epsilon"),
    }


def _coins() -> list[RandomizedResponse]:
    return [randomized_response(e) for e in EPSILON_GRID]
