"""The arrays of Deep networks: accuracies and ε by epoch, of digits as they come and of MNIST as measured."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments import network
from dpcore.experiments.network import Curve, NetworkParams, Training, published
from ui.figure_kit.common import array
from ui.live import Array

__all__ = ["arrays", "mnist_arrays"]

Floats = NDArray[np.float64]


def arrays(
    params: NetworkParams,
    private: Training | None,
    plain: Training | None,
    other: Training | None,
    spent: Floats | None,
) -> dict[str, Array]:
    """Return the curves of digits; epochs that are not finished are NaN."""
    found = {
        name: _curve(params, training)
        for name, training in (("private", private), ("plain", plain), ("other", other))
    }
    now = {name: _last(training) for name, training in (("private", private), ("plain", plain))}
    made = network.recipe(params)
    return {
        "epoch": array(np.arange(params.epochs + 1)),
        "private_curve": array(found["private"]),
        "plain_curve": array(found["plain"]),
        "other_curve": array(found["other"]),
        "private_now": array(now["private"]),
        "plain_now": array(now["plain"]),
        "cost": array(now["private"] - now["plain"]),
        "epochs_done": array(np.nan if private is None else len(private.accuracy) - 1),
        "epsilon_now": array(params.epsilon),
        "spent": array(np.full(params.epochs + 1, np.nan) if spent is None else spent),
        "sigma": array(made.noise_multiplier),
        "steps": array(made.n_steps),
        "rate": array(_rates(params)),
        "other_rate": array(_rates(params, other=True)),
    }


def _curve(params: NetworkParams, training: Training | None) -> Floats:
    made = np.full(params.epochs + 1, np.nan)
    if training is not None:
        made[: len(training.accuracy)] = training.accuracy
    return made


def _last(training: Training | None) -> float:
    return float("nan") if training is None else float(training.accuracy[-1])


def _rates(params: NetworkParams, *, other: bool = False) -> Floats:
    """The step size in the first step of every epoch, and in the last step."""
    constant = (params.schedule == "constant") != other
    fall = np.zeros(params.epochs + 1) if constant else np.linspace(0, 1, params.epochs + 1)
    return params.learning_rate * (1 - fall)


def mnist_arrays(curves: tuple[Curve, ...]) -> dict[str, Array]:
    """Return the measured curves, and the published points at their last epochs."""
    made: dict[str, Array] = {}
    for k, curve in enumerate(curves):
        row, epochs = published(curve.name), np.arange(1, len(curve.accuracy) + 1)
        made |= {
            f"mnist_x{k}": array(epochs),
            f"mnist_y{k}": array(curve.accuracy),
            f"mnist_point{k}": array([[row.epochs, row.accuracy]]),
            f"mnist_label{k}": Array(np.array([k], np.int32), (None,)),
        }
        if row.epsilon is not None:
            made[f"mnist_e{k}"] = array([float(e or 0) for e in curve.epsilon])
    return made
