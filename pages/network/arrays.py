"""Arrays of Deep networks: accuracy and ε by epoch, for digits trained live and for MNIST as measured."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.experiments import network
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.network import Costs, Curve, NetworkParams, Training, published
from pages.network.measured import seed_accuracies
from ui.figure_kit.common import EPSILONS, array
from ui.figure_kit.estimates import difference_arrays, median_arrays, unknown_arrays
from ui.live import Array

__all__ = ["COORDS", "arrays", "mnist_arrays"]

Floats = NDArray[np.float64]
COORDS = {"trained": "trained_at"}
"""1 at the ε with which the private networks are trained, 0 at any other, where no network was trained."""


def arrays(
    params: NetworkParams,
    private: Training | None,
    plain: Training | None,
    other: Training | None,
    before: Training | None,
    spent: Floats | None,
    along: Costs | None,
) -> dict[str, Array]:
    """Return the digits' curves over ε; NaN where no network has been trained.

    ``before`` is the private training at other parameters, drawn until the present one has two points.
    ``along`` holds σ and ``spent`` at every ε; without it they are those of the present ε.
    """
    curves = {
        name: _curve(params, training)
        for name, training in (
            ("private", private), ("plain", plain), ("other", other), ("before", before),
        )
    }  # fmt: skip
    last = {name: _last(training) for name, training in (("private", private), ("plain", plain))}
    recipe = network.recipe(params)
    return {
        "epoch": array(np.arange(params.epochs + 1)),
        "trained_at": array(
            [float(epsilon == params.epsilon) for epsilon in EPSILON_GRID], "epsilon"
        ),
        "private_curve": _only_here(curves["private"]),
        "waiting_curve": _elsewhere(curves["private"]),
        "before_curve": array(curves["before"]),
        "plain_curve": array(curves["plain"]),
        "other_curve": _only_here(curves["other"]),
        "private_now": _only_here(last["private"]),
        "plain_now": array(last["plain"]),
        "cost": _only_here(last["private"] - last["plain"]),
        "epochs_done": _only_here(np.nan if private is None else len(private.accuracy) - 1),
        "epsilon_now": array(EPSILONS, "epsilon"),
        "steps": array(recipe.n_steps),
        "rate": array(_rates(params)),
        "other_rate": array(_rates(params, other=True)),
        **_costs(params, recipe.noise_multiplier, spent, along),
        **_over_seeds(params),
    }


def _over_seeds(params: NetworkParams) -> dict[str, Array]:
    """Return medians over seeds at the present settings; NaN where not measured."""
    others = seed_accuracies(params)
    if others is None:
        return unknown_arrays("private_median", "plain_median", "privacy_cost")
    estimates = {
        **median_arrays("private_median", others[:, 0]),
        **difference_arrays("privacy_cost", others[:, 0] - others[:, 1]),
    }
    private = {name: _only_here(one.values) for name, one in estimates.items()}
    return private | median_arrays("plain_median", others[:, 1])


def _only_here(values: ArrayLike) -> Array:
    """Return values that are defined at the present ε alone."""
    here = np.asarray(values, float)
    return array([np.full_like(here, np.nan), here], "trained")


def _elsewhere(curve: Floats) -> Array:
    """Return the present private curve, drawn at every other ε that has no network yet."""
    return array([curve, np.full_like(curve, np.nan)], "trained")


def _costs(
    params: NetworkParams, sigma: float, spent: Floats | None, along: Costs | None
) -> dict[str, Array]:
    """Return σ and the share of ε spent by epoch; at every ε if ``along`` is given."""
    if along is not None:
        shares = along.spent / np.array([EPSILONS]).T
        return {
            "sigma": array(along.noise_multipliers, "epsilon"),
            "spent": array(shares, "epsilon"),
        }
    shares = np.full(params.epochs + 1, np.nan) if spent is None else spent / params.epsilon
    return {"sigma": array(sigma), "spent": array(shares)}


def _curve(params: NetworkParams, training: Training | None) -> Floats:
    curve = np.full(params.epochs + 1, np.nan)
    if training is not None:
        known = training.accuracy[: len(curve)]  # a former training may have had more epochs
        curve[: len(known)] = known
    return curve


def _last(training: Training | None) -> float:
    return float("nan") if training is None else float(training.accuracy[-1])


def _rates(params: NetworkParams, *, other: bool = False) -> Floats:
    """Return the learning rate in the first step of every epoch, and in the last step."""
    constant = (params.schedule == "constant") != other
    fall = np.zeros(params.epochs + 1) if constant else np.linspace(0, 1, params.epochs + 1)
    return params.learning_rate * (1 - fall)


def mnist_arrays(curves: tuple[Curve, ...]) -> dict[str, Array]:
    """Return the measured curves, and the published points at their last epochs."""
    arrays: dict[str, Array] = {}
    for k, curve in enumerate(curves):
        row, epochs = published(curve.name), np.arange(1, len(curve.accuracy) + 1)
        arrays |= {
            f"mnist_x{k}": array(epochs),
            f"mnist_y{k}": array(curve.accuracy),
            f"mnist_point{k}": array([[row.epochs, row.accuracy]]),
            f"mnist_label{k}": Array(np.array([k], np.int32), (None,)),
        }
        if row.epsilon is not None:
            arrays[f"mnist_e{k}"] = array([float(e or 0) for e in curve.epsilon])
    return arrays
