"""A training at every noise level: decision fields, gradients, accuracies through its steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore import sgd
from dpcore.descent import Path, descend
from dpcore.descent.train import clipped_sum, gradients, norms
from dpcore.experiments.descent.budget import levels
from dpcore.experiments.descent.data import N_TRAIN, Problem, named_problem
from dpcore.experiments.descent.params import DescentParams

__all__ = ["ARROWS", "GRID", "N_SNAPSHOTS", "Sweep", "field", "run", "run_sweep"]

Floats = NDArray[np.float64]
GRID = 28
"""Cells of a side of the square on which decision fields are sampled, corners included."""
N_SNAPSHOTS = 21
ARROWS = 40
_PLAIN = {
    "parts": "neither", "clipping": "example", "noise": "lot", "clip_norm": 0.5,
    "noise_multiplier": 2.0, "delta": 1e-5, "regularisation": 0.03, "person": 0, "width": 64, "asked": "noise",
    "budget": 1.0,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class Sweep:
    """V noise levels, S = 21 moments from the start (0) to the released model.

    ``fields`` (V, S, 28, 28): p(class 1) on the square, rows from the bottom; ``accuracy`` (V, S);
    ``plain_accuracy`` (S,): the same lots, neither clipped nor noised; ``steps`` (S,);
    ``raw`` and ``clipped`` (V, S, 40, 2): gradients of the step's records in the plane that shows
    them best, nan where there are fewer; ``mean`` and ``noisy`` (V, S, 2): the clipped mean and what
    is applied; ``share_clipped`` and ``noise_to_signal`` (V, S); ``final`` (V, n_weights).
    """

    noise: Floats
    steps: NDArray[np.int64]
    fields: Floats
    accuracy: Floats
    plain_accuracy: Floats
    raw: Floats
    clipped: Floats
    mean: Floats
    noisy: Floats
    share_clipped: Floats
    noise_to_signal: Floats
    final: Floats


def run(params: DescentParams) -> Sweep:
    """Return the training of the parameters at every noise level of the slider.

    Examples
    --------
    >>> found = run(DescentParams(model="logistic", n_steps=10))
    >>> found.accuracy.shape
    (18, 21)
    """
    return run_sweep(named_problem(params.dataset, params.model), params, levels(params))


def run_sweep(problem: Problem, params: DescentParams, noise: Floats) -> Sweep:
    """Return the training at the given noise levels (V,); the noise is the same but for its scale."""
    recipe = params.recipe()
    used = noise if params.parts in ("both", "noise") else np.zeros_like(noise)
    snapshots = moments(params.n_steps)
    path = descend(
        problem.model, problem.X, problem.y, recipe, used, sgd.Streams.of(params.seed, 0),
        snapshots=snapshots,
    )  # fmt: skip
    flat = path.weights.reshape(-1, problem.model.n_weights)
    shape = path.weights.shape[:2]
    return Sweep(
        noise=noise,
        steps=snapshots,
        fields=field(problem, flat).reshape(*shape, GRID, GRID),
        accuracy=problem.accuracy(flat).reshape(shape),
        plain_accuracy=plain_accuracy(params.but(**_PLAIN)),
        final=path.weights[:, -1],
        **_arrows(problem, params, path, used),
    )


def moments(n_steps: int) -> NDArray[np.int64]:
    """Return the steps that are shown, (21,), from 0 to T; short trainings repeat some."""
    return np.linspace(0, n_steps, N_SNAPSHOTS).round().astype(np.int64)


@lru_cache(maxsize=256)
def plain_accuracy(params: DescentParams) -> Floats:
    """Return the test accuracy of the same steps and lots, neither clipped nor noised, (21,)."""
    problem = named_problem(params.dataset, params.model)
    path = descend(
        problem.model, problem.X, problem.y, params.recipe(), np.zeros(1),
        sgd.Streams.of(params.seed, 0), snapshots=moments(params.n_steps),
    )  # fmt: skip
    return problem.accuracy(path.weights[0])


def field(problem: Problem, weights: Floats) -> Floats:
    """Return p(class 1) on the square [-1, 1]², (V, 28, 28), rows from the bottom up."""
    side = np.linspace(-1, 1, GRID)
    across, up = np.meshgrid(side, side)
    places = np.column_stack([across.ravel(), up.ravel(), np.ones(GRID * GRID)])
    return cast(Floats, expit(problem.model.scores(weights, places)).reshape(-1, GRID, GRID))


def _arrows(
    problem: Problem, params: DescentParams, path: Path, sigma: Floats
) -> dict[str, Floats]:
    """The gradients of the shown steps in two dimensions, and what becomes of them."""
    plane = _plane(problem)
    parts = [_moment(problem, params, path, sigma, s, plane) for s in range(len(path.steps))]
    return {name: np.stack([part[name] for part in parts], axis=1) for name in parts[0]}


@lru_cache(maxsize=8)
def _plane(problem: Problem) -> Floats:
    """The two directions, (n_weights, 2), that show gradients best on the way to the plain model.

    They depend on the data and the model alone, so that arrows do not jump when a slider moves.
    """
    sample = slice(None, None, 4)
    way = np.array([0.1, 0.4, 0.7, 1.0])[:, None] * problem.best
    found = gradients(problem.model.factors(way, problem.X[sample], problem.y[sample]))
    _, _, directions = np.linalg.svd(found.reshape(-1, found.shape[-1]), full_matrices=False)
    return cast(Floats, directions[:2].T * np.sign(directions[:2].sum(axis=1)))


def _moment(
    problem: Problem, params: DescentParams, path: Path, sigma: Floats, s: int, plane: Floats
) -> dict[str, Floats]:
    t = min(int(path.steps[s]), params.n_steps - 1)  # the released model shows the last step's lot
    lot = path.lots.at(t)
    factors = problem.model.factors(path.weights[:, s], problem.X[lot], problem.y[lot])
    length = norms(factors)
    clips = params.parts in ("both", "clip") and params.clipping == "example"
    scale = 1 / np.maximum(1, length / params.clip_norm) if clips else np.ones_like(length)
    expected = params.sample_rate * N_TRAIN
    mean = clipped_sum(factors, scale) / expected
    noise = sigma[:, None] * path.unit[t] * params.clip_norm / expected
    shown = [(a[:ARROWS] if a.ndim == 2 else a[:, :ARROWS], e[:, :ARROWS]) for a, e in factors]
    raw = np.full((len(sigma), ARROWS, 2), np.nan)
    raw[:, : min(len(lot), ARROWS)] = gradients(shown) @ plane
    short = np.full((len(sigma), ARROWS, 1), np.nan)
    short[:, : min(len(lot), ARROWS), 0] = scale[:, :ARROWS]
    signal = np.sqrt(np.square(mean).sum(-1))
    return {
        "raw": raw,
        "clipped": raw * short,
        "mean": mean @ plane,
        "noisy": (mean + noise) @ plane,
        "share_clipped": (scale < 1).mean(-1) if len(lot) else np.zeros(len(sigma)),
        "noise_to_signal": np.sqrt(np.square(noise).sum(-1)) / np.maximum(signal, 1e-12),
    }
