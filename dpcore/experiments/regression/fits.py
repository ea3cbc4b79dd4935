"""Many private fits by every method at every ε: the noise is drawn once and scaled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression.params import RegressionParams, repair_of
from dpcore.experiments.regression.problem import Problem, Setting, named_problem
from dpcore.regression import SufficientStatistics, ada_ssp, gradient_descent, output_perturbation
from dpcore.regression import noise as noises
from dpcore.regression.solve import solve_grid
from dpcore.regression.splits import budget_share

__all__ = [
    "ALL",
    "DESCENT",
    "N_DRAWS",
    "Fits",
    "draw",
    "first_of",
    "gathered",
    "generator",
    "grow",
    "is_heavy",
    "noise_scales",
    "problem_of",
    "run",
    "unit_noise",
]

Floats = NDArray[np.float64]
N_DRAWS = 40
_CHUNK = 8
ALL = np.array([*EPSILON_GRID, np.inf])
"""Every ε of the grid, and ∞: the method without noise."""
DESCENT: dict[str, float] = {"n_steps": 20, "learning_rate": 0.5, "clip_norm": 1.0}
"""T, η and C of gradient descent, fixed before looking at any data."""
_NODES = np.array([*range(0, len(EPSILON_GRID), 7), len(EPSILON_GRID)])


@dataclass(frozen=True, kw_only=True, eq=False)
class Fits:
    """Private fits; m draws, E = 50 values of ε, D = d + 1 coefficients on [-1, 1].

    ``coefficients`` (m, E, D), ``train`` and ``test`` (m, E) mean squared errors, ``indefinite``
    (m, E) where the noisy objective has no minimum (all False where none is released); ``ideal``
    (D,) the method without noise, ``best`` (D,) least squares; errors of both.
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
        """Return the 10 %, 50 % and 90 % quantiles (3, E) of the "test" or "train" error."""
        return cast(Floats, np.quantile(getattr(self, which), (0.1, 0.5, 0.9), axis=0))


def problem_of(params: RegressionParams) -> Problem:
    """Return the problem of a data set known by name; own data have to be given to `run`."""
    if params.dataset == "own":
        raise ValueError("Own data are not known by name: give problem=Problem(dataset).")
    return named_problem(params.dataset)


def run(params: RegressionParams, problem: Problem | None = None) -> Fits:
    """Return many private fits at every ε.

    Parameters
    ----------
    params : RegressionParams
        ε is an axis of the result.
    problem : Problem or None
        The data; those of ``params.dataset`` when not given.

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
    """Yield fits with more and more draws where each takes long, else all at once."""
    step = _CHUNK if is_heavy(setting, params) else N_DRAWS
    found: list[Floats] = []
    none: list[NDArray[np.bool_]] = []
    for block in range(N_DRAWS // step):
        made, indefinite = draw(setting.train, params, setting, block=block, n_draws=step)
        found.append(made)
        none.append(indefinite)
        yield gathered(setting, np.concatenate(found), np.concatenate(none))


def generator(params: RegressionParams, block: int = 0, world: int = 0) -> np.random.Generator:
    """Return the generator of a block of draws; blocks and worlds have noise of their own."""
    return np.random.default_rng([params.seed, block, world])


def noise_scales(params: RegressionParams) -> Floats:
    """Return the scale s (51,) of the unit noise at `ALL` ε."""
    if params.pure:
        return noises.laplace_scales(ALL)
    return noises.gaussian_scales(ALL, params.delta)


def unit_noise(
    params: RegressionParams, n_features: int, n_draws: int, rng: np.random.Generator
) -> noises.UnitNoise:
    """Return the noise of a method that perturbs the objective, at scale 1."""
    if params.method == "joint":
        return noises.joint_noise(n_features, n_draws, rng)
    if params.method == "gaussian":
        return noises.gaussian_noise(n_features, n_draws, rng)
    return noises.functional_noise(
        n_features, n_draws, rng, share=budget_share(params.split, n_features),
        sensitivities=params.method,
    )  # fmt: skip


def first_of(noise: noises.UnitNoise, keep: int | None) -> noises.UnitNoise:
    """Return the first draws of a noise, or all."""
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
    """Return coefficients (m, 51, D) at `ALL` ε, and where the noisy objective has no minimum.

    ``keep`` solves only the first draws of the noisy objective: the same ones, in less time.
    ``sums`` may be those of another world; gradient descent goes through ``records``, X (n, d) and
    y (n,) on [-1, 1], those of ``setting`` when not given.
    """
    rng = generator(params, block, world)
    none = np.zeros((n_draws, len(ALL)), bool)
    if params.method == "adassp":
        return ada_ssp(sums, ALL, params.delta, n_draws, rng).coefficients, none
    if params.method == "output":
        return output_perturbation(sums, ALL, params.delta, n_draws, rng).coefficients, none
    if params.method == "descent":
        rows = records or setting.scaled()
        return _descended(rows, params, n_draws, rng, is_heavy(setting, params)), none
    noise = first_of(unit_noise(params, setting.n_features, n_draws, rng), keep)
    return solve_grid(sums, noise, noise_scales(params), repair_of(params))


def is_heavy(setting: Setting, params: RegressionParams) -> bool:
    """Whether the fits take longer than a moving handle can wait."""
    return params.method == "descent" and setting.n_samples * (setting.n_features + 1) > 12_000


def _descended(
    records: tuple[Floats, Floats],
    params: RegressionParams,
    n_draws: int,
    rng: np.random.Generator,
    heavy: bool,
) -> Floats:
    """Gradient descent at all ε; for many records at every seventh, straight in log ε between."""
    X, y = records
    asked = ALL[_NODES] if heavy else ALL
    found = gradient_descent(
        X, y, asked, params.delta, n_draws, rng, n_steps=int(DESCENT["n_steps"]),
        learning_rate=DESCENT["learning_rate"], clip_norm=DESCENT["clip_norm"],
    ).coefficients  # fmt: skip
    if not heavy:
        return found
    place = np.interp(np.log(ALL[:-1]), np.log(asked[:-1]), np.arange(len(asked) - 1.0))
    low = np.minimum(place.astype(int), len(asked) - 3)
    part = (place - low)[:, None]
    between = (1 - part) * found[:, low] + part * found[:, low + 1]
    return np.concatenate([between, found[:, -1:]], axis=1)


def gathered(setting: Setting, coefficients: Floats, indefinite: NDArray[np.bool_]) -> Fits:
    """Return coefficients (m, 51, D) with their errors; the last ε is ∞."""
    private, ideal = coefficients[:, :-1], coefficients[0, -1]
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
    """Return the sums after a record (x (D,), y) is replaced by another."""
    (x, y), (u, v) = old, new
    sums = setting.train
    return replace(
        sums,
        quadratic=sums.quadratic - np.outer(x, x) + np.outer(u, u),
        linear=sums.linear - y * x + v * u,
        target_square=sums.target_square - y**2 + v**2,
    )
