"""The same budget for models of growing size: hidden units, and random features of a fixed length."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcore import sgd
from dpcore.descent import Logistic, Model, Network, Recipe, descend
from dpcore.descent.train import norms
from dpcore.experiments.descent.budget import levels
from dpcore.experiments.descent.data import N_TRAIN, Problem
from dpcore.experiments.descent.params import WIDTH_GRID, DescentParams

__all__ = [
    "KINDS",
    "N_SIZE_DRAWS",
    "Sizes",
    "draws_of",
    "lengths",
    "n_parameters",
    "random_features",
    "run_sizes",
]

Floats = NDArray[np.float64]
KINDS: dict[str, str] = {"hidden": "hidden units", "features": "random features"}
"""The models, with words for them."""
N_SIZE_DRAWS = 6
_WAVES = 2.5  # standard deviation of the frequencies
_MANY = 40  # times that a training uses each record; beyond that, half the draws
_CACHED = 400_000  # numbers in a layer of models trained side by side that stay near the processor


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """D draws at S sizes and V noise levels.

    ``accuracy`` (2, D, S, V): of both kinds on the test; ``plain`` (2, S): mean of the same steps without
    noise and without clipping; ``gradient`` (2, S): mean length of a record's gradient before the first step.
    """

    accuracy: Floats
    plain: Floats
    gradient: Floats

    def quantiles(self) -> Floats:
        """Return what 10, 50 and 90 of 100 draws stay below, (3, 2, S, V)."""
        return np.quantile(self.accuracy, (0.1, 0.5, 0.9), axis=1)


def n_parameters(width: int) -> int:
    """Return d of a network with so many hidden units on two features; random features get as many.

    Examples
    --------
    >>> n_parameters(12)
    49
    """
    return Network(2, width).n_weights


def lengths(params: DescentParams, width: int, noise_multiplier: float) -> tuple[float, float]:
    """Return the typical length σC√d of a step's noise, and the most qN·C that all gradients add up to."""
    noise = noise_multiplier * params.clip_norm * math.sqrt(n_parameters(width))
    return noise, params.sample_rate * N_TRAIN * params.clip_norm


def random_features(X: Floats, d: int, seed: int) -> Floats:
    """Return √(2/d) cos(ω_k·x + β_k), (n, d), ω and β drawn without looking at data (Rahimi and Recht 2007).

    However many there are, a row has a length of about 1 and at most √2.
    """
    rng = np.random.default_rng([seed, 31])
    waves, phases = _WAVES * rng.standard_normal((2, d)), rng.uniform(0, 2 * np.pi, d)
    return math.sqrt(2 / d) * np.cos(X[:, :2] @ waves + phases)


def run_sizes(
    problem: Problem,
    params: DescentParams,
    *,
    n_draws: int | None = None,
    progress: Callable[[float], None] = lambda part: None,
    check: Callable[[], None] = lambda: None,
) -> Iterator[Sizes]:
    """Yield better and better results: the first draw size by size, then one draw more each time.

    ε depends on σ, q, T and δ alone, so that a larger model is trained with the same noise on each of
    its weights. Each training costs the same ε. Add-or-remove neighbours, N public, as in `descend`.

    Parameters
    ----------
    problem : Problem
        Whose data; its model is not used.
    params : DescentParams
        How a step is made.
    n_draws : int, optional
        How many draws, ≥ 1. None: `draws_of` these parameters.
    progress : callable
        Told the part done after each size.
    check : callable
        Asked ten times in each training, ends the work by raising.

    Yields
    ------
    Sizes
    """
    most = draws_of(params) if n_draws is None else n_draws
    plain, levels = params.but(parts="neither").recipe(), _noise(params)
    work = np.cumsum([0, *(width + 10 for width in WIDTH_GRID)], dtype=float)
    found = np.full((most, len(WIDTH_GRID), len(KINDS), len(levels) + 2), np.nan)
    for draw in range(most):
        seed = params.seed * 1000 + draw + 1
        for s, width in enumerate(WIDTH_GRID):
            cases = _models(problem, width, seed)
            found[draw, s] = [
                _scores(problem, params, plain, levels, case, seed, check) for case in cases
            ]
            progress((draw + work[s + 1] / work[-1]) / most)
            if draw == 0 or s + 1 == len(WIDTH_GRID):
                yield _sizes(found[: draw + 1])


def draws_of(params: DescentParams) -> int:
    """Return how many draws are made: half as many where each uses every record more than 40 times.

    Examples
    --------
    >>> draws_of(DescentParams()), draws_of(DescentParams(sample_rate=1.0, n_steps=500))
    (6, 3)
    """
    return N_SIZE_DRAWS if params.sample_rate * params.n_steps <= _MANY else N_SIZE_DRAWS // 2


def _sizes(found: Floats) -> Sizes:
    """Of draws (D, S, 2, V + 2), NaN where nothing is trained yet."""
    whole = found.transpose(2, 0, 1, 3)
    accuracy, plain, gradient = whole[..., :-2], whole[..., -2], whole[..., -1]
    return Sizes(accuracy=accuracy.copy(), plain=plain.mean(1), gradient=gradient.mean(1))


def _noise(params: DescentParams) -> Floats:
    return levels(params) * (params.parts in ("both", "noise"))


def _models(problem: Problem, width: int, seed: int) -> list[tuple[Model, Floats, Floats]]:
    """Both models of a size, with the rows that each learns from and is tested on."""
    d = n_parameters(width)
    first, second = (random_features(X, d, seed) for X in (problem.X, problem.X_test))
    return [(Network(2, width), problem.X, problem.X_test), (Logistic(d - 1), first, second)]


def _scores(
    problem: Problem,
    params: DescentParams,
    plain: Recipe,
    levels: Floats,
    case: tuple[Model, Floats, Floats],
    seed: int,
    check: Callable[[], None],
) -> Floats:
    """Accuracies at every noise level, then without noise and clipping, then the mean gradient's length."""
    model, X, X_test = case
    at_once = max(1, int(_CACHED / (params.sample_rate * len(X) * model.n_weights)))
    blocks = [levels[k : k + at_once] for k in range(0, len(levels), at_once)]
    snapshots = np.unique(np.linspace(0, params.n_steps, 11).astype(np.int64))
    parts = []
    for recipe, noise in (*((params.recipe(), block) for block in blocks), (plain, np.zeros(1))):
        path = descend(
            model, X, problem.y, recipe, noise, sgd.Streams.of(seed, 2), snapshots=snapshots,
            check=check,
        )  # fmt: skip
        parts.append(
            ((model.scores(path.weights[:, -1], X_test) > 0) == (problem.y_test > 0)).mean(-1)
        )
    start = model.start(sgd.Streams.of(seed, 2).start)[None]
    return np.append(np.concatenate(parts), norms(model.factors(start, X, problem.y)).mean())
