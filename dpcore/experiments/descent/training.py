"""Data sets with public bounds, private trainings at every noise level, and trainings on neighbouring data sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore import sgd
from dpcore.datasets.synthetic import moons
from dpcore.descent import Logistic, Model, Network, Path, Recipe, descend
from dpcore.descent.train import clipped_sum, gradients, norms
from dpcore.experiments.descent.cost import N_TEST, N_TRAIN, DescentParams, levels, sigma

__all__ = [
    "ARROWS",
    "GRID",
    "N_DRAWS",
    "N_SNAPSHOTS",
    "Outcomes",
    "Problem",
    "Sweep",
    "chosen_person",
    "field",
    "named_problem",
    "run",
    "run_outcomes",
    "run_sweep",
    "shortening",
]

Floats = NDArray[np.float64]
LIPSCHITZ = float(np.sqrt(3.0))
"""Lipschitz constant of the logistic loss in the weights, for a record in [-1, 1]² and a constant 1."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A learning problem of the Gradient descent page: training data, test data and a model.

    - ``X`` (400, 3), ``y`` (400,): training data. The last feature is 1, and y is 0 or 1.
    - ``X_test`` (1000, 3), ``y_test``: test data.
    - ``best`` (n_weights,): weights of a long training without privacy.
    - ``best_accuracy``: test accuracy of these weights.
    """

    X: Floats
    y: Floats
    X_test: Floats
    y_test: Floats
    model: Model
    best: Floats
    best_accuracy: float

    def accuracy(self, weights: Floats) -> Floats:
        """Return the test accuracy (V,) of weight vectors (V, n_weights)."""
        return cast(
            Floats, ((self.model.scores(weights, self.X_test) > 0) == (self.y_test > 0)).mean(-1)
        )

    def surprise(self) -> NDArray[np.int64]:
        """Return the indices (400,) of the training records in order of decreasing loss.

        The loss is that of the non-private model with the weights ``best``.
        """
        z = self.model.scores(self.best[None], self.X)[0]
        return np.argsort(np.where(self.y > 0, z, -z), kind="stable")


def _blobs(n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    y = np.arange(n) % 2
    centres = np.array([[-0.35, -0.25], [0.35, 0.3]])
    return np.clip(centres[y] + 0.28 * rng.standard_normal((n, 2)), -1, 1), y


def _corners(n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    corner = np.arange(n) % 4
    centres = np.array([[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]])
    X = np.clip(centres[corner] + 0.22 * rng.standard_normal((n, 2)), -1, 1)
    return X, np.isin(corner, (1, 2)).astype(np.int64)


def _moons(n: int, rng: np.random.Generator) -> tuple[Floats, NDArray[np.int64]]:
    X, y, _ = moons(n, rng)
    return X, y


_MAKERS = {"moons": (_moons, 21), "blobs": (_blobs, 22), "corners": (_corners, 23)}


@lru_cache(maxsize=8)
def named_problem(dataset: str, model: str) -> Problem:
    """Return the learning problem of a data set and a model.

    The data set has a fixed seed.

    Parameters
    ----------
    dataset : "moons", "blobs" or "corners"
        Name of the data set.
    model : "logistic" or "network"
        Name of the model.

    Returns
    -------
    Problem
    """
    maker, seed = _MAKERS[dataset]
    X, y = maker(N_TRAIN + N_TEST, np.random.default_rng(seed))
    X = np.column_stack([X, np.ones(len(X))])
    classifier: Model = Logistic(2) if model == "logistic" else Network(2)
    plain = Recipe(clipping="none", sample_rate=1.0, n_steps=2000, learning_rate=2.0)
    path = descend(
        classifier, X[:N_TRAIN], y=y[:N_TRAIN].astype(float), recipe=plain,
        noise_multiplier=np.zeros(1), streams=sgd.Streams.of(0, 0), snapshots=np.array([2000]),
    )  # fmt: skip
    best = path.weights[0, 0]
    right = (classifier.scores(best[None], X[N_TRAIN:])[0] > 0) == (y[N_TRAIN:] > 0)
    return Problem(
        X=X[:N_TRAIN], y=y[:N_TRAIN].astype(float), X_test=X[N_TRAIN:],
        y_test=y[N_TRAIN:].astype(float), model=classifier, best=best, best_accuracy=float(right.mean()),
    )  # fmt: skip


N_DRAWS = 40
N_FIELDS = 12
"""Number of noise draws for which decision fields are stored."""
GRID = 22
"""Number of grid points along a side of the square on which decision fields are computed."""
N_SNAPSHOTS = 21
ARROWS = 40
_PLAIN = {
    "parts": "neither", "clipping": "example", "noise": "lot", "clip_norm": 0.5,
    "noise_multiplier": 2.0, "delta": 1e-5, "regularisation": 0.03, "person": 0, "record": 0, "width": 64,
    "asked": "noise", "budget": 1.0,
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, eq=False)
class Sweep:
    """A training at V noise levels, at S = 21 displayed steps from the initial to the released model.

    - ``fields`` (V, S, 22, 22): p(class 1) on a grid over [-1, 1]², rows from the bottom up.
    - ``accuracy`` (V, S): test accuracy.
    - ``plain_accuracy`` (S,): test accuracy on the same batches without clipping and noise.
    - ``steps`` (S,): numbers of the steps.
    - ``raw`` and ``clipped`` (V, S, 40, 2): gradients of the step's records before and after
      clipping, projected onto the plane of ``_plane``. NaN where the step has fewer than 40
      records.
    - ``mean`` and ``noisy`` (V, S, 2): mean of the clipped gradients, without and with noise.
    - ``share_clipped`` (V, S): fraction of clipped gradients.
    - ``noise_to_signal`` (V, S): norm of the noise divided by the norm of the mean clipped
      gradient.
    - ``final`` (V, n_weights): released weights.
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
    """Return the training with these parameters at every noise level that `levels` returns.

    Examples
    --------
    >>> found = run(DescentParams(model="logistic", n_steps=10))
    >>> found.accuracy.shape
    (24, 21)
    """
    return run_sweep(named_problem(params.dataset, params.model), params, levels(params))


def run_sweep(problem: Problem, params: DescentParams, noise: Floats) -> Sweep:
    """Return the training at V given noise levels (V,).

    The same noise draws are scaled for each level.
    """
    recipe = params.recipe()
    used = noise if params.parts in ("both", "noise") else np.zeros_like(noise)
    snapshots = moments(params.n_steps)

    path = descend(
        problem.model, problem.X, y=problem.y, recipe=recipe, noise_multiplier=used,
        streams=sgd.Streams.of(params.seed, 0), snapshots=snapshots,
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
    """Return the 21 displayed steps from 0 to T = ``n_steps``.

    Steps are repeated if the training is short.
    """
    return np.linspace(0, n_steps, N_SNAPSHOTS).round().astype(np.int64)


@lru_cache(maxsize=256)
def plain_accuracy(params: DescentParams) -> Floats:
    """Return the test accuracy without noise at the 21 displayed steps.

    The batches are those of the noisy training with these parameters.
    """
    problem = named_problem(params.dataset, params.model)
    path = descend(
        problem.model, problem.X, y=problem.y, recipe=params.recipe(), noise_multiplier=np.zeros(1),
        streams=sgd.Streams.of(params.seed, 0), snapshots=moments(params.n_steps),
    )  # fmt: skip
    return problem.accuracy(path.weights[0])


def field(problem: Problem, weights: Floats) -> Floats:
    """Return the probability of class 1 (V, 22, 22) under V models, on a grid over [-1, 1]².

    Rows are from the bottom up.
    """
    side = np.linspace(-1, 1, GRID)
    across, up = np.meshgrid(side, side)
    places = np.column_stack([across.ravel(), up.ravel(), np.ones(GRID * GRID)])
    return cast(Floats, expit(problem.model.scores(weights, places)).reshape(-1, GRID, GRID))


def _arrows(
    problem: Problem, params: DescentParams, path: Path, sigma: Floats
) -> dict[str, Floats]:
    """Return the fields of `Sweep` that describe gradients, by name; the gradients are projected to 2-D arrows."""
    plane = _plane(problem)
    parts = [_moment(problem, params, path, sigma, s, plane) for s in range(len(path.steps))]
    return {name: np.stack([part[name] for part in parts], axis=1) for name in parts[0]}


@lru_cache(maxsize=8)
def _plane(problem: Problem) -> Floats:
    """Return two orthonormal directions (n_weights, 2) that span the plane in which gradients are displayed.

    They are the leading right singular vectors of the records' gradients at four points between
    weights 0 and the non-private weights. They depend only on the data and the model, so that
    arrows do not jump when a slider moves.
    """
    sample = slice(None, None, 4)
    way = np.array([0.1, 0.4, 0.7, 1.0])[:, None] * problem.best
    vectors = gradients(problem.model.factors(way, problem.X[sample], problem.y[sample]))
    _, _, directions = np.linalg.svd(vectors.reshape(-1, vectors.shape[-1]), full_matrices=False)
    return cast(Floats, directions[:2].T * np.sign(directions[:2].sum(axis=1)))


def shortening(lengths: Floats, clip_norm: float) -> Floats:
    """Return the factors min(1, C / length) that clip gradients to the norm C.

    ``lengths``: norms of the gradients.
    """
    return 1 / np.maximum(1, lengths / clip_norm)


def _moment(
    problem: Problem, params: DescentParams, path: Path, sigma: Floats, s: int, plane: Floats
) -> dict[str, Floats]:
    t = min(int(path.steps[s]), params.n_steps - 1)  # the released model shows the last step's lot
    lot = path.lots.at(t)
    factors = problem.model.factors(path.weights[:, s], problem.X[lot], problem.y[lot])
    length = norms(factors)
    clips = params.parts in ("both", "clip") and params.clipping == "example"
    scale = shortening(length, params.clip_norm) if clips else np.ones_like(length)
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


@dataclass(frozen=True, kw_only=True)
class Outcomes:
    """Results of D trainings with independent noise at V noise levels, with and without one person's record.

    - ``accuracy`` (D, V): test accuracy with the record.
    - ``with_record`` and ``without_record`` (D, V): a model's score of the record after training with
      and without it. The score is positive if the model predicts the class of the record.
    - ``agreement`` (V, 22, 22): fraction of models that predict class 1 at a grid point, rows from
      the bottom up.
    - ``fields`` and ``fields_without`` (12, V, 22, 22): p(class 1) of the first trainings with and
      without the record.
    """

    accuracy: Floats
    with_record: Floats
    without_record: Floats
    agreement: Floats
    fields: NDArray[np.float32]
    fields_without: NDArray[np.float32]


def chosen_person(problem: Problem, params: DescentParams) -> int:
    """Return the index of the record in which the two neighbouring data sets differ."""
    if params.record:
        return min(params.record, len(problem.y)) - 1
    order = problem.surprise()
    return int(order[min(round(params.person / 100 * (len(order) - 1)), len(order) - 1)])


def run_outcomes(
    problem: Problem,
    params: DescentParams,
    *,
    n_draws: int = N_DRAWS,
    noise: Floats | None = None,
) -> Iterator[Outcomes]:
    """Yield the results of repeated trainings on two neighbouring data sets, after each repetition.

    In each repetition both trainings have the same noise. All records that the data sets share are
    in the same random batches.

    Parameters
    ----------
    problem : Problem
        Data and model.
    params : DescentParams
        Settings of the training, and the choice of the record that is removed.
    n_draws : int
        Number of draws, ≥ 1.
    noise : ndarray (V,), optional
        Noise multipliers; by default those that `levels` returns.

    Yields
    ------
    Outcomes
    """
    who = chosen_person(problem, params)
    asked = levels(params) if noise is None else noise
    noise = asked * (params.parts in ("both", "noise"))
    side = 1.0 if problem.y[who] > 0 else -1.0
    rows: list[tuple[Floats, Floats, Floats]] = []
    fields: list[NDArray[np.float32]] = []
    says_one = np.zeros((len(noise), GRID, GRID))
    for draw in range(1, n_draws + 1):
        worlds = [_train(problem, params, noise, draw, without) for without in (None, who)]
        scores = [side * problem.model.scores(w, problem.X[[who]])[:, 0] for w in worlds]
        rows.append((problem.accuracy(worlds[0]), scores[0], scores[1]))
        here = field(problem, worlds[0])
        says_one += here > 0.5
        if draw <= N_FIELDS:
            fields.append(np.array([here, field(problem, worlds[1])], np.float32))
        both = np.array(fields).swapaxes(0, 1)
        accuracy, with_record, without_record = (
            np.array(column) for column in zip(*rows, strict=True)
        )
        yield Outcomes(
            accuracy=accuracy,
            with_record=with_record,
            without_record=without_record,
            agreement=says_one / draw,
            fields=both[0],
            fields_without=both[1],
        )


def draft_outcomes(problem: Problem, params: DescentParams, n_draws: int = 6) -> Outcomes:
    """Return the results of a few repeated trainings at the noise level of the parameters."""
    *_, last = run_outcomes(problem, params, n_draws=n_draws, noise=np.array([sigma(params)]))
    return last


def _train(
    problem: Problem, params: DescentParams, noise: Floats, draw: int, without: int | None
) -> Floats:
    path = descend(
        problem.model, problem.X, y=problem.y, recipe=params.recipe(), noise_multiplier=noise,
        streams=sgd.Streams.of(params.seed, draw), snapshots=np.array([params.n_steps]), without=without,
    )  # fmt: skip
    return path.weights[:, 0]
