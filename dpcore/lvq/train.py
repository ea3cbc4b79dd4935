"""One DP-SGD training for many noise levels: same lots, same unit normals, only σ differs."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, _noise, sgd
from dpcore.lvq import contributions, lanes

__all__ = ["Plan", "loop", "spread", "sweep"]

_REGISTER = 8
_MOST = 1e9  # of σ, C, 1/C and η/L: with `contributions.LIMIT`, every number of the loop is finite
_LARGE = 3e38  # stands for "no clipping" inside the compiled loop, which assumes finite numbers


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
    backend: str = "auto",
    progress: Callable[[float], None] | None = None,
    check: Callable[[], None] | None = None,
) -> NDArray[np.float32]:
    """Train GLVQ prototypes by DP-SGD at K noise levels at once.

    W ← clip(W - η_t (Σ_{i in lot} clip_C(g_i) + σ C Z_t) / L), Z_t the same for all levels; noise
    is added once to the sum, empty lots included. The result is the same, bit for bit, for any
    number of threads. A level alone differs by rounding where many small models go side by side;
    now and then that decides which of two equally near prototypes a record moves. What one record
    adds to a sum is at most C long, for any numbers and in every backend (see `contributions`).

    Parameters
    ----------
    X : array (n, d)
        Samples on the public domain. Numbers beyond ±1e9 count as ±1e9, NaN as 0.
    y : array (n,)
        Class index of each sample.
    start : array (K, P, d)
        First prototypes at each level.
    labels : array (P,)
        Class index of each prototype.
    lots : Lots
        Poisson lots of all steps.
    noise_multiplier : array (K,)
        σ ≥ 0: noise standard deviation over clipping norm.
    clip_norm : float or array (K,)
        C from 1e-9 to 1e9; inf (no clipping) only where σ = 0.
    learning_rate : float or array (K,)
        η > 0, η/L at most 1e9.
    expected_lot : float
        L = qN, a public constant.
    key : int
        In [0, 2^256): names the stream of unit normals.
    snapshots : array (S,)
        Increasing numbers of steps after which prototypes are kept; 0 is the start.
    schedule : "constant" or "linear"
        How η falls.
    bounds : (low, high) or None
        Prototypes are put back on this domain after each step: post-processing.
    average : bool
        Whether the anytime average of the iterates is what is kept (see `sgd.average_weights`).
    threads : int
        Threads over noise levels.
    backend : "auto", "numba" or "numpy"
        Compiled loop or its numpy twin; auto takes numba when it is installed.
    progress, check : callables, optional
        Told the fraction done; called now and then: what it raises ends the training.

    Returns
    -------
    ndarray (K, S, P, d), float32
        Prototypes at each level and snapshot.

    Raises
    ------
    ValueError
        When shapes or ranges do not fit, or noise is asked for without clipping.
    """
    W = np.array(contributions.tame(start))
    n_runs = len(W)
    plan = Plan.of(
        n_runs, labels, lots, noise_multiplier, clip_norm, learning_rate, expected_lot, snapshots,
        schedule, bounds, average,
    )  # fmt: skip
    run = loop(backend)
    out = np.zeros((n_runs, len(plan.kept), *W.shape[1:]), np.float32)
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
        # Rows of whole vector registers: the compiled loop then has no remainder to go through.
        fill = -W.shape[-1] % _REGISTER if W.shape[-1] > _REGISTER // 2 else 0
        fixed = (np.pad(fixed[0], ((0, 0), (0, fill))), fixed[1])
        W = np.pad(W, ((0, 0), (0, 0), (0, fill)))

    def part(rows: slice, stop: NDArray[np.int64]) -> None:
        run(
            *fixed, W[rows], plan.labels, (lots.indices, lots.offsets), plan.noise[rows],
            plan.clip[rows], plan.rates[rows], plan.weights, words, plan.kept, plan.low,
            plan.high, stop, out[rows],
        )  # fmt: skip

    spread(part, n_runs, *watch)
    return out


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The checked settings of a sweep, in the form its loop takes them.

    ``labels`` (P,); ``noise`` and ``clip`` (K,): σC and C; ``rates`` (K, T): η_t / L; ``weights``
    (T,) of the average; ``kept`` (S,) steps; ``low``, ``high`` of the domain.
    """

    labels: NDArray[np.int32]
    noise: NDArray[np.float32]
    clip: NDArray[np.float32]
    rates: NDArray[np.float32]
    weights: NDArray[np.float32]
    kept: NDArray[np.int64]
    low: np.float32
    high: np.float32

    @classmethod
    def of(
        cls,
        n_runs: int,
        labels: ArrayLike,
        lots: sgd.Lots,
        noise_multiplier: ArrayLike,
        clip_norm: ArrayLike,
        learning_rate: ArrayLike,
        expected_lot: float,
        snapshots: ArrayLike,
        schedule: str,
        bounds: tuple[float, float] | None,
        average: bool,
    ) -> Plan:
        """Return the plan of K = ``n_runs`` levels, or raise the ValueError of a bad setting."""
        n_steps = len(lots.offsets) - 1
        sigma, clip, rate = (
            np.broadcast_to(np.asarray(a, float), n_runs)
            for a in (noise_multiplier, clip_norm, learning_rate)
        )
        kept = np.asarray(snapshots, np.int64)
        _check(sigma, clip, np.asarray(labels), kept, n_steps, expected_lot)
        _check_size(sigma, clip, rate, expected_lot)
        rates = [sgd.step_sizes(float(r), n_steps, schedule) for r in rate]
        finite = np.minimum(clip, _LARGE).astype(np.float32)
        limit = contributions.LIMIT
        low, high = np.clip((-limit, limit) if bounds is None else bounds, -limit, limit)
        return cls(
            labels=np.ascontiguousarray(labels, np.int32),
            noise=np.where(sigma > 0, sigma * finite, 0).astype(np.float32),
            clip=finite,
            rates=(np.stack(rates) / float(expected_lot)).astype(np.float32),
            weights=sgd.average_weights(n_steps, average),
            kept=kept,
            low=np.float32(low),
            high=np.float32(high),
        )


def _check(
    sigma: NDArray[Any],
    clip: NDArray[Any],
    labels: NDArray[Any],
    kept: NDArray[np.int64],
    n_steps: int,
    expected_lot: float,
) -> None:
    _checks.number("expected_lot", expected_lot, low=0, open_low=True)
    if not (sigma >= 0).all():
        raise ValueError(f"noise_multiplier={sigma.min()} is not allowed: give numbers from 0 up.")
    if not (clip > 0).all():
        raise ValueError(f"clip_norm={clip.min()} is not allowed: give numbers above 0.")
    if np.isinf(clip[sigma > 0]).any():
        raise ValueError("clip_norm=inf with noise has no meaning: give a finite clip_norm.")
    if len(np.unique(labels)) < 2:
        raise ValueError("labels hold one class: GLVQ needs prototypes of at least two.")
    if (np.diff(kept) <= 0).any() or kept.min() < 0 or kept.max() > n_steps:
        raise ValueError(f"snapshots are not allowed: give increasing steps from 0 to {n_steps}.")


def _check_size(
    sigma: NDArray[Any], clip: NDArray[Any], rate: NDArray[Any], expected_lot: float
) -> None:
    odd = np.isfinite(clip) & ((clip < 1 / _MOST) | (clip > _MOST))
    if odd.any():
        raise ValueError(f"clip_norm={clip[odd][0]:g} is not allowed: give 1e-9 to 1e9, or inf.")
    if not (sigma <= _MOST).all():
        raise ValueError(f"noise_multiplier={sigma.max():g} is not allowed: give at most 1e9.")
    with np.errstate(over="ignore"):
        step = rate.max() / expected_lot
    if not (step <= _MOST and rate.max() <= 1e30):
        raise ValueError(
            f"learning_rate={rate.max():g} over an expected lot of {expected_lot:g} is not "
            "allowed: give numbers whose ratio is at most 1e9."
        )


def loop(name: str, prefix: str = "_") -> Callable[..., None]:
    """Return the training loop of a backend: module ``<prefix>compiled`` or ``<prefix>plain``."""
    _checks.one_of("backend", name, ("auto", "numba", "numpy"))
    plain = name == "numpy" or (name == "auto" and importlib.util.find_spec("numba") is None)
    module = f"dpcore.lvq.{prefix}{'plain' if plain else 'compiled'}"
    return cast("Callable[..., None]", importlib.import_module(module).run)


def spread(
    part: Callable[[slice, NDArray[np.int64]], None],
    n_runs: int,
    threads: int,
    n_steps: int,
    progress: Callable[[float], None] | None,
    check: Callable[[], None] | None,
    size: int | None = None,
) -> None:
    """Run ``part(rows, stop)`` over K levels, ``size`` at a time, and tell of progress.

    Without a size every thread gets one part. ``check`` is called at least once, also after the end: what it
    raises stops all parts.
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
