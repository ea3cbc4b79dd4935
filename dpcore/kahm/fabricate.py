"""Differentially private data fabrication: noise on every element, then smoothing by hull machines.

Original -> noisy -> fabricated. That smoothing repeats the KAHM map is said in the paper's
introduction; how exactly is not, so two readings and a provable variant are here (our choice).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore.guarantee import Guarantee
from dpcore.kahm import noise as noises
from dpcore.kahm.promise import record_promise
from dpcore.kahm.wide import HullOptions, blocks, fit_blocks, unit_box, wide_distance

__all__ = [
    "OPERATORS",
    "AtomWarning",
    "Fabricated",
    "Smoothed",
    "fabricate",
    "modelling_error",
    "smooth",
]

Array = NDArray[np.float64]
OPERATORS = ("fixed", "rebuild", "centred")
_NOISY = HullOptions(split="random")


class AtomWarning(UserWarning):
    """δ is so large that original values are published as they are."""


@dataclass(frozen=True, kw_only=True)
class Smoothed:
    """Data after every round of smoothing.

    ``stages`` (T + 1, N, p): before any round to after the last; ``errors`` (T + 1, k): mean distance
    of every class to its image then; ``rounds`` (k,): how many were used, after which a class rests.
    """

    stages: Array
    errors: Array
    rounds: NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Fabricated(Smoothed):
    """Fabricated data, and all data on the way: ``stages[0]`` is noisy, ``X`` the end (N, p).

    ``y`` (N,) labels; ``guarantee`` covers stages and errors together, as all come from the noisy
    data; ``target`` (k,) is the error on the original data, only with stop="paper", and NOT private.
    """

    y: NDArray
    guarantee: Guarantee
    target: Array | None

    @property
    def noisy(self) -> Array:
        """The noisy data (N, p)."""
        return self.stages[0]

    @property
    def X(self) -> Array:
        """The fabricated data (N, p)."""
        return self.stages[-1]


def modelling_error(
    X: ArrayLike,
    y: ArrayLike,
    *,
    rng: np.random.Generator,
    options: HullOptions = _NOISY,
    n_jobs: int | None = None,
) -> Array:
    """Return the mean distance Γ(y_i) of the records of every class to their own image.

    Parameters
    ----------
    X, y : array-like (N, p), (N,)
        Records in the unit box, and their classes.
    rng : numpy.random.Generator
        Splits classes into blocks.
    options : HullOptions
        How machines are built.
    n_jobs : int or None
        Threads.

    Returns
    -------
    ndarray (k,)
        In the order of the sorted classes. On original data this number is NOT private.
    """
    sets = [np.asarray(X, float)[rows] for rows in _members(np.asarray(y))]
    machines = fit_blocks(sets, options, rng, n_jobs)
    return np.array([wide_distance(m, Y).mean() for m, Y in zip(machines, sets, strict=True)])


def _members(y: NDArray) -> list[NDArray[np.intp]]:
    classes, index = np.unique(y, return_inverse=True)
    return [np.flatnonzero(index == one) for one in range(len(classes))]


def smooth(
    X: ArrayLike,
    y: ArrayLike,
    *,
    rng: np.random.Generator,
    rounds: int = 3,
    operator: str = "fixed",
    target: ArrayLike | None = None,
    options: HullOptions = _NOISY,
    n_jobs: int | None = None,
) -> Smoothed:
    """Smooth every class by repeated hull machines.

    fixed: Y_t = W^t Y_0, W = diag(S1)⁻¹S, S = K(K + λI)⁻¹ of the data before the first round.
    centred: Y_t = μ + S^t (Y_0 - μ); the error then falls strictly to 0, as all eigenvalues of S lie
    in (0, 1). rebuild: Y_{t+1} = A_t(Y_t), A_t built on Y_t; slower, and without such a proof.
    Post-processing: no look at anything but ``X``, the labels, and ``target`` where given.

    Parameters
    ----------
    X, y : array-like (N, p), (N,)
        Noisy records in the unit box (noise may leave it), and their classes.
    rng : numpy.random.Generator
        Splits classes into blocks.
    rounds : int
        T ≥ 0; with a target, the most rounds.
    operator : "fixed", "rebuild" or "centred"
        Which smoothing.
    target : array-like (k,) or None
        Stop a class once its error is at most this.
    options : HullOptions
        How machines are built.
    n_jobs : int or None
        Threads, one class each.

    Returns
    -------
    Smoothed

    Raises
    ------
    ValueError
        When an argument is outside its range.
    """
    X, members = np.asarray(X, float), _members(np.asarray(y))
    limit = _checks.integer("rounds", rounds, low=0)
    _checks.one_of("operator", operator, OPERATORS)
    goals = np.broadcast_to(-math.inf if target is None else np.asarray(target), len(members))
    cuts = [blocks(X[m], options.block_size, options.split, rng) for m in members]
    found = Parallel(n_jobs=n_jobs, prefer="threads")(
        delayed(_smoothed)(X[m], cut, operator, limit, goal, options)
        for m, cut, goal in zip(members, cuts, goals, strict=True)
    )
    used = np.array([len(stages) - 1 for stages, _ in found])
    all_stages = np.empty((used.max() + 1, *X.shape))
    all_errors = np.empty((used.max() + 1, len(members)))
    for k, (rows, (stages, errors)) in enumerate(zip(members, found, strict=True)):
        at = np.minimum(np.arange(used.max() + 1), used[k])
        all_stages[:, rows] = np.stack(stages)[at]
        all_errors[:, k] = np.array(errors)[at]
    return Smoothed(stages=all_stages, errors=all_errors, rounds=used)


def _smoothed(
    Y: Array,
    cut: list[NDArray[np.intp]],
    operator: str,
    limit: int,
    goal: float,
    options: HullOptions,
) -> tuple[list[Array], list[float]]:
    steps = [_step(Y[rows], operator, options) for rows in cut]
    stages, errors = [Y], []
    while True:
        following = np.empty_like(Y)
        for rows, step in zip(cut, steps, strict=True):
            following[rows] = step(stages[-1][rows])
        errors.append(float(np.linalg.norm(stages[-1] - following, axis=1).mean()))
        if len(stages) > limit or errors[-1] <= goal:
            return stages, errors
        stages.append(following)


def _step(Y: Array, operator: str, options: HullOptions) -> Callable[[Array], Array]:
    if operator == "rebuild":
        return lambda A: options.machine().fit(A).transform(A)
    ridge = options.machine().fit_ridge(Y)
    mean = Y.mean(0)
    if ridge is None:
        return lambda A: np.broadcast_to(mean, A.shape)
    lam, solve = ridge.lam, ridge.solve
    if operator == "centred":
        return lambda A: A - lam * solve(A - mean)
    total = 1 - lam * ridge.alpha  # S1, the denominator of A at the records
    total = np.copysign(np.maximum(np.abs(total), 1e-8), total)[:, None]
    return lambda A: (A - lam * solve(A)) / total


def fabricate(
    X: ArrayLike,
    y: ArrayLike,
    epsilon: float,
    delta: float = 0.0,
    *,
    rng: np.random.Generator,
    rounds: int = 3,
    operator: str = "fixed",
    stop: str = "rounds",
    bounds: tuple[ArrayLike, ArrayLike] = (0.0, 1.0),
    sensitivity: float = 1.0,
    noise: str = "laplace",
    max_rounds: int = 20,
    options: HullOptions = _NOISY,
    n_jobs: int | None = None,
) -> Fabricated:
    """Return data with noise on every element, smoothed class by class.

    Clip to the public box, scale it to [0, 1], add noise of scale d/ε to every element, smooth.
    ``guarantee`` states what a whole **record** gets, (pε, 1 - (1 - δ)^p) at d = 1 under replace_one
    with its label kept; ``claimed_epsilon`` there is the ε of one element. The same ``rng`` state
    gives the same standard noise and the same blocks for every ε.

    Parameters
    ----------
    X, y : array-like (N, p), (N,)
        Original records and their classes. Labels and class sizes are released as they are.
    epsilon : float
        ε > 0 of one element; inf adds no noise.
    delta : float
        δ in [0, 1): chance that an element is published unchanged. Take 0.
    rng : numpy.random.Generator
        Noise, and the split into blocks.
    rounds : int
        T ≥ 0 rounds of smoothing, with stop="rounds".
    operator : "fixed", "rebuild" or "centred"
        See `smooth`.
    stop : "rounds" or "paper"
        A public number of rounds, or until the error of every class is at most that of its original
        records: that reads the original data again, so the guarantee is then only nominal.
    bounds : (low, high)
        Public box, each end a number or (p,); values outside are put on it.
    sensitivity : float
        d in (0, 1]: most an element may change, as a share of the width of the box. Below 1 the
        record's ε counts ⌈1/d⌉ such changes.
    noise : "laplace" or "staircase"
        See `element_noise`.
    max_rounds : int
        Most rounds with stop="paper".
    options : HullOptions
        How machines are built.
    n_jobs : int or None
        Threads.

    Returns
    -------
    Fabricated
        ``stages`` in the units of ``X``, errors in units of the box.

    Raises
    ------
    ValueError
        When an argument is outside its range.

    Warns
    -----
    AtomWarning
        When δNp ≥ 0.1: original values are then likely to be published.

    Examples
    --------
    >>> X, y = np.linspace(0, 1, 40).reshape(20, 2), np.repeat([0, 1], 10)
    >>> made = fabricate(X, y, 4.0, rng=np.random.default_rng(0))
    >>> made.stages.shape, made.guarantee.claimed_epsilon, made.guarantee.epsilon
    ((4, 20, 2), 4.0, 8.0)
    """
    X, y = np.asarray(X, float), np.asarray(y)
    _checks.one_of("stop", stop, ("rounds", "paper"))
    d = _checks.number("sensitivity", sensitivity, low=0, high=1, open_low=True)
    low, width = unit_box(bounds, X.shape[1])
    inside = np.clip((X - low) / width, 0, 1)
    u = noises.uniforms(X.shape, rng)
    noisy = inside + noises.element_noise(u, epsilon, delta, sensitivity=d, kind=noise)
    _warn_of_atoms(delta, X.size)
    target = None
    if stop == "paper":
        target = modelling_error(inside, y, rng=rng, options=options, n_jobs=n_jobs)
    made = smooth(
        noisy, y, rng=rng, rounds=rounds if target is None else max_rounds, operator=operator,
        target=target, options=options, n_jobs=n_jobs,
    )  # fmt: skip
    guarantee = record_promise(
        epsilon, delta, X.shape[1], kind=noise, reach=math.ceil(1 / d - 1e-12),
        reads_original=stop == "paper",
    )  # fmt: skip
    return Fabricated(
        stages=low + width * made.stages, errors=made.errors, rounds=made.rounds, y=y,
        guarantee=guarantee, target=target,
    )  # fmt: skip


def _warn_of_atoms(delta: float, n_elements: int) -> None:
    if delta * n_elements >= 0.1:
        warnings.warn(
            f"delta={delta:g} publishes about {delta * n_elements:.3g} of {n_elements} original "
            "values unchanged: use delta=0, which needs hardly more noise.",
            AtomWarning,
            stacklevel=3,
        )
