"""Comparisons for gradient descent: places where noise is added, models of growing size, worst-case neighbours."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from dpcore import sgd
from dpcore.audit.likelihood_ratios import step_evidence
from dpcore.audit.worlds import Worlds
from dpcore.descent import Logistic, Model, Network, Recipe, descend
from dpcore.descent.erm import RegularisedLogistic, minimise, output_sensitivity
from dpcore.descent.objective import objective_noise, perturbed_minimiser, unit_rows
from dpcore.descent.train import norms
from dpcore.experiments.descent.cost import LAMBDA_GRID, N_TRAIN, WIDTH_GRID, DescentParams, levels
from dpcore.experiments.descent.training import LIPSCHITZ, Problem, named_problem
from dpcore.experiments.grids import EPSILON_GRID
from dpcore.guarantee import Guarantee, Part
from dpcore.mechanisms import gaussian_sigma

__all__ = [
    "KINDS",
    "N_PLACE_DRAWS",
    "N_SIZE_DRAWS",
    "PLACES",
    "PLACE_NODES",
    "WORLDS",
    "OutputSweep",
    "Places",
    "Sizes",
    "Task",
    "descend_everybody",
    "draws_of",
    "lengths",
    "n_parameters",
    "noisy_rows",
    "random_features",
    "run_output",
    "run_places",
    "run_sizes",
    "task",
]

Floats = NDArray[np.float64]
PLACES = ("objective", "gradient", "output", "input")
"""Where noise is added: to the objective, to every gradient, to the result, or to every record."""
PLACE_NODES: tuple[float, ...] = (0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.2, 5.0, 8.0, 12.0, 20.0)
"""Values of ε at which the four ways of adding noise are compared."""
KINDS = ("hidden", "features")
"""Kinds of models that are compared at several sizes: networks, and random features."""
N_PLACE_DRAWS = 40
N_SIZE_DRAWS = 6
N_STEPS = 40  # on everybody, with noise on every sum
_N_OUTPUT_DRAWS = 100
_DRAWS_A_RESULT = 5  # of the four places
_WAVES = 2.5  # standard deviation of the frequencies
_MANY = 40  # times that a training uses each record; beyond that, half the draws
_CACHED = 400_000  # numbers in a layer of models trained side by side that stay near the processor


@dataclass(frozen=True, kw_only=True)
class OutputSweep:
    """Test accuracy of logistic regression with Gaussian noise on the weights, at E = 50 values of ε.

    Two sensitivities of the weights are compared. The proved sensitivity is 2G/(nμ) with μ = 2λ. The
    sensitivity printed in Sarkar's lecture is 4G/(nλ). G bounds the gradient norm, n is the number of
    records and λ the regularisation.

    - ``proved`` (3, E): 10, 50 and 90 % quantiles of the accuracy over 100 noise draws, with noise
      scaled to the proved sensitivity.
    - ``printed`` (3, E): the same quantiles with noise scaled to the printed sensitivity.
    - ``exact``: accuracy without noise.
    - ``sensitivities``: the proved and the printed sensitivity.
    """

    proved: Floats
    printed: Floats
    exact: float
    sensitivities: tuple[float, float]


@lru_cache(maxsize=64)
def run_output(dataset: str, regularisation: float, delta: float, seed: int) -> OutputSweep:
    """Return the accuracy of output perturbation at every ε.

    The same noise draws are scaled for each ε.

    Parameters
    ----------
    dataset : str
        Name of the data set, as in `named_problem`.
    regularisation : float
        λ > 0.
    delta : float
        δ, one of DELTA_GRID.
    seed : int
        Seed of the noise.

    Returns
    -------
    OutputSweep
    """
    problem = named_problem(dataset, "logistic")
    w = minimise(RegularisedLogistic(problem.X, problem.y, regularisation))
    unit = np.random.default_rng([seed, 77]).standard_normal((_N_OUTPUT_DRAWS, len(w)))
    n = len(problem.y)
    both = (
        output_sensitivity(LIPSCHITZ, regularisation, n_samples=n),
        output_sensitivity(LIPSCHITZ, regularisation, n_samples=n, as_printed=True),
    )
    sigma = np.array([gaussian_sigma(1.0, e, delta=delta) for e in EPSILON_GRID])
    bands = []
    for reach in both:
        weights = w + reach * sigma[:, None, None] * unit
        accuracies = problem.accuracy(weights.reshape(-1, len(w))).reshape(
            len(sigma), _N_OUTPUT_DRAWS
        )
        bands.append(np.quantile(accuracies, [0.1, 0.5, 0.9], axis=1))
    exact = float(problem.accuracy(w[None])[0])
    return OutputSweep(proved=bands[0], printed=bands[1], exact=exact, sensitivities=both)


@dataclass(frozen=True, eq=False)
class Task:
    """A binary classification task with training and test data.

    The training rows ``X`` (n, d + 1) have norm at most 1. The labels ``y`` (n,) are 0 or 1. ``X_test``
    and ``y_test`` have the same form.
    """

    X: Floats
    y: Floats
    X_test: Floats
    y_test: Floats

    def accuracy(self, weights: Floats) -> Floats:
        """Return the test accuracy (...) of weight vectors (..., d + 1)."""
        return cast(Floats, ((weights @ self.X_test.T > 0) == (self.y_test > 0)).mean(-1))

    def strength(self, regularisation: float) -> float:
        """Convert ``regularisation`` to the equivalent λ for scaled rows.

        ``regularisation`` is λ for rows on [-1, 1]^d. Scaled rows have norm at most 1, and need
        weights that are √(d + 1) times as long. So λ is divided by d + 1.
        """
        return regularisation / float(self.X.shape[1])

    def plain(self, regularisation: float) -> Floats:
        """Return the weights (d + 1,) that minimise the regularised logistic loss, without noise."""
        return minimise(RegularisedLogistic(self.X, self.y, self.strength(regularisation)))

    @property
    def trivial(self) -> float:
        """Accuracy of predicting the more frequent class."""
        frequent = float(self.y.mean() > 0.5)
        return float((self.y_test == frequent).astype(float).mean())


@lru_cache(maxsize=8)
def task(dataset: str) -> Task:
    """Return the classification task of a 2-D data set, with the features x₁, x₂, x₁x₂ and 1.

    With x₁x₂ a linear model can separate the data set "corners".
    """
    problem = named_problem(dataset, "logistic")
    first, second = (
        unit_rows(np.column_stack([X[:, :2], X[:, 0] * X[:, 1]]))
        for X in (problem.X, problem.X_test)
    )
    return Task(first, problem.y, second, problem.y_test)


@dataclass(frozen=True, kw_only=True)
class Places:
    """Test accuracy of logistic regression with noise added at one of four places.

    The places are listed in `PLACES`: the objective, every gradient, the resulting weights, or
    every record. There are D noise draws at K = 12 values of ε.

    - ``accuracy`` (4, D, K): accuracy with noise at each of the places.
    - ``exact``: accuracy of the same objective without noise.
    - ``best``: accuracy without noise at the best λ.
    - ``trivial``: accuracy of predicting the more frequent class.
    """

    accuracy: Floats
    exact: float
    best: float
    trivial: float

    def quantiles(self) -> Floats:
        """Return the 10, 50 and 90 % quantiles (3, 4, K) of the accuracy over the noise draws."""
        return np.quantile(self.accuracy, (0.1, 0.5, 0.9), axis=1)


def run_places(
    dataset: str,
    regularisation: float,
    delta: float,
    seed: int,
    *,
    n_draws: int = N_PLACE_DRAWS,
    check: Callable[[], None] = lambda: None,
) -> Iterator[Places]:
    """Yield the test accuracy with noise added at each of four places, updated after every five noise draws.

    The places are listed in `PLACES`. For each place there is one model, which is (ε, δ)-DP under
    replace_one, with public n. The noise is Gaussian, and the same draws are scaled for each ε. The
    sensitivity is:

    - 2 for noise on a row multiplied by its class s = ±1;
    - 2 for noise on a sum of gradients;
    - G/(nλ) for noise on the resulting weights, where G bounds the gradient norm.

    Parameters
    ----------
    dataset : str
        Name of the data set, as in `named_problem`.
    regularisation : float
        λ > 0 of λ‖w‖² for rows on [-1, 1]^d.
    delta : float
        δ in (0, 1).
    seed : int
        Seed of the noise.
    n_draws : int
        Number of draws, ≥ 1.
    check : callable
        Called between draws. It may raise to stop the work.

    Yields
    ------
    Places
    """
    problem = task(dataset)
    lines = {
        "exact": float(problem.accuracy(problem.plain(regularisation))),
        "best": max(float(problem.accuracy(problem.plain(s))) for s in LAMBDA_GRID),
        "trivial": problem.trivial,
    }
    rows: list[Floats] = []
    for draw in range(n_draws):
        check()
        weights = [
            release(problem, regularisation, delta, (seed, draw)) for release in _RELEASES.values()
        ]
        rows.append(problem.accuracy(np.array(weights)))
        if (draw + 1) % _DRAWS_A_RESULT == 0 or draw + 1 == n_draws:
            yield Places(accuracy=np.stack(rows, axis=1), **lines)


def _input(problem: Task, regularisation: float, delta: float, seed: tuple[int, int]) -> Floats:
    """Return logistic regression weights (K, d + 1) for published noisy rows, at K values of ε.

    Each row is multiplied by its class s = ±1 before the noise is added.
    """
    unit = np.random.default_rng([*seed, 1]).standard_normal(problem.X.shape)
    ones, minimisers = np.ones(len(unit)), []
    for epsilon in PLACE_NODES:
        seen = noisy_rows(problem.X, problem.y, gaussian_sigma(2.0, epsilon, delta=delta), unit)
        minimisers.append(
            minimise(RegularisedLogistic(seen, ones, problem.strength(regularisation)))
        )
    return np.array(minimisers)


def noisy_rows(X: Floats, y: Floats, sigma: float, unit: Floats) -> Floats:
    """Return the rows (n, d + 1), negated for class 0, with noise added.

    The noise is σ times ``unit`` (n, d + 1).
    """
    return X * np.where(y > 0, 1.0, -1.0)[:, None] + sigma * unit


def _output(problem: Task, regularisation: float, delta: float, seed: tuple[int, int]) -> Floats:
    """Return logistic regression weights (K, d + 1) plus noise, at K values of ε.

    The training has no privacy.
    """
    w = problem.plain(regularisation)
    reach = output_sensitivity(1.0, problem.strength(regularisation), n_samples=len(problem.y))
    unit = np.random.default_rng([*seed, 2]).standard_normal(len(w))
    return np.array([w + gaussian_sigma(reach, e, delta=delta) * unit for e in PLACE_NODES])


def _objective(problem: Task, regularisation: float, delta: float, seed: tuple[int, int]) -> Floats:
    """Return logistic regression weights (K, d + 1) for an objective with a random linear term, at K values of ε."""
    minimisers = []
    for epsilon in PLACE_NODES:
        strength = problem.strength(regularisation)
        noise = objective_noise(epsilon, delta, regularisation=strength, n_samples=len(problem.y))
        rng = np.random.default_rng([*seed, 3])
        minimisers.append(perturbed_minimiser(problem.X, problem.y, noise=noise, rng=rng))
    return np.array(minimisers)


def _gradient(problem: Task, regularisation: float, delta: float, seed: tuple[int, int]) -> Floats:
    """Return the weights (K, d + 1) after forty full-batch steps with noise on every sum of gradients.

    T = 40 steps with noise multiplier σ together are equivalent to one Gaussian mechanism with
    σ/√T.
    """
    strength, n = problem.strength(regularisation), len(problem.y)
    unit = np.random.default_rng([*seed, 4]).standard_normal((N_STEPS, problem.X.shape[1]))
    sigma = np.array([gaussian_sigma(2.0, e, delta=delta) for e in PLACE_NODES]) * math.sqrt(
        N_STEPS
    )
    return descend_everybody(problem.X, problem.y, strength, sigma, unit, n)[:, -1]


def descend_everybody(
    X: Floats, y: Floats, strength: float, sigma: Floats, unit: Floats, n_samples: int
) -> Floats:
    """Return the weights (K, T + 1, d + 1) before and after T full-batch steps of noisy gradient descent.

    The noise on the sum of gradients is σ (K,) times ``unit`` (T, d + 1). The noisy sum is divided
    by ``n_samples``. Gradients are not clipped, since rows of norm at most 1 have gradients of norm
    at most 1. The step size is 1/(1/4 + 2λ), with λ = ``strength``.
    """
    weights, step = np.zeros((len(sigma), X.shape[1])), 1 / (0.25 + 2 * strength)
    path = [weights]
    for z in unit:
        total = (expit(weights @ X.T) - y) @ X + sigma[:, None] * z
        weights = weights - step * (total / n_samples + 2 * strength * weights)
        path.append(weights)
    return np.stack(path, axis=1)


_RELEASES: dict[str, Callable[[Task, float, float, tuple[int, int]], Floats]] = {
    "objective": _objective,
    "gradient": _gradient,
    "output": _output,
    "input": _input,
}


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Results of two kinds of models (`KINDS`) at several model sizes and noise levels.

    There are D noise draws, S sizes and V noise levels.

    - ``accuracy`` (2, D, S, V): test accuracy.
    - ``plain`` (2, S): mean accuracy after the same steps without noise and clipping.
    - ``gradient`` (2, S): mean norm of a record's gradient before the first step.
    """

    accuracy: Floats
    plain: Floats
    gradient: Floats

    def quantiles(self) -> Floats:
        """Return the 10, 50 and 90 % quantiles (3, 2, S, V) of the accuracy over the noise draws.

        Axes after the quantile: 2 kinds of models, S sizes, V noise levels.
        """
        return np.quantile(self.accuracy, (0.1, 0.5, 0.9), axis=1)


def n_parameters(width: int) -> int:
    """Return the number d of weights of a network with ``width`` hidden units.

    The network is compared with a model that has d random features.

    Examples
    --------
    >>> n_parameters(12)
    49
    """
    return Network(2, width).n_weights


def lengths(params: DescentParams, width: int, noise_multiplier: float) -> tuple[float, float]:
    """Return the typical norm of the noise in a step, and the largest norm of the expected sum of clipped gradients.

    The two norms are σC√d and qNC, with noise multiplier σ, clipping norm C, number of weights d,
    sampling rate q and number of training records N.
    """
    noise = noise_multiplier * params.clip_norm * math.sqrt(n_parameters(width))
    return noise, params.sample_rate * N_TRAIN * params.clip_norm


def random_features(X: Floats, d: int, seed: int) -> Floats:
    """Return d random features (n, d) of n rows, √(2/d) cos(ω_k·x + β_k) (Rahimi and Recht 2007).

    ω and β are drawn independently of the data. For any d, a row of features has a norm of about 1
    and at most √2.
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
    """Yield the test accuracy of models of growing size.

    In the first noise draw a result is yielded after each size. In later draws it is yielded after the
    whole draw. ε depends only on the noise multiplier, sampling rate, number of steps and δ. So a
    larger model has the same noise on each of its weights, and the same ε. Neighbours differ in one
    record added or removed. The number N of training records is public.

    Parameters
    ----------
    problem : Problem
        The data; its model is not used.
    params : DescentParams
        Settings of the training.
    n_draws : int, optional
        Number of draws, ≥ 1. None: the number that `draws_of` returns for the parameters.
    progress : callable
        Called with the fraction done after each size.
    check : callable
        Called ten times in each training. It may raise to stop the work.

    Yields
    ------
    Sizes
    """
    most = draws_of(params) if n_draws is None else n_draws
    plain, levels = params.but(parts="neither").recipe(), _noise(params)
    work = np.cumsum([0, *(width + 10 for width in WIDTH_GRID)], dtype=float)
    scores = np.full((most, len(WIDTH_GRID), len(KINDS), len(levels) + 2), np.nan)
    for draw in range(most):
        seed = params.seed * 1000 + draw + 1
        for s, width in enumerate(WIDTH_GRID):
            cases = _models(problem, width, seed)
            scores[draw, s] = [
                _scores(problem, params, plain, levels, case, seed, check) for case in cases
            ]
            progress((draw + work[s + 1] / work[-1]) / most)
            if draw == 0 or s + 1 == len(WIDTH_GRID):
                yield _sizes(scores[: draw + 1])


def draws_of(params: DescentParams) -> int:
    """Return the number of noise draws of `run_sizes`.

    The number is halved if a training uses every record more than 40 times.

    Examples
    --------
    >>> draws_of(DescentParams()), draws_of(DescentParams(sample_rate=1.0, n_steps=500))
    (6, 3)
    """
    return N_SIZE_DRAWS if params.sample_rate * params.n_steps <= _MANY else N_SIZE_DRAWS // 2


def _sizes(draws: Floats) -> Sizes:
    """Return the `Sizes` from an array (D, S, 2, V + 2), NaN where nothing is trained yet.

    The last axis has the accuracy at V noise levels, the accuracy without noise, and the gradient
    norm.
    """
    whole = draws.transpose(2, 0, 1, 3)
    accuracy, plain, gradient = whole[..., :-2], whole[..., -2], whole[..., -1]
    return Sizes(accuracy=accuracy.copy(), plain=plain.mean(1), gradient=gradient.mean(1))


def _noise(params: DescentParams) -> Floats:
    return levels(params) * (params.parts in ("both", "noise"))


def _models(problem: Problem, width: int, seed: int) -> list[tuple[Model, Floats, Floats]]:
    """Return the network with ``width`` hidden units and the random-feature model with as many weights.

    Each model comes with its training rows and its test rows.
    """
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
    """Return the accuracies and the gradient norm of one model, as an array (V + 2,).

    - V values: accuracy at each noise level.
    - Next: accuracy without noise and clipping.
    - Last: mean norm of a record's gradient before the first step.
    """
    model, X, X_test = case
    at_once = max(1, int(_CACHED / (params.sample_rate * len(X) * model.n_weights)))
    blocks = [levels[k : k + at_once] for k in range(0, len(levels), at_once)]
    snapshots = np.unique(np.linspace(0, params.n_steps, 11).astype(np.int64))
    parts = []
    for recipe, noise in (*((params.recipe(), block) for block in blocks), (plain, np.zeros(1))):
        path = descend(
            model, X, y=problem.y, recipe=recipe, noise_multiplier=noise,
            streams=sgd.Streams.of(seed, 2), snapshots=snapshots, check=check,
        )  # fmt: skip
        parts.append(
            ((model.scores(path.weights[:, -1], X_test) > 0) == (problem.y_test > 0)).mean(-1)
        )
    start = model.start(sgd.Streams.of(seed, 2).start)[None]
    return np.append(np.concatenate(parts), norms(model.factors(start, X, problem.y)).mean())


_EPSILON, _DELTA, _STEPS, _REST = 4.0, 1e-5, 40, 300
_CORNER = unit_rows(np.ones((1, 3)))
_OTHER = unit_rows(-np.ones((1, 3)))


def _claim() -> Guarantee:
    """Return the guarantee that the page states for a model trained with noise at one of the four places.

    The model is (ε, δ)-DP under replace_one, with public n.
    """
    release = Part(name="one model", epsilon=_EPSILON, delta=_DELTA, mechanism="Gaussian, reach 2")
    return Guarantee(
        epsilon=_EPSILON, delta=_DELTA, neighbouring="replace_one", status="proved",
        argument="Rows of norm at most 1 move what gets the noise by at most 2.",
        public=("the number of records n", "bounds of every feature"), parts=(release,),
    )  # fmt: skip


def _on_a_row(canary: bool, rng: np.random.Generator) -> float:
    """Return the attacker's score for noise on rows: the published row's component along the audited row.

    The published row is the audited record's row (``canary``) or the opposite row, plus noise.
    """
    sigma = gaussian_sigma(2.0, _EPSILON, delta=_DELTA)
    seen = noisy_rows(_CORNER, np.array([float(canary)]), sigma, rng.standard_normal((1, 4)))
    return float(seen[0] @ _CORNER[0])


def _on_gradients(canary: bool, rng: np.random.Generator) -> float:
    """Return the log-likelihood ratio of all noisy gradient steps between two neighbouring data sets.

    The data sets differ in one record. With ``canary`` this record is at a corner of the feature
    range, otherwise at the opposite corner. All other records are of the other class.
    """
    rest = np.vstack([_CORNER, _OTHER] * (_REST // 2))
    X, y = np.vstack([rest, _CORNER if canary else _OTHER]), np.append(np.ones(_REST), 0.0)
    sigma = gaussian_sigma(2.0, _EPSILON, delta=_DELTA) * math.sqrt(_STEPS)
    unit, strength, n = rng.standard_normal((_STEPS, 4)), 0.001, len(X)
    W = descend_everybody(X, y, strength, np.array([sigma]), unit, n)[0]
    step = 1 / (0.25 + 2 * strength)
    seen = (-np.diff(W, axis=0) / step - 2 * strength * W[:-1]) * n
    others = [(expit(W[:-1] @ rest.T) - 1) @ rest]
    mine, replaced = (expit(W[:-1] @ x.T) * x for x in (_CORNER, _OTHER))
    return step_evidence(seen, mine, others, scale=sigma, replaced=replaced)


WORLDS: tuple[Worlds, ...] = (
    Worlds(
        name="noise on every record",
        neighbours="one row with one class or the other; replace_one",
        canary="a row of norm 1 with the opposite class: its signed row is turned round",
        score="the published row, along the row",
        claim=_claim,
        release=_on_a_row,
        threshold=0.0,
        gaussian=True,
    ),
    Worlds(
        name="noise on every gradient of everybody",
        neighbours=f"{_REST} records of one class, and one of the other at this corner or the opposite; "
        "replace_one",
        canary="of the class that the others make unlikely: its gradient is nearly as long as its row",
        score="log-likelihood ratio of all steps",
        claim=_claim,
        release=_on_gradients,
        threshold=0.0,
    ),
)
