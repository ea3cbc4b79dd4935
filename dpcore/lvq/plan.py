"""Validated settings of a training at several noise levels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore import _checks, sgd
from dpcore.lvq import contributions

__all__ = ["Plan"]

_MOST = (
    1e9  # bound on σ, C, 1/C and η/L: with `contributions.LIMIT` every number of the loop is finite
)
_LARGE = 3e38  # stands for "no clipping" inside the compiled loop, which assumes finite numbers


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Validated settings of a training at K noise levels, as arguments of the training loops.

    - ``labels`` (P,) are the classes of the P prototypes.
    - ``clip`` (K,) are the clip norms C, ``noise`` (K,) the noise scales σC with noise multipliers σ.
    - ``rates`` (K, T) are the learning rates of T steps, divided by the expected lot size.
    - ``weights`` (T,) are the weights of the steps in the anytime average of the prototypes.
    - ``snapshot_steps`` (S,) are the numbers of steps after which a snapshot is stored.
    - ``low`` and ``high`` are the ends of the domain, to which prototypes are clipped.
    """

    labels: NDArray[np.int32]
    noise: NDArray[np.float32]
    clip: NDArray[np.float32]
    rates: NDArray[np.float32]
    weights: NDArray[np.float32]
    snapshot_steps: NDArray[np.int64]
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
        """Return the plan of K = ``n_runs`` noise levels, or raise a ValueError for an invalid setting."""
        n_steps = len(lots.offsets) - 1
        sigma, clip, rate = (
            np.broadcast_to(np.asarray(a, float), n_runs)
            for a in (noise_multiplier, clip_norm, learning_rate)
        )
        steps = np.asarray(snapshots, np.int64)
        _check(sigma, clip, np.asarray(labels), steps, n_steps, expected_lot)
        _check_size(sigma, clip, rate, expected_lot)
        rates = [sgd.step_sizes(float(r), n_steps, schedule=schedule) for r in rate]
        finite = np.minimum(clip, _LARGE).astype(np.float32)
        limit = contributions.LIMIT
        low, high = np.clip((-limit, limit) if bounds is None else bounds, -limit, limit)
        return cls(
            labels=np.ascontiguousarray(labels, np.int32),
            noise=np.where(sigma > 0, sigma * finite, 0).astype(np.float32),
            clip=finite,
            rates=(np.stack(rates) / float(expected_lot)).astype(np.float32),
            weights=sgd.average_weights(n_steps, average),
            snapshot_steps=steps,
            low=np.float32(low),
            high=np.float32(high),
        )


def _check(
    sigma: NDArray[Any],
    clip: NDArray[Any],
    labels: NDArray[Any],
    steps: NDArray[np.int64],
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
    if (np.diff(steps) <= 0).any() or steps.min() < 0 or steps.max() > n_steps:
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
