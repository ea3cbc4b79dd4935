"""Private linear fits by every method at every ε, their noisy objectives and their guarantees.

The noise is drawn once and scaled for each ε.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore import accounting, mechanisms
from dpcore.accounting import Event
from dpcore.datasets.dataset import mismatch
from dpcore.experiments.epsilon_tables import replaced_noise_multipliers
from dpcore.experiments.grids import DELTA_GRID, EPSILON_GRID
from dpcore.experiments.regression.problem import (
    Problem,
    RegressionParams,
    Setting,
    named_problem,
    repair_of,
)
from dpcore.guarantee import Guarantee, Part
from dpcore.regression import SufficientStatistics, ada_ssp, gradient_descent, output_perturbation
from dpcore.regression import noise as noises
from dpcore.regression.descent import descent_noise
from dpcore.regression.guarantee import ARGUMENTS, fit_guarantee, release_event, steps_name
from dpcore.regression.solve import solve_grid
from dpcore.regression.splits import budget_share

__all__ = [
    "ALL",
    "DESCENT",
    "LEVELS",
    "N_DRAWS",
    "PIECE",
    "Fits",
    "Objective",
    "along",
    "draw",
    "estimator_call",
    "first_of",
    "gathered",
    "generator",
    "grow",
    "guarantee",
    "guarantees",
    "is_heavy",
    "level_curves",
    "noise_multipliers",
    "noise_scales",
    "objective",
    "problem_of",
    "profile",
    "repaired",
    "run",
    "shown_epsilon",
    "unit_noise",
]

Floats = NDArray[np.float64]
N_DRAWS = 40
_CHUNK = 8
ALL = np.array([*EPSILON_GRID, np.inf])
"""All values of ε on the slider, and ∞ for the method without noise."""
DESCENT: dict[str, float] = {"n_steps": 20, "learning_rate": 0.5}
"""Number of steps T and learning rate η of gradient descent, chosen before looking at any data."""
_NODES = np.array([*range(0, len(EPSILON_GRID), 7), len(EPSILON_GRID)])


@dataclass(frozen=True, kw_only=True, eq=False)
class Fits:
    """Private fits of one method.

    Axes: m noise draws, E = 50 values of ε, D = d + 1 coefficients on [-1, 1].

    - ``coefficients`` (m, E, D): coefficients of the fits.
    - ``train`` and ``test`` (m, E): mean squared errors of the fits.
    - ``indefinite`` (m, E): whether the noisy objective has no minimum. It is False for methods
      without an objective.
    - ``ideal`` (D,), ``ideal_train``, ``ideal_test``: coefficients and errors of the method without
      noise.
    - ``best`` (D,), ``best_train``, ``best_test``: coefficients and errors of least squares.
    """

    coefficients: Floats
    train: Floats
    test: Floats
    indefinite: NDArray[np.bool_]
    ideal: Floats
    best: Floats
    ideal_train: float
    ideal_test: float
    best_train: float
    best_test: float

    def quantiles(self, which: str = "test") -> Floats:
        """Return the 10, 50 and 90 % quantiles (3, E) of the errors over the noise draws.

        ``which``: "test" or "train".
        """
        return cast(Floats, np.quantile(getattr(self, which), (0.1, 0.5, 0.9), axis=0))


def problem_of(params: RegressionParams) -> Problem:
    """Return the problem of the data set named in the parameters.

    Raises ValueError for a user's own data; pass these to `run`.
    """
    if params.dataset == "own":
        raise ValueError("Own data are not known by name: give problem=Problem(dataset).")
    return named_problem(params.dataset)


def run(params: RegressionParams, problem: Problem | None = None) -> Fits:
    """Return many private fits by the chosen method at every ε.

    Parameters
    ----------
    params : RegressionParams
        All settings except ε, which is an axis of the result.
    problem : Problem or None
        The data; by default from ``params.dataset``.

    Returns
    -------
    Fits

    Examples
    --------
    >>> fits = run(RegressionParams())
    >>> fits.coefficients.shape, bool(fits.test[:, -1].mean() < fits.test[:, 0].mean())
    ((40, 50, 2), True)
    """
    setting = (problem or problem_of(params)).setting(params)
    return list(grow(setting, params))[-1]


def grow(setting: Setting, params: RegressionParams) -> Iterator[Fits]:
    """Yield the fits, updated after every block of noise draws.

    If the fits take little time, there is only one block.
    """
    step = _CHUNK if is_heavy(setting, params) else N_DRAWS
    blocks: list[Floats] = []
    none: list[NDArray[np.bool_]] = []
    for block in range(N_DRAWS // step):
        theta, indefinite = draw(setting.train, params, setting, block=block, n_draws=step)
        blocks.append(theta)
        none.append(indefinite)
        yield gathered(setting, np.concatenate(blocks), np.concatenate(none))


def generator(params: RegressionParams, block: int = 0, world: int = 0) -> np.random.Generator:
    """Return the random generator for a block of noise draws.

    Each block has independent noise. ``world`` is 0 or 1, so that two neighbouring data sets can have
    independent noise too.
    """
    return np.random.default_rng([params.seed, block, world])


def noise_scales(params: RegressionParams) -> Floats:
    """Return the factors (51,) that scale unit noise to the 51 values `ALL` of ε."""
    if params.pure:
        return noises.laplace_scales(ALL)
    return noises.gaussian_scales(ALL, params.delta)


def unit_noise(
    params: RegressionParams, n_features: int, n_draws: int, rng: np.random.Generator
) -> noises.UnitNoise:
    """Return noise of scale 1 on the coefficients of the objective."""
    if params.method == "joint":
        return noises.joint_noise(n_features, n_draws, rng)
    if params.method == "gaussian":
        return noises.gaussian_noise(n_features, n_draws, rng)
    return noises.functional_noise(
        n_features, n_draws, rng, share=budget_share(params.split, n_features),
        sensitivities=params.method,
    )  # fmt: skip


def first_of(noise: noises.UnitNoise, keep: int | None) -> noises.UnitNoise:
    """Return the first ``keep`` noise draws; all of them if ``keep`` is None."""
    return replace(noise, matrix=noise.matrix[:keep], vector=noise.vector[:keep])


def draw(
    sums: SufficientStatistics,
    params: RegressionParams,
    setting: Setting,
    *,
    block: int = 0,
    world: int = 0,
    n_draws: int = N_DRAWS,
    keep: int | None = None,
    records: tuple[Floats, Floats] | None = None,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the coefficients (m, 51, D) of private fits, and a mask (m, 51).

    Axes: m noise draws, the 50 ε of the grid and ε = ∞, D coefficients. The mask is True where the
    noisy objective has no minimum.

    - ``sums``: sufficient statistics, possibly of a neighbouring data set.
    - ``block`` and ``world``: see `generator`.
    - ``keep``: number of noise draws for which the objective is minimised; None for all.
    - ``records``: X (n, d) and y (n,) on [-1, 1] for gradient descent; by default the training
      records of ``setting``.
    """
    rng = generator(params, block, world)
    none = np.zeros((n_draws, len(ALL)), bool)
    if params.method == "adassp":
        return ada_ssp(sums, ALL, delta=params.delta, n_draws=n_draws, rng=rng).coefficients, none
    if params.method == "output":
        return output_perturbation(
            sums, ALL, delta=params.delta, n_draws=n_draws, rng=rng
        ).coefficients, none
    if params.method == "descent":
        rows = records or setting.scaled()
        return _descended(rows, params, n_draws, rng, is_heavy(setting, params)), none
    noise = first_of(unit_noise(params, setting.n_features, n_draws, rng), keep)
    return solve_grid(sums, noise, noise_scales(params), repair_of(params))


def is_heavy(setting: Setting, params: RegressionParams) -> bool:
    """Return whether the fits take too long for an update while a slider moves."""
    return params.method == "descent" and setting.n_samples * (setting.n_features + 1) > 12_000


def _descended(
    records: tuple[Floats, Floats],
    params: RegressionParams,
    n_draws: int,
    rng: np.random.Generator,
    heavy: bool,
) -> Floats:
    """Return the coefficients (m, 51, D) of fits by gradient descent.

    Axes: m noise draws, the 50 ε of the grid and ε = ∞, D coefficients.

    If ``heavy``, the training runs only at every seventh ε. The other coefficients are interpolated
    linearly in log ε.
    """
    X, y = records
    epsilons = ALL[_NODES] if heavy else ALL
    coefficients = gradient_descent(
        X, y, epsilon=epsilons, delta=params.delta, n_draws=n_draws, rng=rng, n_steps=int(DESCENT["n_steps"]),
        learning_rate=DESCENT["learning_rate"], clip_norm=params.clip_norm,
        sample_rate=params.sample_rate, noise_multiplier=noise_multipliers(params, epsilons),
    ).coefficients  # fmt: skip
    if not heavy:
        return coefficients
    place = np.interp(np.log(ALL[:-1]), np.log(epsilons[:-1]), np.arange(len(epsilons) - 1.0))
    low = np.minimum(place.astype(int), len(epsilons) - 3)
    part = (place - low)[:, None]
    between = (1 - part) * coefficients[:, low] + part * coefficients[:, low + 1]
    return np.concatenate([between, coefficients[:, -1:]], axis=1)


def noise_multipliers(params: RegressionParams, epsilons: Floats) -> Floats:
    """Return the noise multiplier (n_eps,) of gradient descent for each ε in ``epsilons`` (n_eps,).

    An ε may be inf. The multipliers are exact at sampling rate q = 1, otherwise from a precomputed
    table.
    """
    q, n_steps = params.sample_rate, int(DESCENT["n_steps"])
    if q == 1:
        return descent_noise(epsilons, params.delta, n_steps=n_steps)
    multipliers, loud = np.zeros(len(epsilons)), np.isfinite(epsilons)
    multipliers[loud] = replaced_noise_multipliers(epsilons[loud], params.delta, q, n_steps)
    return multipliers


def gathered(setting: Setting, coefficients: Floats, indefinite: NDArray[np.bool_]) -> Fits:
    """Return `Fits` with the given coefficients (m, 51, D) and their errors.

    Axes: m noise draws, the 50 ε of the grid and ε = ∞, D coefficients. The coefficients at ε = ∞ are
    of the method without noise. They differ between noise draws only for gradient descent, whose
    batches are random. ``ideal`` of the result is their median.
    """
    private, ideal = coefficients[:, :-1], np.median(coefficients[:, -1], axis=0)
    best = setting.best
    return Fits(
        coefficients=private,
        train=setting.train.mse(private),
        test=setting.test.mse(private),
        indefinite=indefinite[:, :-1],
        ideal=ideal,
        best=best,
        ideal_train=float(setting.train.mse(ideal)),
        ideal_test=float(setting.test.mse(ideal)),
        best_train=float(setting.train.mse(best)),
        best_test=float(setting.test.mse(best)),
    )


def moved(
    setting: Setting, old: tuple[Floats, float], new: tuple[Floats, float]
) -> SufficientStatistics:
    """Return the sufficient statistics after the record ``old`` is replaced by ``new``.

    A record is a pair: features (D,) that start with the constant 1, and a target.
    """
    (x, y), (u, v) = old, new
    sums = setting.train
    return replace(
        sums,
        quadratic=sums.quadratic - np.outer(x, x) + np.outer(u, u),
        linear=sums.linear - y * x + v * u,
        target_square=sums.target_square - y**2 + v**2,
    )


LEVELS = (0.01, 0.05, 0.15)
PIECE = 23
_FAR = 2.2


@dataclass(frozen=True, kw_only=True, eq=False)
class Objective:
    """Noisy objectives θᵀAθ - 2cᵀθ, divided by the number of records.

    There are m noise draws at E = 50 values of ε; t is the first feature's coefficient.

    - ``curvature`` a and ``slope`` b (m, E): parabola a t² - 2 b t of each draw, see `along`.
    - ``fixed_curvature`` and ``fixed_slope`` (E,): parabola of draw 0 after the repair.
    - ``matrix`` (E, 2, 2) and ``point`` (E, 2): quadratic form and stationary point of draw 0 over
      intercept and t. The other coefficients are at their stationary values.
    - ``fixed_matrix``, ``fixed_point``: quadratic form and stationary point after the repair.
    - ``lowest`` (m, E): smallest eigenvalue of the noisy A.
    - fields that begin with ``true_``: the corresponding quantities without noise.
    """

    curvature: Floats
    slope: Floats
    fixed_curvature: Floats
    fixed_slope: Floats
    matrix: Floats
    point: Floats
    fixed_matrix: Floats
    fixed_point: Floats
    true_curvature: float
    true_slope: float
    true_matrix: Floats
    true_point: Floats
    lowest: Floats
    true_lowest: float


def objective(setting: Setting, params: RegressionParams, keep: int = N_DRAWS) -> Objective | None:
    """Return the noisy objectives of the first ``keep`` noise draws.

    The result is None if the method releases no objective.
    """
    if not params.objective:
        return None
    noise = first_of(unit_noise(params, setting.n_features, N_DRAWS, generator(params)), keep)
    scales = noise_scales(params)[:-1]
    sums, n = setting.train, setting.n_samples
    A = sums.quadratic + scales[:, None, None] * noise.matrix[:, None]
    c = sums.linear + scales[:, None] * noise.vector[:, None]
    curvature, slope = along(A, c, setting.best)
    fixed = repaired(A[0], repair_of(params).shift(noise) * scales, params.repair)
    fixed_a, fixed_b = along(fixed, c[0], setting.best)
    matrix, line = profile(A[0], c[0], 2)
    fixed_matrix, fixed_line = profile(fixed, c[0], 2)
    true_a, true_b = along(sums.quadratic, sums.linear, setting.best)
    true_matrix, true_line = profile(sums.quadratic, sums.linear, 2)
    return Objective(
        curvature=curvature / n, slope=slope / n,
        fixed_curvature=fixed_a / n, fixed_slope=fixed_b / n,
        matrix=matrix / n, point=_solved(matrix, line),
        fixed_matrix=fixed_matrix / n, fixed_point=_solved(fixed_matrix, fixed_line),
        true_curvature=float(true_a) / n, true_slope=float(true_b) / n,
        true_matrix=true_matrix / n, true_point=_solved(true_matrix, true_line),
        lowest=np.linalg.eigvalsh(A)[..., 0] / n,
        true_lowest=float(np.linalg.eigvalsh(sums.quadratic)[0]) / n,
    )  # fmt: skip


def _solved(A: Floats, c: Floats) -> Floats:
    return _divided(A, c[..., None])[..., 0]


def along(A: Floats, c: Floats, best: Floats) -> tuple[Floats, Floats]:
    """Return a and b (...) of the parabola a t² - 2 b t, an objective in the first feature's coefficient t.

    The whole objective is θᵀAθ - 2cᵀθ with A (..., D, D), c (..., D).

    - With one feature, the intercept has its stationary value for each t. The minimum of the
      parabola is then the fit.
    - With more features, the other coefficients are fixed at ``best`` (D,). At their stationary
      values, which may be far away, the parabola could be too steep to display.
    """
    if c.shape[-1] == 2:
        inner, line = profile(A, c, 1)
        return inner[..., 0, 0], line[..., 0]
    others = best.copy()
    others[1] = 0.0
    return A[..., 1, 1], c[..., 1] - A[..., 1, :] @ others


def profile(A: Floats, c: Floats, size: int) -> tuple[Floats, Floats]:
    """Return the objective θᵀAθ - 2cᵀθ as a function of the displayed coefficients only.

    The result is a matrix (..., size, size) and a vector (..., size), from A (..., D, D) and c
    (..., D).

    - ``size`` 1: the first feature's coefficient is displayed.
    - ``size`` 2: the intercept and this coefficient are displayed.

    The other coefficients are at their stationary values. So stationary points of the whole
    objective are also stationary points of this function.
    """
    D = c.shape[-1]
    axes = [1] if size == 1 else [0, 1]
    rest = [i for i in range(D) if i not in axes]
    inner, line = A[..., axes, :][..., axes], c[..., axes]
    if not rest:
        return inner, line
    side = A[..., axes, :][..., rest]
    across = np.swapaxes(side, -1, -2)
    solution = _divided(
        A[..., rest, :][..., rest], np.concatenate([across, c[..., rest, None]], -1)
    )
    back = side @ solution
    return inner - back[..., :-1], line - back[..., -1]


def _divided(A: Floats, b: Floats) -> Floats:
    """Return A⁻¹ b for many matrices A.

    If a matrix is exactly singular, the result is the least-norm solution.
    """
    try:
        return np.asarray(np.linalg.solve(A, b), float)
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.pinv(A, hermitian=True) @ b, float)


def repaired(A: Floats, shift: Floats, kind: str) -> Floats:
    """Return the matrices (E, D, D) of the repaired objectives.

    There are D coefficients and E values of ε. The repair changes the eigenvalues of A, by
    ``kind``:

    - "none": A is returned.
    - "trim": ``shift`` (E,) is added to all eigenvalues. Those that are still not positive are
      replaced by a very large number, so that the coefficient in their direction is zero.
    - otherwise: negative eigenvalues are set to 0, and then ``shift`` is added to all.
    """
    if kind == "none":
        return A
    values, vectors = np.linalg.eigh(A)
    if kind == "trim":
        eigenvalues = values + shift[:, None]
        eigenvalues = np.where(eigenvalues > 0, eigenvalues, 1e6 * np.abs(values).max())
    else:
        eigenvalues = np.maximum(values, 0) + shift[:, None]
    return cast(Floats, (vectors * eigenvalues[:, None]) @ np.swapaxes(vectors, -1, -2))


def level_curves(matrix: Floats, point: Floats, unit: float = 1.0) -> tuple[Floats, Floats]:
    """Return the curves on which an objective differs from its stationary value by given amounts.

    There is an objective for each of E values of ε. Its quadratic form is in ``matrix`` (E, 2, 2), its
    stationary point in ``point`` (E, 2). The amounts are `LEVELS` times ``unit``. The result is two
    arrays (E, 144, 2), for values above and below the stationary value. Each array has six pieces of 23
    points, and a NaN after each piece. Curves are ellipses around a minimum and hyperbolas around a
    saddle.
    """
    values, vectors = np.linalg.eigh(matrix)
    up = [_pieces(values, vectors, point, unit * level, 1.0) for level in LEVELS]
    down = [_pieces(values, vectors, point, unit * level, -1.0) for level in LEVELS]
    return np.concatenate(up, axis=1), np.concatenate(down, axis=1)


def _pieces(values: Floats, vectors: Floats, point: Floats, level: float, sign: float) -> Floats:
    w = sign * values
    reach = np.sqrt(level / np.maximum(np.abs(w), 1e-9))
    angle, swing = np.linspace(0, np.pi, PIECE), np.linspace(-_FAR, _FAR, PIECE)
    shapes = {
        (True, True): (np.cos(angle), np.sin(angle)),
        (True, False): (np.cosh(swing), np.sinh(swing)),
        (False, True): (np.sinh(swing), np.cosh(swing)),
    }
    pieces = np.full((len(w), 2, PIECE + 1, 2), np.nan)
    for (first, second), shape in shapes.items():
        these = np.flatnonzero(((w[:, 0] > 0) == first) & ((w[:, 1] > 0) == second))
        inside = vectors[these] @ (reach[these, :, None] * np.array(shape))
        for piece, turn in enumerate((1.0, -1.0)):
            pieces[these, piece, :-1] = point[these, None] + turn * np.swapaxes(inside, 1, 2)
    return pieces.reshape(len(w), -1, 2)


_NAMES = {
    "joint": ("the distinct entries of A and c together", "Laplace"),
    "gaussian": ("A and c together", "analytic Gaussian"),
    "adassp": ("smallest eigenvalue, A and c, composed exactly", "three Gaussians"),
    "output": ("coefficients", "analytic Gaussian"),
}


def guarantee(params: RegressionParams, problem: Problem | None = None) -> Guarantee:
    """Return the guarantee of one fit with these parameters.

    Parameters
    ----------
    params : RegressionParams
        ε, δ and the method.
    problem : Problem or None
        The data, for the public facts; by default from ``params.dataset``.

    Returns
    -------
    Guarantee
        For replace-one neighbours; the number of records n is public.
    """
    problem = problem or problem_of(params)
    setting = problem.setting(params)
    argument = ARGUMENTS["split" if params.separate else params.method]
    privacy = fit_guarantee(
        _parts(params, setting.n_features), setting.bounds, setting.n_samples, argument=argument,
        epsilon=params.epsilon, delta=0.0 if params.pure else params.delta,
        event=_event(params, setting.n_features), unit=problem.dataset.unit,
    )  # fmt: skip
    data = problem.dataset
    return replace(
        privacy.having_read(*data.undeclared, *mismatch(data, "replace_one")),
        public=(*data.public, *privacy.public),
        not_protected=(
            *privacy.not_protected,
            "the dots and the errors that are shown: you see them because you hold the data",
        ),
    )


def guarantees(params: RegressionParams, problem: Problem | None = None) -> list[Guarantee]:
    """Return the guarantee of a fit at every ε of the grid.

    For a method with δ there is a guarantee for each ε and δ, with δ varying faster.
    """
    base = guarantee(params, problem)
    if params.pure:
        return base.tabulated(EPSILON_GRID)
    places = list(product(EPSILON_GRID, DELTA_GRID))
    return base.tabulated([epsilon for epsilon, _ in places], [delta for _, delta in places])


def _event(params: RegressionParams, n_features: int) -> Event:
    method = "joint" if params.pure else params.method
    split = budget_share(params.split, n_features) if params.separate else None
    return release_event(
        method, params.epsilon, params.delta, split=split, n_steps=int(DESCENT["n_steps"]),
        sample_rate=params.sample_rate, noise_multiplier=_multiplier(params),
    )  # fmt: skip


def _multiplier(params: RegressionParams) -> float | None:
    """Return the noise multiplier of the steps of gradient descent.

    The result is None for other methods.
    """
    if not params.stepwise:
        return None
    return float(noise_multipliers(params, np.array([params.epsilon]))[0])


def shown_epsilon(params: RegressionParams, n_fits: int = N_DRAWS) -> float:
    """Return the ε of ``n_fits`` ≥ 1 fits together, at the same δ (0 for Laplace noise).

    With Laplace noise the ε of the fits add up. For gradient descent on samples the result is the
    accountant's ε of all steps. Other methods have Gaussian noise that costs exactly (ε, δ), and
    the result is exact.

    Examples
    --------
    >>> round(shown_epsilon(RegressionParams(method="gaussian", epsilon=1.0, delta=1e-5)), 3)
    8.17
    """
    if params.pure:
        return n_fits * params.epsilon
    if params.stepwise and params.sample_rate < 1:
        event = _event(params, n_features=1)
        return accounting.spent(
            accounting.Repeated(event, n_fits), params.delta, neighbouring="replace_one"
        )
    sigma = mechanisms.gaussian_sigma(1.0, params.epsilon, delta=params.delta)
    return mechanisms.gaussian_epsilon(sigma / n_fits**0.5, 1.0, delta=params.delta)


def _parts(params: RegressionParams, d: int) -> tuple[Part, ...]:
    epsilon, delta = params.epsilon, 0.0 if params.pure else params.delta
    if params.separate:
        first = budget_share(params.split, d) * epsilon
        return (
            Part(name="the quadratic part A", epsilon=first, delta=0.0, mechanism="Laplace"),
            Part(name="the linear part c", epsilon=epsilon - first, delta=0.0, mechanism="Laplace"),
        )
    if params.method == "descent":
        name = steps_name(sample_rate=params.sample_rate, n_steps=int(DESCENT["n_steps"]))
        mechanism = f"Gaussian, z = {_multiplier(params):.3g}"
    else:
        name, mechanism = _NAMES[params.method]
    return (Part(name=name, epsilon=epsilon, delta=delta, mechanism=mechanism),)


def estimator_call(params: RegressionParams) -> tuple[str, dict[str, object]]:
    """Return the class name and arguments of the `dpcore.regression` estimator for these parameters.

    Examples
    --------
    >>> estimator_call(RegressionParams(method="adassp", epsilon=0.5))
    ('AdaSSP', {'epsilon': 0.5, 'delta': 1e-05})
    """
    epsilon: dict[str, object] = {"epsilon": params.epsilon}
    if params.pure:
        noise = epsilon | {"sensitivity": params.method}
        split = {"split": params.split} if params.separate else {}
        return "FunctionalMechanismRegression", noise | split | _repair_arguments(params)
    both = epsilon | {"delta": params.delta}
    calls: dict[str, tuple[str, dict[str, object]]] = {
        "gaussian": ("SufficientStatisticsRegression", both | _repair_arguments(params)),
        "adassp": ("AdaSSP", both),
        "output": ("OutputPerturbationRegression", both),
        "descent": ("DPGradientDescentRegression", both | _step_arguments(params)),
    }
    return calls[params.method]


def _step_arguments(params: RegressionParams) -> dict[str, object]:
    return {"clip_norm": params.clip_norm, "sample_rate": params.sample_rate}


def _repair_arguments(params: RegressionParams) -> dict[str, object]:
    repair = repair_of(params)
    arguments: dict[str, object] = {"repair": repair.kind}
    return arguments | {"floor": repair.floor} if repair.kind == "floor" else arguments
