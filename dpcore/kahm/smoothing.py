"""Smoothing of noisy records, class by class, by repeated kernel affine hull machines.

The paper by Kumar, Moser and Fischer (arXiv:2304.01300) states that smoothing repeats the map of a kernel affine hull
machine. The paper does not state how. So this module offers two interpretations ("fixed" and "rebuild"), and our own
variant "centred", whose convergence is proved.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks
from dpcore._types import AnyArray
from dpcore.kahm.hull import records
from dpcore.kahm.ridge import Ridge
from dpcore.kahm.wide import HullOptions, blocks, fit_blocks, side_by_side, wide_distance

__all__ = ["NOISY", "OPERATORS", "Smoothed", "labelled", "modelling_error", "repeated", "smooth"]

Array = NDArray[np.float64]
OPERATORS = ("fixed", "rebuild", "centred")
NOISY = HullOptions(split="random")


@dataclass(frozen=True, kw_only=True)
class Smoothed:
    """Data before and after every smoothing round.

    - ``stages`` (T + 1, N, p) holds the N records of p features after 0, 1, …, T rounds.
    - ``errors`` (T + 1, k) holds, for every stage and each of k classes, the mean distance between records and their
      images (the outputs of the hull machine).
    - ``rounds`` (k,) is the number of rounds of each class. A class with fewer than T rounds stays unchanged after
      its last round.

    See Also
    --------
    smooth
    """

    stages: Array
    errors: Array
    rounds: NDArray[np.int64]


def modelling_error(
    X: ArrayLike,
    y: ArrayLike,
    *,
    rng: np.random.Generator,
    options: HullOptions = NOISY,
    n_jobs: int | None = None,
) -> Array:
    """Return the mean distance Γ(y_i) between records y_i and their images, for every class.

    Images are the outputs of the hull machines. Taking the mean is our choice. The code of the paper's first author
    for a later paper uses 1 - exp(-max_i Γ(y_i)/p).

    Parameters
    ----------
    X, y : array-like (N, p), (N,)
        Records in the unit box, and their classes.
    rng : numpy.random.Generator
        Source of the random split of classes into blocks.
    options : HullOptions
        Settings of the machines.
    n_jobs : int or None
        Number of threads.

    Returns
    -------
    ndarray (k,)
        Error of each class, in the order of the sorted classes. On original data the errors are NOT private.

    See Also
    --------
    smooth

    References
    ----------
    M. Kumar, B. A. Moser and L. Fischer, "On mitigating the utility-loss in differentially private
    learning", arXiv:2304.01300.
    """
    X, y = labelled(X, y)
    sets = [X[rows] for rows in _members(y)]
    machines = fit_blocks(sets, options, rng, n_jobs)
    return np.array([wide_distance(m, Y).mean() for m, Y in zip(machines, sets, strict=True)])


def labelled(X: ArrayLike, y: ArrayLike) -> tuple[Array, AnyArray]:
    """Return records and labels as arrays (N, p) and (N,), or raise a ValueError."""
    X, y = records("X", X), np.asarray(y)
    if y.shape != X.shape[:1]:
        raise ValueError(
            f"y of shape {y.shape} is not allowed: give {X.shape[:1]}, one label each."
        )
    return X, y


def _members(y: AnyArray) -> list[NDArray[np.intp]]:
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
    options: HullOptions = NOISY,
    n_jobs: int | None = None,
) -> Smoothed:
    """Smooth every class by repeated kernel affine hull machines.

    Y_t are the records of a block after t rounds. K and λ are the kernel matrix and the regularisation of the block's
    machine before the first round, and S = K(K + λI)⁻¹.

    - "fixed": Y_t = W^t Y_0 with W = diag(S1)⁻¹S.
    - "centred": Y_t = μ + S^t (Y_0 - μ) with the mean μ of Y_0. The error then falls strictly to 0, because all
      eigenvalues of S lie in (0, 1).
    - "rebuild": Y_{t+1} = A_t(Y_t) with a machine A_t fitted to Y_t. This is slower, and we have no proof that the
      error falls to 0.

    Smoothing is post-processing. It uses only ``X``, the labels, and ``target`` if given.

    Parameters
    ----------
    X, y : array-like (N, p), (N,)
        Noisy records, scaled so that the original records are in the unit box, and their classes.
    rng : numpy.random.Generator
        Source of the random split of classes into blocks.
    rounds : int
        Number T ≥ 0 of rounds; with a target, the largest number.
    operator : "fixed", "rebuild" or "centred"
        Rule of a smoothing round.
    target : array-like (k,) or None
        Mean distances at which the smoothing of each of k classes stops; None never stops early.
    options : HullOptions
        Settings of the machines.
    n_jobs : int or None
        Number of threads; a thread smooths one class at a time.

    Returns
    -------
    Smoothed

    Raises
    ------
    ValueError
        When an argument is outside its range.

    See Also
    --------
    fabricate, modelling_error

    References
    ----------
    M. Kumar, B. A. Moser and L. Fischer, "On mitigating the utility-loss in differentially private
    learning", arXiv:2304.01300.
    """
    X, y = labelled(X, y)
    members = _members(y)
    limit = _checks.integer("rounds", rounds, low=0)
    _checks.one_of("operator", operator, OPERATORS)
    goals = np.broadcast_to(-math.inf if target is None else np.asarray(target), len(members))
    cuts = [blocks(X[m], options.block_size, options.split, rng) for m in members]
    runs = side_by_side(
        n_jobs, _smoothed,
        [(X[m], cut, operator, limit, goal, options)
         for m, cut, goal in zip(members, cuts, goals, strict=True)],
    )  # fmt: skip
    used = np.array([len(stages) - 1 for stages, _ in runs])
    all_stages = np.empty((used.max() + 1, *X.shape))
    all_errors = np.empty((used.max() + 1, len(members)))
    for k, (rows, (stages, errors)) in enumerate(zip(members, runs, strict=True)):
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
    return repeated(Y, operator, options.machine().fit_ridge(Y))


def repeated(Y: Array, operator: str, ridge: Ridge | None) -> Callable[[Array], Array]:
    """Return a function for one smoothing round on N records, (N, p) -> (N, p).

    ``operator`` is "fixed" or "centred", see `smooth`. ``ridge`` is the ridge regression of the records Y (N, p). It
    is None if all records coincide; a round then returns the mean of the records.
    """
    mean = Y.mean(0)
    if ridge is None:
        return lambda A: np.broadcast_to(mean, A.shape)
    lam, solve = ridge.lam, ridge.solve
    if operator == "centred":
        return lambda A: A - lam * solve(A - mean)
    total = 1 - lam * ridge.alpha  # S1, the denominator of A at the records
    total = np.copysign(np.maximum(np.abs(total), 1e-8), total)[:, None]
    return lambda A: (A - lam * solve(A)) / total
