"""Arrays that the figure of the Deep networks page draws: predictions, accuracies, ε by epoch, and MNIST runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.experiments import network
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.network import Costs, Curve, NetworkParams, Outcomes, Training, published
from pages.network.known import Known
from pages.network.measured import seed_accuracies
from ui.figure_kit.common import EPSILONS, array, in_bytes
from ui.figure_kit.estimates import difference_arrays, median_arrays, unknown_arrays
from ui.live import OUTCOME, Array

__all__ = ["COORDS", "arrays", "mnist_arrays", "outcome_arrays", "votes"]

Floats = NDArray[np.float64]
COORDS = {"trained": "trained_at", "exact": "exact_at", "near": "near_at"}
"""Arrays over ε that are coordinates of other arrays.

- ``near``: index of the trained network with the nearest ε.
- ``exact``: 1 if this network was trained for exactly the slider's ε.
- ``trained``: 1 at the ε of the page's own training.
"""
_CLASSES = 10


def arrays(
    params: NetworkParams,
    private: Known | None,
    plain: Training | None,
    other: Training | None,
    spent: Floats | None,
    along: Costs | None,
) -> dict[str, Array]:
    """Return the arrays of the test digits and of the curves. Values of networks that are not trained are NaN.

    - ``private`` and ``plain``: networks trained with and without privacy.
    - ``other``: training with the learning-rate schedule that the user has not chosen.
    - ``along``: σ and the ε that is spent after each epoch, for every target ε; or None.
    - ``spent``: the ε that is spent after each epoch for the current target ε; used if ``along`` is None.
    """
    recipe, plain_now = network.recipe(params), np.nan if plain is None else plain.accuracy[-1]
    return {
        "epoch": array(np.arange(params.epochs + 1)),
        "trained_at": array([float(e == params.epsilon) for e in EPSILON_GRID], "epsilon"),
        **_wall(plain),
        **_private(params, private, float(plain_now)),
        "plain_curve": array(_curve(params, plain)),
        "other_curve": _only_here(_curve(params, other)),
        "plain_now": array(plain_now),
        "epsilon_now": array(EPSILONS, "epsilon"),
        "steps": array(recipe.n_steps),
        "rate": array(_rates(params)),
        "other_rate": array(_rates(params, other=True)),
        **_costs(params, recipe.noise_multiplier, spent, along),
        **_over_seeds(params),
    }


def _wall(plain: Training | None) -> dict[str, Array]:
    """Return images and classes of the displayed test digits, and the non-private network's predictions."""
    data, n = network.problem(), network.N_WALL
    return {
        "wall": in_bytes(data.X_test[:n]),
        "truth": Array(data.y_test[:n].astype(np.int32), (None,)),
        "plain_votes": _unread() if plain is None else Array(votes(plain.reads), (None, None)),
    }


def outcome_arrays(outcomes: Outcomes) -> dict[str, Array]:
    """Return the predictions and accuracies of trainings repeated with other noise, along the axis ``OUTCOME``."""
    return {
        "outcome_votes": Array(votes(outcomes.reads), (OUTCOME, None, None)),
        "outcome_right": array(outcomes.accuracy, OUTCOME),
    }


def votes(reads: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return predicted classes (...) as one-hot vectors (..., 10)."""
    ballots: NDArray[np.uint8] = (reads[..., None] == np.arange(_CLASSES)).astype(np.uint8)
    return ballots


def _unread(*dims: str) -> Array:
    return array(np.full((*[1] * len(dims), network.N_WALL, _CLASSES), np.nan), *dims)


def _private(params: NetworkParams, networks: Known | None, plain_now: float) -> dict[str, Array]:
    """Return the arrays of the private networks, and for every ε the index of the network with the nearest ε."""
    if networks is None:
        nothing, curve = array([np.nan], "near"), np.full((2, 1, params.epochs + 1), np.nan)
        places = dict.fromkeys(("near_at", "exact_at"), array(np.zeros(len(EPSILONS)), "epsilon"))
        numbers = dict.fromkeys(
            ("private_now", "near_epsilon", "epochs_done", "cost", "wall_right"), nothing
        )
        curves = dict.fromkeys(("private_curve", "nearest_curve"), array(curve, "exact", "near"))
        curves["private_epoch"] = array(np.arange(params.epochs + 1))
        return {**places, **numbers, **curves, "votes": _unread("near")}
    unknown = np.full_like(networks.accuracy, np.nan)
    done = np.isfinite(networks.accuracy).sum(1) - 1
    last = networks.accuracy[np.arange(len(done)), done]
    right = (networks.reads == network.problem().y_test[: network.N_WALL]).sum(1)
    return {
        "near_at": array(networks.nearest, "epsilon"),
        "exact_at": array(networks.exact, "epsilon"),
        "near_epsilon": array(networks.epsilons, "near"),
        "private_epoch": array(np.arange(networks.accuracy.shape[1])),
        "private_curve": array([unknown, networks.accuracy], "exact", "near"),
        "nearest_curve": array([networks.accuracy, unknown], "exact", "near"),
        "private_now": array(last, "near"),
        "epochs_done": array(done, "near"),
        "cost": array(last - plain_now, "near"),
        "wall_right": array(right, "near"),
        "votes": Array(votes(networks.reads), ("near", None, None)),
    }


def _over_seeds(params: NetworkParams) -> dict[str, Array]:
    """Return the median accuracies of trainings with other seeds, and the median loss of accuracy by privacy.

    They are NaN if there are no such trainings.
    """
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
    """Return an array that holds ``values`` at an ε for which a network was trained, and NaN at other ε.

    The first axis, "trained", has the index 1 for an ε with a network, and 0 for other ε.
    """
    here = np.asarray(values, float)
    return array([np.full_like(here, np.nan), here], "trained")


def _costs(
    params: NetworkParams, sigma: float, spent: Floats | None, along: Costs | None
) -> dict[str, Array]:
    """Return the arrays of σ and of the share of the target ε that is spent after every epoch.

    If ``along`` is given, the arrays run over all target ε. Otherwise they are for the ε of ``params``.
    """
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
        curve[: len(training.accuracy)] = training.accuracy
    return curve


def _rates(params: NetworkParams, *, other: bool = False) -> Floats:
    """Return the learning rate at the start of every epoch and at the end of the last one.

    If ``other`` is true, the rates are those of the learning-rate schedule that the user has not chosen.
    """
    constant = (params.schedule == "constant") != other
    fall = np.zeros(params.epochs + 1) if constant else np.linspace(0, 1, params.epochs + 1)
    return params.learning_rate * (1 - fall)


def mnist_arrays(curves: tuple[Curve, ...]) -> dict[str, Array]:
    """Return, for each MNIST run, the measured accuracy by epoch, and the published accuracy at its last epoch."""
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
