"""DP-SGD training of prototypes at many noise levels, with the same lots and unit normals."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from importlib import import_module
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, _noise, sgd
from dpcore.lvq import contributions, lanes
from dpcore.lvq.plan import Plan

__all__ = ["loop", "spread", "sweep"]

_REGISTER = 8


def sweep(
    X: ArrayLike,
    y: ArrayLike,
    start: ArrayLike,
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
) -> NDArray[np.float32]:
    """Train GLVQ prototypes by DP-SGD at K noise levels at once.

    Step t is W ← clip(W - η_t (Σ_{i in lot} clip_C(g_i) + σ C Z_t) / L), with the learning rate η_t, record i's
    gradient g_i, and standard normal Z_t, the same for all levels. Noise is added once to the sum, even for empty
    lots. In every backend and for any numbers, one record contributes at most C to the sum (see `contributions`).

    The result is the same, bit for bit, for any number of threads. It may depend slightly on the number of levels,
    because many levels are trained by another loop than one level. If a record is equally near to two prototypes, the
    rounding errors of the loop decide which of the two is moved.

    Parameters
    ----------
    X : array (n, d)
        Samples on the public domain. Numbers beyond ±1e9 count as ±1e9, NaN as 0.
    y : array (n,)
        Class index of each sample.
    start : array (K, P, d)
        Initial prototypes at each noise level.
    labels : array (P,)
        Class index of each prototype.
    lots : Lots
        Poisson-sampled lots (batches) of all steps.
    noise_multiplier : array (K,)
        σ ≥ 0: standard deviation of the noise, divided by the clip norm.
    clip_norm : float or array (K,)
        C from 1e-9 to 1e9; inf (no clipping) only where σ = 0.
    learning_rate : float or array (K,)
        η > 0, η/L at most 1e9.
    expected_lot : float
        L = qN, a public constant.
    key : int
        Key in [0, 2^256) of the stream of standard normals.
    snapshots : array (S,)
        The S increasing numbers of steps after which prototypes are stored; 0 means before the first step.
    schedule : "constant" or "linear"
        Schedule of the learning rate η.
    bounds : (low, high) or None
        Domain to which prototypes are clipped after each step (post-processing).
    average : bool
        Whether the snapshots are anytime averages of the iterates (see `sgd.average_weights`).
    threads : int
        Number of threads, over noise levels.
    backend : "numba" or "numpy"
        The compiled loop, or the loop in numpy that tests and the audit compare it with.
    progress, check : callables, optional
        ``progress`` is called with the fraction done. ``check`` is called regularly and may raise to stop the
        training.

    Returns
    -------
    ndarray (K, S, P, d), float32
        Prototypes at each level and snapshot.

    Raises
    ------
    ValueError
        When shapes or ranges do not fit, or noise is requested without clipping.
    """
    W = np.array(contributions.tame(start))
    n_runs = len(W)
    plan = Plan.of(
        n_runs, labels, lots, noise_multiplier, clip_norm, learning_rate, expected_lot, snapshots,
        schedule, bounds, average,
    )  # fmt: skip
    run = loop(backend)
    out = np.zeros((n_runs, len(plan.snapshot_steps), *W.shape[1:]), np.float32)
    fixed = (contributions.tame(X), np.ascontiguousarray(y, np.int32))
    words = _noise.key_words(key)
    compiled = run.__module__.endswith("_compiled")
    watch = threads, len(plan.weights), progress, check
    if compiled and lanes.fits(n_runs, W[0].size):

        def side_by_side(rows: slice, stop: NDArray[np.int64]) -> None:
            lanes.run(*fixed, W[rows], lots, plan, rows, words, stop, out[rows])

        spread(side_by_side, n_runs, *watch, size=lanes.LANES)
        return out
    if compiled:
        # Padded to whole vector registers, so that the compiled loop has no remainder.
        fill = -W.shape[-1] % _REGISTER if W.shape[-1] > _REGISTER // 2 else 0
        fixed = (np.pad(fixed[0], ((0, 0), (0, fill))), fixed[1])
        W = np.pad(W, ((0, 0), (0, 0), (0, fill)))

    def part(rows: slice, stop: NDArray[np.int64]) -> None:
        run(
            *fixed, W[rows], plan.labels, (lots.indices, lots.offsets), plan.noise[rows],
            plan.clip[rows], plan.rates[rows], plan.weights, words, plan.snapshot_steps, plan.low,
            plan.high, stop, out[rows],
        )  # fmt: skip

    spread(part, n_runs, *watch)
    return out


def is_compiled(backend: str) -> bool:
    """Return True for the backend "numba" (compiled), False for "numpy"."""
    _checks.one_of("backend", backend, ("numba", "numpy"))
    return backend == "numba"


def loop(name: str, prefix: str = "_") -> Callable[..., None]:
    """Return the training loop of the backend "numba" or "numpy".

    It is the function ``run`` of the module ``<prefix>compiled`` or ``<prefix>reference``.
    """
    module = f"dpcore.lvq.{prefix}{'compiled' if is_compiled(name) else 'reference'}"
    return cast("Callable[..., None]", import_module(module).run)


def spread(
    part: Callable[[slice, NDArray[np.int64]], None],
    n_runs: int,
    threads: int,
    n_steps: int,
    progress: Callable[[float], None] | None,
    check: Callable[[], None] | None,
    size: int | None = None,
) -> None:
    """Divide the noise levels into blocks, and call ``part(rows, stop)`` for every block, on several threads.

    ``size`` is the number of levels in a block; by default the levels are divided evenly among the threads. ``check``
    is called regularly, and at least once. If it raises, all calls are stopped through ``stop``.
    """
    watched = progress is not None or check is not None
    size = size or -(-n_runs // max(1, min(threads, n_runs)))
    rows = [slice(at, min(at + size, n_runs)) for at in range(0, n_runs, size)]
    stops = [np.zeros(2, np.int64) for _ in rows]
    if len(rows) == 1 and not watched:
        part(rows[0], stops[0])
        return
    with ThreadPoolExecutor(max(1, threads)) as pool:
        pending = {pool.submit(part, row, stop) for row, stop in zip(rows, stops, strict=True)}
        started = set(pending)
        try:
            while pending:
                _, pending = wait(pending, timeout=0.1 if watched else None)
                if progress is not None and pending:
                    progress(sum(int(stop[1]) for stop in stops) / (n_steps * len(stops)))
                if check is not None:
                    check()
        except BaseException:
            for stop in stops:
                stop[0] = 1
            raise
        for done in started:
            done.result()
