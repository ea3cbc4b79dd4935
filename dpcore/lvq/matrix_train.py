"""DP-SGD training of prototypes and matrix at many noise levels, with the same lots and unit normals."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _noise, sgd
from dpcore.lvq import contributions, train
from dpcore.lvq._matrix_pairs import clipped_sums
from dpcore.lvq.plan import Plan

__all__ = ["MatrixPath", "lot_sums", "sweep"]


class MatrixPath(NamedTuple):
    """Models at S steps of training with K noise levels.

    ``prototypes`` is (K, S, P, d) and ``omegas`` is (K, S, l, d). A model has P prototypes of d features, and a
    matrix Ω of l rows.
    """

    prototypes: NDArray[np.float32]
    omegas: NDArray[np.float32]


def sweep(
    X: ArrayLike,
    y: ArrayLike,
    start: ArrayLike,
    omega: ArrayLike,
    labels: ArrayLike,
    lots: sgd.Lots,
    *,
    noise_multiplier: ArrayLike,
    clip_norm: ArrayLike,
    learning_rate: ArrayLike,
    expected_lot: float,
    key: int,
    snapshots: ArrayLike,
    schedule: str = "constant",
    bounds: tuple[float, float] | None = (-1.0, 1.0),
    average: bool = True,
    threads: int = 1,
    backend: str = "numba",
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> MatrixPath:
    """Train GMLVQ prototypes and matrix by DP-SGD at K noise levels at once.

    Step t is (W, Ω) ← (W, Ω) - η_t (Σ_{i in lot} clip_C(g_i) + σ C Z_t) / L, where L is ``expected_lot`` and η_t the
    learning rate. g_i is record i's joint gradient with respect to the prototypes W and the matrix Ω, clipped in the
    L2 norm. Z_t is standard normal, the same for all levels. Noise is added once to the sum, even for empty lots.
    Only prototypes are clipped to the domain after a step.

    Parameters
    ----------
    X : array (n, d)
        Samples on the public domain.
    y : array (n,)
        Class index of each sample.
    start : array (K, P, d)
        Initial prototypes at each noise level.
    omega : array (l, d) or (K, l, d)
        Initial matrix, which must not depend on data (see `matrix.start`).
    labels : array (P,)
        Class index of each prototype.
    lots : Lots
        Poisson-sampled lots (batches) of all steps.
    noise_multiplier, clip_norm, learning_rate, expected_lot, key, snapshots, schedule, bounds
        Settings of noise, clipping, steps, snapshots and domain, see `train.sweep`.
    average : bool
        Whether the snapshots are anytime averages of prototypes and of matrices, instead of the iterates.
    threads, backend, progress, check
        Number of threads, choice of the training loop, and callbacks, see `train.sweep`.

    Returns
    -------
    MatrixPath
        Models at each noise level and snapshot; equal for any number of threads.

    Raises
    ------
    ValueError
        When shapes or ranges do not fit, or noise is requested without clipping.
    """
    W = np.array(contributions.tame(start), order="C")
    n_runs = len(W)
    first = contributions.tame(omega, contributions.MATRIX_LIMIT)
    fits = first.ndim == 2 or (first.ndim == 3 and len(first) == n_runs)
    if not fits or first.shape[-1] != W.shape[-1]:
        raise ValueError(
            f"omega of shape {first.shape} is not allowed: give (l, {W.shape[-1]}) or "
            f"({n_runs}, l, {W.shape[-1]})."
        )
    Omega = np.array(np.broadcast_to(first, (n_runs, *first.shape[-2:])), order="C")
    plan = Plan.of(
        n_runs, labels, lots, noise_multiplier, clip_norm, learning_rate, expected_lot, snapshots,
        schedule, bounds, average,
    )  # fmt: skip
    run = train.loop(backend, "_matrix_")
    out = MatrixPath(
        *(
            np.zeros((n_runs, len(plan.snapshot_steps), *A.shape[1:]), np.float32)
            for A in (W, Omega)
        )
    )
    words = _noise.key_words(key)
    fixed = (contributions.tame(X), np.ascontiguousarray(y, np.int32))

    def part(rows: slice, stop: NDArray[np.int64]) -> None:
        run(
            *fixed, W[rows], Omega[rows], plan.labels, (lots.indices, lots.offsets),
            plan.noise[rows], plan.clip[rows], plan.rates[rows], plan.weights, words, plan.snapshot_steps,
            plan.low, plan.high, stop, (out.prototypes[rows], out.omegas[rows]),
        )  # fmt: skip

    train.spread(part, n_runs, threads, len(plan.weights), progress, check)
    return out


def lot_sums(
    X: NDArray[np.float32],
    y: NDArray[np.int32],
    W: NDArray[np.float32],
    Omega: NDArray[np.float32],
    labels: NDArray[np.int32],
    clip_norm: float,
    *,
    backend: str,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sums of clipped gradients for prototypes and matrix Ω, before `sweep` adds noise.

    The lot is X (n, d), y (n,). The model is P prototypes W (P, d) with labels (P,), and Ω (l, d). One more record in
    the lot changes the sums by the clipped gradient of this record, without rounding if the clip norm is a power of
    two. Audits use this function.
    """
    if train.is_compiled(backend):
        from dpcore.lvq import _matrix_lot_compiled

        return cast(
            tuple[NDArray[np.float64], NDArray[np.float64]],
            _matrix_lot_compiled.summed(X, y, W, Omega, labels, clip_norm),
        )
    return clipped_sums(X, y, W, Omega, labels, clip_norm)
