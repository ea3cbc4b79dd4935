"""Comparison of private regression methods at every ε.

The module also computes how the noise depends on the split of ε between two releases.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore.experiments.grids import EPSILON_GRID
from dpcore.experiments.regression.fits import (
    ALL,
    N_DRAWS,
    Fits,
    draw,
    gathered,
    generator,
    is_heavy,
)
from dpcore.experiments.regression.problem import METHODS, RegressionParams, Setting, repair_of
from dpcore.regression import noise as noises
from dpcore.regression import sensitivity, splits
from dpcore.regression.solve import solve_grid

__all__ = [
    "SHARES",
    "TRIED",
    "Comparison",
    "Shares",
    "compare",
    "compared",
    "excess",
    "least_excess_share",
    "shares",
    "tried",
]

Floats = NDArray[np.float64]
BLOCKS = 4
_HEAVY_DRAWS = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Comparison:
    """Errors of every regression method at E values of ε.

    Each field has one entry per method, by name.

    - ``test`` and ``train`` (3, E): 10, 50 and 90 % quantiles of the mean squared error over noise
      draws.
    - ``indefinite`` (E,): fraction of noise draws with a noisy objective that has no minimum.
    - ``draws``: number of noise draws.
    - ``ideal_test``, ``ideal_train``: errors without noise.
    """

    test: dict[str, Floats]
    train: dict[str, Floats]
    indefinite: dict[str, Floats]
    draws: dict[str, int]
    ideal_test: dict[str, float]
    ideal_train: dict[str, float]


def compare(setting: Setting, params: RegressionParams) -> Iterator[tuple[Comparison, float]]:
    """Yield the comparison of all methods so far, with the fraction of the work done.

    ``params`` select the repair of the noisy objectives. Each method has the noise that it has in
    `run` with the same seed.
    """
    plan = [(name, block) for block in range(BLOCKS) for name in METHODS]
    slow = is_heavy(setting, params.but(method="descent"))
    if slow:  # the records are passed again and again: it comes last and has fewer draws
        plan = [step for step in plan if step[0] != "descent"] + [("descent", 0)]
    by_method: dict[str, list[Fits]] = {}
    for done, (name, block) in enumerate(plan, start=1):
        n_draws = _HEAVY_DRAWS if slow and name == "descent" else N_DRAWS
        solutions = draw(
            setting.train, params.but(method=name), setting, block=block, n_draws=n_draws
        )
        by_method.setdefault(name, []).append(gathered(setting, *solutions))
        if done % len(METHODS) == 0 or done >= len(plan) - 1:
            yield compared(by_method), done / len(plan)


def compared(by_method: dict[str, list[Fits]]) -> Comparison:
    """Return the comparison of all methods from the fits computed so far.

    ``by_method`` maps a method's name to a list of `Fits`, one for each block of noise draws.
    """

    def quantiles(which: str) -> dict[str, Floats]:
        return {
            name: np.quantile(
                np.concatenate([getattr(f, which) for f in blocks]), (0.1, 0.5, 0.9), 0
            )
            for name, blocks in by_method.items()
        }

    return Comparison(
        test=quantiles("test"),
        train=quantiles("train"),
        indefinite={
            name: np.concatenate([f.indefinite for f in blocks]).mean(0)
            for name, blocks in by_method.items()
        },
        draws={name: sum(len(f.test) for f in blocks) for name, blocks in by_method.items()},
        ideal_test={name: blocks[0].ideal_test for name, blocks in by_method.items()},
        ideal_train={name: blocks[0].ideal_train for name, blocks in by_method.items()},
    )


SHARES = np.round(np.linspace(0.04, 0.98, 48), 4)
TRIED = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95])


@dataclass(frozen=True, kw_only=True)
class Shares:
    """Noise and training error as functions of the share ε₁/ε spent on the first of two releases.

    There are 48 shares `SHARES` for formulas and 12 shares `TRIED` for simulations.

    - ``variance`` (48,): total noise variance by formula, divided by its minimum over shares.
    - ``tried_variance`` (12,): the same ratio from simulated noise.
    - ``excess`` (E, 48): expected training error minus the error of least squares, to first order
      in the noise, at E values of ε.
    - ``marks``: shares of the four named splits.
    - ``least``: the share with the least ``excess``.
    """

    variance: Floats
    tried_variance: Floats
    excess: Floats
    marks: dict[str, float]
    least: float


def _kind(params: RegressionParams) -> str:
    return "tight" if params.method == "tight" else "printed"


def shares(setting: Setting, params: RegressionParams, n_draws: int = 400) -> Shares:
    """Return how noise and training error depend on the share ε₁/ε spent on the first of two releases.

    The training error is an expected value, so that no model is fitted.
    """
    d, kind = setting.n_features, _kind(params)
    variance = splits.expected_noise_variance(SHARES, d, 1.0, kind)
    first = _first(d, kind)
    weight = ((d + 1) ** 2 * first**2 / ((d + 1) * sensitivity.linear(d) ** 2)) ** (1 / 3)
    least = float(splits.expected_noise_variance(weight / (1 + weight), d, 1.0, kind))
    rng = generator(params, 0, 7)
    tried_variance = [
        np.square(rng.laplace(scale=first / s, size=(n_draws, (d + 1) ** 2))).sum(1).mean()
        + np.square(rng.laplace(scale=sensitivity.linear(d) / (1 - s), size=(n_draws, d + 1)))
        .sum(1)
        .mean()
        for s in TRIED
    ]
    return Shares(
        variance=variance / least,
        tried_variance=np.array(tried_variance) / least,
        excess=excess(setting, SHARES, 1.0, kind) / np.square(EPSILON_GRID)[:, None],
        marks={name: splits.budget_share(name, d) for name in splits.SPLITS},
        least=least_excess_share(setting, kind),
    )


def _first(n_features: int, kind: str) -> float:
    of = sensitivity.printed_quadratic if kind == "printed" else sensitivity.quadratic
    return of(n_features)


def _weights(setting: Setting, kind: str) -> tuple[float, float]:
    """Return the factors of 1/ε₁² and 1/ε₂² in the expected `excess`.

    ε₁ is the budget of the quadratic statistics, and ε₂ is the budget of the linear statistics.
    """
    inverse = np.linalg.pinv(setting.train.quadratic, hermitian=True)
    theta, trace = setting.best, float(np.trace(inverse))
    # Solutions move by A⁻¹(δc - Nθ); the mean of two Laplace draws off the diagonal makes
    # Cov(Nθ) = b²(|θ|²I + θθᵀ) with b the scale of one of them.
    quadratic = _first(setting.n_features, kind) ** 2
    linear = 2 * (sensitivity.linear(setting.n_features) / 2) ** 2
    reach = float(theta @ theta) * trace + float(theta @ inverse @ theta)
    return quadratic * reach / setting.n_samples, linear * trace / setting.n_samples


def excess(setting: Setting, share: Floats, epsilon: float, kind: str) -> Floats:
    """Return the expected training error (k,) minus the error of least squares, at k shares ε₁/ε.

    ε₁/ε is the share of ε that is spent on the quadratic statistics. The expectation is to first
    order in the noise.
    """
    square, line = _weights(setting, kind)
    part = np.asarray(share, float)
    return (square / part**2 + line / (1 - part) ** 2) / epsilon**2


def least_excess_share(setting: Setting, kind: str) -> float:
    """Return the share ε₁/ε with the least `excess`."""
    square, line = _weights(setting, kind)
    ratio = (square / max(line, 1e-300)) ** (1 / 3)
    return float(ratio / (1 + ratio))


def tried(setting: Setting, params: RegressionParams, share: float, n_draws: int = 100) -> Floats:
    """Return the median test error (E,), at every ε of the grid, of fits with a given share ε₁/ε.

    The same noise draws are scaled for every share.
    """
    d = setting.n_features
    noise = noises.functional_noise(
        d, n_draws, generator(params, 0, 8), share=share, sensitivities=_kind(params)
    )
    fits, _ = solve_grid(setting.train, noise, noises.laplace_scales(ALL[:-1]), repair_of(params))
    return np.median(setting.test.mse(fits), axis=0)
